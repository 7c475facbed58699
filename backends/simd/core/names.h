// This header brings the names of backends/calls that this folder uses into its
// namespace.
#ifndef ASSAY_BACKENDS_SIMD_CORE_NAMES_H_
#define ASSAY_BACKENDS_SIMD_CORE_NAMES_H_

#include "backends/calls/formats.h"
#include "backends/calls/limits.h"
#include "backends/calls/signature.h"
#include "backends/calls/tensors.h"

namespace assay::simd {

using calls::Format;
using calls::FormatSpec;
using calls::Kind;
using calls::kMaxDims;
using calls::kMaxInputs;
using calls::kMaxOutputs;
using calls::kNumFormats;
using calls::Signature;
using calls::Special;
using calls::SpecOf;
using calls::Type;

using calls::CountElements;
using calls::FirstElement;
using calls::IsSameShape;
using calls::ParseType;

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_NAMES_H_
