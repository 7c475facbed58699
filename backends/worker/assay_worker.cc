// assay-worker: a process that hosts one plugin and speaks PROTOCOL.md.
#include "backends/worker/host.h"

int main(int argc, char** argv) { return assay::ServeAsWorker(argc, argv, {}); }
