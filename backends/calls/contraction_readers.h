// Readers of the single ops of contraction.h.
#ifndef ASSAY_BACKENDS_CALLS_CONTRACTION_READERS_H_
#define ASSAY_BACKENDS_CALLS_CONTRACTION_READERS_H_

#include <stddef.h>
#include <stdint.h>

#include <initializer_list>
#include <vector>

#include "backends/backend.h"
#include "backends/calls/contraction.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/integers.h"

namespace assay::calls {

// These fill the dimensions. The types are read already.
const char* ReadDotGeneral(const AssayCall& call, const ReadIntegers& read,
                           Contraction* contraction);
const char* ReadConvolution(const AssayCall& call, const ReadIntegers& read,
                            Contraction* contraction);
const char* ReadDynamicConvolution(const AssayCall& call,
                                   const ReadIntegers& read,
                                   Contraction* contraction);

// Returns a complaint about an attribute that is not known, or nullptr.
const char* CheckContractionAttributes(
    const AssayCall& call, std::initializer_list<const char*> known);
// Returns a tensor with its strides, which are 0 if it has no elements: nobody
// checked them then.
DimsView ContractionView(const DLTensor& tensor);
// Returns whether the numbers are dimensions below `rank`, none of them twice.
bool AreContractionDims(const std::vector<int64_t>& numbers, size_t rank);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_CONTRACTION_READERS_H_
