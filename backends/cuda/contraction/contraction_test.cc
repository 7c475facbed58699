// Tests the kernels of sums, thread after thread on the host.
#include "backends/calls/contraction_backend_test.h"
