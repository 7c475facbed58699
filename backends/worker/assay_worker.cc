// assay-worker is a process that hosts one plugin and speaks PROTOCOL.md.
//
//   assay-worker BACKEND            the plugin
//   assay-worker -- COMMAND ARG..   another worker, under the same supervisor
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "backends/worker/host.h"
#include "backends/worker/supervisor.h"

int main(int argc, char** argv) {
  assay::ForkUnderSupervisor();
  if (argc > 2 && std::string_view(argv[1]) == "--") {
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    return 127;
  }
  return assay::ServeAsWorker(argc, argv, {});
}
