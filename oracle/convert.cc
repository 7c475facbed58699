// convert, between all element types.
//
// Sources are read as integers or as doubles, which hold every value of every
// type, so that the code exists once per kind of source and result type.
#include <cmath>

#include "oracle/encoding.h"

namespace assay {
namespace {

// The values of a tensor as `C`, a block at a time. Of complex numbers the
// part.
template <class C>
class Values {
 public:
  explicit Values(const Tensor& tensor, int part = 0)
      : tensor_(tensor), part_(part) {}
  C operator[](int64_t i) {
    if (i < begin_ || i >= end_) Load(i);
    return block_[i - begin_];
  }

 private:
  static constexpr int64_t kBlock = 256;
  static constexpr unsigned kSources =
      std::is_same_v<C, double> ? kFloats | kComplexes : kBooleans | kIntegers;

  void Load(int64_t i) {
    begin_ = i / kBlock * kBlock;
    end_ = std::min(begin_ + kBlock, tensor_.size());
    VisitKinds<kSources>(tensor_.element_type(), [&]<class T>() {
      for (int64_t k = begin_; k < end_; ++k) {
        const T x = T::FromBits(tensor_.As<T>()[k]);
        if constexpr (IsComplexType<T>) {
          block_[k - begin_] = (part_ == 0 ? x.real() : x.imag()).ToDouble();
        } else if constexpr (IsFloatType<T>) {
          block_[k - begin_] = x.ToDouble();
        } else {
          block_[k - begin_] = x.value();
        }
      }
    });
  }

  const Tensor& tensor_;
  int part_;
  int64_t begin_ = 0, end_ = 0;
  C block_[kBlock];
};

class Conversion {
 public:
  Conversion(const Policy& policy, ElementType source)
      : from_boolean_(IsBoolean(source)),
        overflow_(policy),
        encoded_(policy),
        any_inexact_(policy.Get("inexact_conversion") == "any"),
        any_integer_(policy.Get("float_to_integer") == "any"),
        drops_sign_(policy.Get("e8m0_negative") == "magnitude") {}

  template <class R>
  Allowed<R> To(auto& by, auto x) const {
    if constexpr (IsBooleanType<R>) {
      return by("S2", R(x != 0));  // NaN is not zero
    } else if constexpr (IsFloatType<R>) {
      return ToFloat<R>(by, x);
    } else {
      return ToInteger<R>(by, x);
    }
  }

 private:
  template <class R>
  Allowed<R> ToInteger(auto& by, __int128 x) const {
    if (from_boolean_) return by("S1", R::Wrap(x));
    const R wrapped = R::Wrap(x);
    if (__int128{wrapped.value()} == x) return by("S3", wrapped);
    return by("S4", overflow_(wrapped));
  }

  template <class R>
  Allowed<R> ToInteger(auto& by, double x) const {
    // Powers of two, which f64 has: the first value on either side that the
    // type does not have, or its least value.
    const double above = std::ldexp(1.0, R::kBitWidth - (R::kIsSigned ? 1 : 0));
    const double least = R::kIsSigned ? -above : 0;
    const double truncated = std::trunc(x);
    if (truncated >= least && truncated < above)
      return by("S6", R::Wrap(static_cast<__int128>(truncated)));
    if (any_integer_) return by("S7", Allowed<R>(kAny));
    const R saturated = std::isnan(x) ? R() : x < 0 ? R::Min() : R::Max();
    return by("S7", saturated);
  }

  template <class R>
  Allowed<R> ToFloat(auto& by, __int128 x) const {
    if constexpr (!R::kFormat.has_sign) {
      if (drops_sign_ && x < 0) return by("E5", ToFloat<R>(by, -x));
    }
    const bool negative = x < 0;
    const Rounded<R> r =
        R::Round(negative, static_cast<uint64_t>(negative ? -x : x), 0);
    if (from_boolean_) return encoded_(by, by("S1", r));
    return Inexact(by, r);
  }
  template <class R>
  Allowed<R> ToFloat(auto& by, double x) const {
    if constexpr (!R::kFormat.has_sign) {
      if (drops_sign_ && x < 0 && std::isfinite(x))
        return by("E5", ToFloat<R>(by, -x));
    }
    Rounded<R> r = R::Round(x);
    // A format without -0 does not have this value, but +0.
    if (x == 0 && std::signbit(x) && !R::kFormat.has_negative_zero())
      r.exact = false;
    return Inexact(by, r);
  }

