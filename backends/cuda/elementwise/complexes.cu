// This file has the kernels of complex numbers: their lexicographic order, and
// functions that need both parts. Ops that compute each part for itself are ops
// on floats, see calls.cc.
#include "backends/cuda/core/formats.h"
#include "backends/cuda/core/kernel_set.h"
#include "backends/cuda/elementwise/complex_ops.h"
#include "backends/cuda/elementwise/integer_ops.h"

namespace assay::cuda {
namespace {

using calls::Kind;
using calls::Signature;
using calls::Type;

template <class T>
using Comparisons =
    SameType<ComplexStorage<T>, ComplexComparisons, false, uint8_t>;
template <class T>
using Extrema = SameType<ComplexStorage<T>, ComplexExtrema, false>;
template <class T>
using Clamps = SameType<ComplexStorage<T>, ComplexClamps, false>;
template <class T>
using Unary = SameType<ComplexStorage<T>, ComplexUnary, true>;
template <class T>
using Binary = SameType<ComplexStorage<T>, ComplexBinary, true>;
template <class T>
using Magnitudes = SameType<ComplexStorage<T>, ComplexMagnitudes, true, T>;

template <template <class> class Group>
Function FindByPart(const Type& type, std::string_view name, int num_inputs,
                    const Parameters& p) {
  return type.bits == 64 ? FunctionOf<Group<float>>(name, num_inputs, p)
                         : FunctionOf<Group<double>>(name, num_inputs, p);
}

}  // namespace

Function FindComplexFunction(const Signature& signature) {
  if (signature.num_inputs == 0 || signature.inputs[0].kind != Kind::kComplex)
    return {};
  const Type& type = signature.inputs[0];
  Parameters p = {};
  bool is_total = false;
  if (ReadComparison(signature, &p.want, &is_total)) {
    if (is_total) return {};
    return FindByPart<Comparisons>(type, "compare", 2, p);
  }
  for (int k = 1; k < signature.num_inputs; ++k) {
    if (signature.inputs[k] != type) return {};
  }
  if (signature.op == "abs") {
    const bool is_part = signature.output.kind == Kind::kFloat &&
                         2 * signature.output.bits == type.bits;
    if (!is_part) return {};
    return FindByPart<Magnitudes>(type, "abs", signature.num_inputs, p);
  }
  if (signature.output != type) return {};
  if (signature.num_inputs == 1)
    return FindByPart<Unary>(type, signature.op, 1, p);
  if (signature.num_inputs == 3)
    return FindByPart<Clamps>(type, signature.op, 3, p);
  Function function = FindByPart<Extrema>(type, signature.op, 2, p);
  if (function.kernels != nullptr) return function;
  function = FindByPart<Binary>(type, signature.op, 2, p);
  function.may_be_undecided = signature.op == "power";
  return function;
}

}  // namespace assay::cuda
