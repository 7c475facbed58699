// The supervisor is a process between the runner and a worker, so that nothing
// that a backend started outlives either of them.
#ifndef ASSAY_BACKENDS_WORKER_SUPERVISOR_H_
#define ASSAY_BACKENDS_WORKER_SUPERVISOR_H_

namespace assay {

// Forks, and returns in the child, which is in a process group of its own and
// dies with the parent. The parent stays until the child ends, kills all of the
// child's descendants (also those in other groups and sessions, and those whose
// parents are gone), and ends as the child did, with its status or by its
// signal. On SIGTERM, and at the death of the process that started it, the
// parent kills them all. Precondition: this process has one thread and no
// children.
void ForkUnderSupervisor();

}  // namespace assay

#endif  // ASSAY_BACKENDS_WORKER_SUPERVISOR_H_
