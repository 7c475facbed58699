#include "oracle/pointwise/contraction_and_precision.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/unrounded.h"
#include "spec/types/float.h"

namespace assay {
namespace {

// Returns a + b rounded to odd: rounding this to a format of at most 24 bits is
// rounding the exact sum once (Boldo and Melquiond, Emulation of FMA and
// correctly rounded sums, 2008).
double AddToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double of_b = sum - a;
  const double error = (a - (sum - of_b)) + (b - of_b);
  const bool is_odd = (std::bit_cast<uint64_t>(sum) & 1) != 0;
  if (error == 0 || is_odd) return sum;
  const double infinity = std::numeric_limits<double>::infinity();
  return std::nextafter(sum, error > 0 ? infinity : -infinity);
}

// Returns a * b + c, rounded once.
template <class T>
T Fused(T a, T b, T c) {
  if constexpr (T::kIsNative) {
    return T::OfNative(std::fma(a.ToNative(), b.ToNative(), c.ToNative()))
        .value;
  } else {
    // The product of two significands of 11 bits is exact.
    return T::Round(AddToOdd(a.ToDouble() * b.ToDouble(), c.ToDouble())).value;
  }
}

Tensor Fused(const Tensor& x, const Tensor& y, const Tensor& alpha) {
  Tensor fused(x.type());
  VisitKinds<kFloats>(x.element_type(), [&]<class T>() {
    const auto at = [](const Tensor& tensor, int64_t i) {
      return T::FromBits(static_cast<typename T::Bits>(tensor.Bits(i)));
    };
    for (int64_t i = 0; i < x.size(); ++i)
      fused.SetBits(i, Fused(at(y, i), at(alpha, i), at(x, i)).ToBits());
  });
  return fused;
}

Expectation Apply(const char* op, const std::vector<const char*>& names,
                  const std::vector<Tensor>& inputs, ElementType result,
                  const Policy& policy) {
  Op call;
  call.op = op;
  for (size_t k = 0; k < names.size(); ++k)
    call.inputs.push_back({names[k], names[k], inputs[k].type()});
  call.outputs = {{"result", "result", {inputs[0].type().shape, result}}};
  return std::move(
      Evaluate(call, inputs, policy, Marks::kNone).outputs.front());
}

Expectation Converted(const Tensor& tensor, ElementType type,
                      const Policy& policy) {
  return Apply("convert", {"operand"}, {tensor}, type, policy);
}

// Rounds a result of arithmetic, which IEEE 754 rounds to nearest. It is no
// conversion of the program, for which a policy may allow more.
Tensor RoundedTo(const Tensor& tensor, ElementType type) {
  if (tensor.element_type() == type) return tensor;
  return Converted(tensor, type, Policy::Find("assay")).lo;
}

// Returns all sums that are in the type `result`, or are converted to it.
std::vector<Tensor> Sums(const Tensor& x, const Tensor& y, const Tensor& alpha,
                         const Policy& policy) {
  const ElementType type = x.element_type();
  std::vector<Tensor> sums;
  const bool may_fuse = policy.Get("contraction") == "allowed";
  if (may_fuse) sums.push_back(Fused(x, y, alpha));
  if (!ExcessPrecision(policy).Allows(type)) return sums;
  const ElementType wide =
      Info(type).bits < 32 ? ElementType::kF32 : ElementType::kF64;
  const Tensor wide_x = RoundedTo(x, wide), wide_y = RoundedTo(y, wide);
  const Tensor wide_alpha = RoundedTo(alpha, wide);
  const auto add = [&](const Tensor& sum) {
    sums.push_back(sum);
    sums.push_back(RoundedTo(sum, type));
  };
  const Tensor product =
      Apply("multiply", {"lhs", "rhs"}, {wide_y, wide_alpha}, wide, policy).lo;
  add(Apply("add", {"lhs", "rhs"}, {wide_x, product}, wide, policy).lo);
  if (may_fuse) add(Fused(wide_x, wide_y, wide_alpha));
  return sums;
}

}  // namespace

void AddFreelyRounded(const Tensor& x, const Tensor& y, const Tensor& alpha,
                      const Policy& policy, Expectation* result) {
  if (!IsFloat(x.element_type())) return;
  const ElementType type = result->lo.element_type();
  for (const Tensor& sum : Sums(x, y, alpha, policy)) {
    Expectation other(sum.type());
    if (sum.element_type() == type) {
      other.lo = other.hi = sum;
    } else {
      other = Converted(sum, type, policy);
    }
    for (int64_t i = 0; i < sum.size(); ++i) {
      const ElementFlags flags =
          other.flags.empty() ? 0 : other.flags[static_cast<size_t>(i)];
      const Expectation::Alternative alternative{i, other.lo.Bits(i),
                                                 other.hi.Bits(i), flags};
      const bool is_same = alternative.lo == result->lo.Bits(i) &&
                           alternative.hi == result->hi.Bits(i);
      if (!is_same) result->alternatives.push_back(alternative);
    }
  }
  std::ranges::stable_sort(result->alternatives, {},
                           &Expectation::Alternative::element);
}

}  // namespace assay
