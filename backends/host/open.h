// OpenBackend leads from a backend's name on the command line to an executor:
//   NAME, PATH.so     a plugin, in an assay-worker (or in this process)
//   python:NAME       the worker NAME_worker.py of backends/python/
//   cmd:COMMAND       any worker, started by the shell
// If a plugin has the option device=all, each executor that is opened has the
// next GPU of the machine.
#ifndef ASSAY_BACKENDS_HOST_OPEN_H_
#define ASSAY_BACKENDS_HOST_OPEN_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/executor.h"
#include "backends/host/worker.h"

namespace assay {

struct OpenOptions {
  bool in_process = false;
  // These apply to backends that run in this process.
  size_t together = 1;  // calls, if it is on a device
  PluginParts parts;
  WorkerLimits limits;
  HowToRun how;
  // This process is this job of a campaign; device=all begins with the job's
  // device.
  int job = 0;
};

// Returns how many executors of a backend there must be for the size that was
// asked for: for device=all it is the number of GPUs of the machine. Throws
// BackendError.
int LeastJobs(const std::string& spec);

// Throws BackendError, also if `in_process` is set for a backend that is not a
// plugin.
std::unique_ptr<Executor> OpenBackend(const std::string& spec,
                                      const OpenOptions& options);

// Returns the names of python:NAME.
std::vector<std::string> ListPythonWorkers();

// Returns the options of the n-th executor on a machine with so many devices.
std::map<std::string, std::string> OptionsOfJob(
    std::map<std::string, std::string> options, int n, int devices);

// Returns how the worker of a backend is started. Throws BackendError.
WorkerCommand FindWorker(const std::string& spec);

}  // namespace assay

#endif  // ASSAY_BACKENDS_HOST_OPEN_H_
