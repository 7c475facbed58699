// Tests that the sound kernel is what the planted bugs are measured against.
#include "backends/calls/contraction_backend_test.h"
