// This file has the kernels of arithmetic on floats, of their comparisons and
// of their elementary functions.
//
// It is compiled twice: for IEEE 754 and, with ASSAY_CUDA_FAST, with nvcc's
// fast mathematics for the types that compute in f32.
#include "backends/cuda/core/formats.h"
#include "backends/cuda/core/kernel_set.h"
#include "backends/cuda/elementwise/float_ops.h"
#include "backends/cuda/elementwise/float_storage.h"
#include "backends/cuda/elementwise/real_ops.h"

namespace assay::cuda {
namespace ASSAY_CUDA_MATH {
namespace {

using calls::Format;
using calls::Kind;
using calls::Signature;
using calls::Type;

template <class Storage>
using Unary = SameType<Storage, FloatUnary, false>;
template <class Storage>
using Binary = SameType<Storage, FloatBinary, false>;
template <class Storage>
using Ternary = SameType<Storage, FloatTernary, false>;
template <class Storage>
using Comparisons = SameType<Storage, FloatComparisons, false, uint8_t>;
template <class Storage>
using QuickFunctions = SameType<Storage, RealQuick, false>;
template <class Storage>
using UnaryFunctions = SameType<Storage, RealUnary, true>;
template <class Storage>
using BinaryFunctions = SameType<Storage, RealBinary, true>;

template <template <class> class Group>
Function FindByType(const Type& type, std::string_view name, int num_inputs,
                    const Parameters& p) {
  if (type.kind == Kind::kFloat && type.bits == 32)
    return FunctionOf<Group<F32>>(name, num_inputs, p);
  if constexpr (hooks::kHasAllTypes) {
#ifndef ASSAY_CUDA_FAST
    if (type.kind == Kind::kFloat)
      return FunctionOf<Group<F64>>(name, num_inputs, p);
#else
    if (type.kind == Kind::kFloat) return {};
#endif
    if (type.format == Format::kF16)
      return FunctionOf<Group<F16>>(name, num_inputs, p);
    if (type.format == Format::kBF16)
      return FunctionOf<Group<BF16>>(name, num_inputs, p);
    return FunctionOf<Group<Narrow>>(name, num_inputs, p);
  }
  return {};
}

}  // namespace

Function FindFunction(const Signature& signature) {
  if (signature.num_inputs == 0 || !IsFloat(signature.inputs[0])) return {};
  const Type& type = signature.inputs[0];
  Parameters p = {};
  p.format = FormatOf(type);
  bool is_total = false;
  uint32_t want = 0;
  if (ReadComparison(signature, &want, &is_total)) {
    if (is_total) return {};
    return FindByType<Comparisons>(
        type, signature.AttributeText("comparison_direction"), 2, p);
  }
  if (signature.output != type) return {};
  for (int k = 1; k < signature.num_inputs; ++k) {
    if (signature.inputs[k] != type) return {};
  }
  const auto find = [&](auto... groups) {
    Function function;
    for (const auto group : {groups...}) {
      function = group(type, signature.op, signature.num_inputs, p);
      if (function.kernels != nullptr) break;
    }
    return function;
  };
  switch (signature.num_inputs) {
    case 1:
      return find(FindByType<Unary>, FindByType<QuickFunctions>,
                  FindByType<UnaryFunctions>);
    case 2:
      return find(FindByType<Binary>, FindByType<BinaryFunctions>);
    default:
      return FindByType<Ternary>(type, signature.op, signature.num_inputs, p);
  }
}

}  // namespace ASSAY_CUDA_MATH

#ifdef ASSAY_CUDA_FAST
Function FindFastFunction(const calls::Signature& signature) {
  return fast::FindFunction(signature);
}
#else
Function FindFloatFunction(const calls::Signature& signature) {
  return ieee::FindFunction(signature);
}
#endif

}  // namespace assay::cuda
