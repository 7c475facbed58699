// From a backend's name on the command line to an executor:
//   NAME, PATH.so     a plugin, in an assay-worker (or in this process)
//   python:NAME       the worker backends/python/NAME_worker.py
//   cmd:COMMAND       any worker, started by the shell
#ifndef ASSAY_BACKENDS_OPEN_H_
#define ASSAY_BACKENDS_OPEN_H_

#include <memory>
#include <string>
#include <vector>

#include "backends/executor.h"
#include "backends/worker.h"

namespace assay {

struct OpenOptions {
  bool in_process = false;
  WorkerLimits limits;
};

// Throws BackendError, also if `in_process` is asked of what is no plugin.
std::unique_ptr<Executor> OpenBackend(const std::string& spec,
                                      const OpenOptions& options);

// The names of python:NAME.
std::vector<std::string> ListPythonWorkers();

// How the worker of a backend is started. Throws BackendError.
WorkerCommand FindWorker(const std::string& spec);

}  // namespace assay

#endif  // ASSAY_BACKENDS_OPEN_H_
