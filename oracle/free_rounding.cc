#include "oracle/free_rounding.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "oracle/oracle.h"
#include "spec/float.h"

namespace assay {
namespace {

// a + b rounded to odd: what is then rounded to a format of at most 24 bits is
// the exact sum rounded once (Boldo and Melquiond, Emulation of FMA and
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

// a * b + c, rounded once.
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

Tensor Apply(const char* op, const std::vector<const char*>& names,
             const std::vector<Tensor>& inputs, ElementType result,
             const Policy& policy) {
  Op call;
  call.op = op;
  for (size_t k = 0; k < names.size(); ++k)
    call.inputs.push_back({names[k], names[k], inputs[k].type()});
  call.outputs = {{"result", "result", {inputs[0].type().shape, result}}};
  return Evaluate(call, inputs, policy, Marks::kNone).outputs[0].lo;
}

}  // namespace

std::vector<Tensor> FreelyRounded(const Tensor& x, const Tensor& y,
                                  const Tensor& alpha, ElementType result,
                                  const Policy& policy) {
  const ElementType type = x.element_type();
  if (!IsFloat(type)) return {};
  const auto as = [&](const Tensor& tensor, ElementType other) {
    if (tensor.element_type() == other) return tensor;
    return Apply("convert", {"operand"}, {tensor}, other, policy);
  };
  std::vector<Tensor> sums;
  const bool may_fuse = policy.Get("contraction") == "allowed";
  if (may_fuse) sums.push_back(as(Fused(x, y, alpha), result));
  if (policy.Get("excess_precision") != "allowed" || type == ElementType::kF64)
    return sums;
  const ElementType wide =
      Info(type).bits < 32 ? ElementType::kF32 : ElementType::kF64;
  const Tensor wide_x = as(x, wide), wide_y = as(y, wide);
  const Tensor wide_alpha = as(alpha, wide);
  const auto add = [&](const Tensor& sum) {
    sums.push_back(as(sum, result));
    sums.push_back(as(as(sum, type), result));
  };
  const Tensor product =
      Apply("multiply", {"lhs", "rhs"}, {wide_y, wide_alpha}, wide, policy);
  add(Apply("add", {"lhs", "rhs"}, {wide_x, product}, wide, policy));
  if (may_fuse) add(Fused(wide_x, wide_y, wide_alpha));
  return sums;
}

}  // namespace assay
