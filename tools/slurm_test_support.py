"""A cluster of one node on this host for the length of a test: munged, slurmctld and slurmd of Debian's slurm-wlm in a folder of their own.

Nothing of a cluster that is configured on the host is read or changed. The daemons run as the user of the test, in the foreground,
and the kernel ends them if the test ends before it stops them.
"""

import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
CPUS = 8  # as many tasks run at a time, whatever the host has

CONFIGURATION = """
ClusterName=assay
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
AuthType=auth/munge
# A requeued task waits for as long as its credential is valid: two minutes, unless this says otherwise.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
# Slurm needs no control groups then, which a container cannot make.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
MailProg=/bin/true
MpiDefault=none
KillWait=5
OverTimeLimit=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Returns the programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.environment = {**{key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "SBATCH_"))},
                            "PATH": PATH, "SLURM_CONF": os.path.join(folder, "slurm.conf")}
        self.daemons = []

    def start(self):
        os.chmod(self.folder, 0o755)  # munged asks for a socket that everyone may reach
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool"):
            os.mkdir(os.path.join(self.folder, name))
        controller_port, node_port = free_ports(2)
        with open(self.environment["SLURM_CONF"], "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=self.folder, host=host, user=getpass.getuser(), cpus=CPUS,
                                            controller_port=controller_port, node_port=node_port))
        # From version 23.02 on slurmd asks for control groups unless this says that there are none; 22.05 does not know the word.
        if self.version() >= (23, 2):
            with open(os.path.join(self.folder, "cgroup.conf"), "w", encoding="utf-8") as file:
                file.write("CgroupPlugin=disabled\n")
        key = os.path.join(self.folder, "munge.key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(128))
        self.daemon("munged", "--foreground", "--force", "--key-file", key,
                    *(word for name in ("socket", "log-file", "pid-file", "seed-file")
                      for word in (f"--{name}", os.path.join(self.folder, "munge." + name.split("-")[0]))))
        self.wait_for(lambda: os.path.exists(os.path.join(self.folder, "munge.socket")))
        self.daemon("slurmctld", "-D", "-i")
        self.daemon("slurmd", "-D", "-N", host)
        self.wait_for(lambda: self.run("sinfo", "--noheader", "--format=%T").stdout.strip() == "idle")

    def version(self):
        words = self.run("slurmd", "-V").stdout.split()  # slurm-wlm 22.05.8
        return tuple(int(number) for number in words[-1].split(".")[:2])

    def daemon(self, *command):
        with open(os.path.join(self.folder, command[0] + ".txt"), "w", encoding="utf-8") as log:
            self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                                 env=self.environment, preexec_fn=die_with_parent))

    def run(self, *command, **options):
        return subprocess.run(command, capture_output=True, text=True, errors="replace", env=self.environment, check=False,
                              stdin=subprocess.DEVNULL, **{"timeout": 300, **options})

    def wait_for(self, is_so, seconds=60):
        end = time.monotonic() + seconds
        while not is_so():
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} ended with {daemon.returncode}\n{self.logs()}")
            if time.monotonic() > end:
                raise RuntimeError(f"waited for {seconds} s in vain\n{self.logs()}")
            time.sleep(0.05)

    def logs(self):
        text = self.run("squeue", "--array").stdout
        for daemon in self.daemons:
            with open(os.path.join(self.folder, daemon.args[0] + ".txt"), encoding="utf-8", errors="replace") as file:
                text += f"{daemon.args[0]}:\n{file.read()[-4000:]}\n"
        return text

    def processes(self):
        """Yields the number, that of the parent and the command line of each process that was started in this cluster."""
        mark = self.folder.encode()
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as one, open(f"/proc/{name}/cmdline", "rb") as two, \
                        open(f"/proc/{name}/stat", "rb") as three:
                    environment, line, stat = one.read(), two.read(), three.read()
            except OSError:
                continue
            if mark in environment:
                yield int(name), int(stat.rpartition(b")")[2].split()[1]), line.decode(errors="replace").split("\0")[:-1]

    def stop(self):
        if self.daemons and self.daemons[-1].args[0] == "slurmd":
            self.run("scancel", "--user", getpass.getuser())
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        # Tasks have other parents than the daemons.
        end = time.monotonic() + 10
        while left := list(self.processes()):
            if time.monotonic() > end:
                raise RuntimeError(f"processes are left: {left}")
            for process, *_ in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.05)