  template <class R>
  Allowed<R> Inexact(auto& by, const Rounded<R>& r) const {
    if (r.exact && r.unencodable == Unencodable::kNot)
      return by("S3", Allowed<R>(r.value, r.tininess));
    if (any_inexact_) return by("S5", Allowed<R>(kAny));
    return encoded_(by, by("S5", r));
  }

  bool from_boolean_;
  Overflow overflow_;
  Encoding encoded_;
  bool any_inexact_, any_integer_, drops_sign_;
};

// `C`: as what the source is read.
template <class C>
Evaluation ConvertFrom(const OpCall& op) {
  const Tensor& operand = op.Input("operand");
  const Conversion conversion(op.policy, operand.element_type());
  const bool from_complex = IsComplex(operand.element_type());
  return VisitElementType(op.ResultType().element_type, [&]<class R>() {
    Values<C> source(operand);
    if constexpr (IsComplexType<R>) {
      using E = typename R::Part;
      Values<C> imaginary(operand, 1);
      return ForEachElement<R>(op, [&](auto& by, int64_t i) -> Allowed<R> {
        const Allowed<E> real = conversion.To<E>(by, source[i]);
        if (!from_complex) {
          if (real.any) return kAny;
          return by("S9", R(real.value, E::Zero(false)));
        }
        const Allowed<E> imag = conversion.To<E>(by, imaginary[i]);
        if (real.any || imag.any) return kAny;
        return by("S8", R(real.value, imag.value));
      });
    } else {
      return ForEachElement<R>(op, [&](auto& by, int64_t i) -> Allowed<R> {
        const Allowed<R> result = conversion.To<R>(by, source[i]);
        return from_complex ? by("S9", result) : result;
      });
    }
  });
}

// Policy inexact_conversion = nearest_even_or_by_f32: what two conversions give
// as another result, with the rule for f8E8M0FNU.
void AddByF32(const OpCall& op, Expectation* result) {
  using E8m0 = Float<ElementType::kF8E8M0FNU>;
  const Tensor& operand = op.Input("operand");
  const ElementType to = op.ResultType().element_type;
  if (!IsFloat(to) || Info(to).bits >= 32 || IsComplex(operand.element_type()))
    return;
  const auto convert = [&](const Tensor& from, ElementType type) {
    Op step = op.op;
    step.inputs[0].type = from.type();
    step.outputs[0].type = {from.type().shape, type};
    const std::vector<Tensor> inputs = {from};
    const OpCall call{step, inputs, op.policy, Marks::kNone, op.flush};
    Evaluation evaluation = IsFloat(from.element_type())
                                ? ConvertFrom<double>(call)
                                : ConvertFrom<__int128>(call);
    return std::move(evaluation.outputs[0].lo);
  };
  const Tensor wide = operand.element_type() == ElementType::kF32
                          ? operand
                          : convert(operand, ElementType::kF32);
  Tensor other = convert(wide, to);
  if (to == E8m0::kElementType) {
    for (int64_t i = 0; i < wide.size(); ++i) {
      double x = F32::FromBits(wide.As<F32>()[i]).ToDouble();
      if (op.policy.Get("e8m0_negative") == "magnitude") x = std::fabs(x);
      if (x > 0x1p-127 && x < 0x1p-126) other.SetBits(i, 1);
    }
  }
  result->alternatives.push_back(std::move(other));
}

}  // namespace

Evaluation Convert(const OpCall& op) {
  const ElementType source = op.Input("operand").element_type();
  Evaluation evaluation = IsFloat(source) || IsComplex(source)
                              ? ConvertFrom<double>(op)
                              : ConvertFrom<__int128>(op);
  if (op.policy.Get("inexact_conversion") == "nearest_even_or_by_f32")
    AddByF32(op, &evaluation.outputs[0]);
  return evaluation;
}

}  // namespace assay
