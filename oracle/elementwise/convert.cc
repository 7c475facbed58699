// convert works between all element types.
//
// Sources are read as integers or as doubles, which hold every value of every
// type, so that the code exists once per kind of source and result type.
#include <cmath>

#include "oracle/elementwise/encoding.h"

namespace assay {
namespace {

// Values are those of a tensor as `C`, a block at a time. For complex numbers,
// one part is read.
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
        either_neighbour_(policy.Get("inexact_conversion") ==
                          "either_neighbour"),
        any_integer_(policy.Get("float_to_integer") == "any"),
        drops_sign_(policy.Get("e8m0_negative") == "magnitude") {}

  template <class R>
  Allowed<R> To(auto& clause, auto x) const {
    if constexpr (IsBooleanType<R>) {
      return clause("S2", R(x != 0));  // NaN is not zero
    } else if constexpr (IsFloatType<R>) {
      return ToFloat<R>(clause, x);
    } else {
      return ToInteger<R>(clause, x);
    }
  }

 private:
  template <class R>
  Allowed<R> ToInteger(auto& clause, __int128 x) const {
    if (from_boolean_) return clause("S1", R::Wrap(x));
    const R wrapped = R::Wrap(x);
    if (__int128{wrapped.value()} == x) return clause("S3", wrapped);
    return clause("S4", overflow_(wrapped));
  }

  template <class R>
  Allowed<R> ToInteger(auto& clause, double x) const {
    // These are powers of two, which f64 has: the first value on either side
    // that the type does not have, or its least value.
    const double above = std::ldexp(1.0, R::kBitWidth - (R::kIsSigned ? 1 : 0));
    const double least = R::kIsSigned ? -above : 0;
    const double truncated = std::trunc(x);
    if (truncated >= least && truncated < above)
      return clause("S6", R::Wrap(static_cast<__int128>(truncated)));
    if (any_integer_) return clause("S7", Allowed<R>(kAny));
    const R saturated = std::isnan(x) ? R() : x < 0 ? R::Min() : R::Max();
    return clause("S7", saturated);
  }

  template <class R>
  Allowed<R> ToFloat(auto& clause, __int128 x) const {
    if constexpr (!R::kFormat.has_sign) {
      if (drops_sign_ && x < 0) return clause("E5", ToFloat<R>(clause, -x));
    }
    const bool negative = x < 0;
    const Rounded<R> r =
        R::Round(negative, static_cast<uint64_t>(negative ? -x : x), 0);
    if (from_boolean_) return encoded_(clause, clause("S1", r));
    // long double has every integer of 64 bits.
    return Inexact(clause, r, static_cast<long double>(x));
  }
  template <class R>
  Allowed<R> ToFloat(auto& clause, double x) const {
    if constexpr (!R::kFormat.has_sign) {
      if (drops_sign_ && x < 0 && std::isfinite(x))
        return clause("E5", ToFloat<R>(clause, -x));
    }
    Rounded<R> r = R::Round(x);
    // A format without -0 does not have this value, but +0.
    if (x == 0 && std::signbit(x) && !R::kFormat.has_negative_zero())
      r.exact = false;
    return Inexact(clause, r, x);
  }

  // `x` is the real value, and `r` the nearest value of the type.
  template <class R>
  Allowed<R> Inexact(auto& clause, const Rounded<R>& r, long double x) const {
    if (r.exact && r.unencodable == Unencodable::kNot)
      return clause("S3", Allowed<R>(r.value, r.tininess));
    if (any_inexact_) return clause("S5", Allowed<R>(kAny));
    if (!either_neighbour_ || !std::isfinite(x) ||
        r.unencodable == Unencodable::kE8m0Negative || x == 0)
      return encoded_(clause, clause("S5", r));
    return Neighbours(clause, r, std::fabs(x), std::signbit(x));
  }

  // Returns the neighbours of a number that the format does not have: on either
  // side a value of it, or the replacement of a number beyond its values.
  template <class R>
  Allowed<R> Neighbours(auto& clause, const Rounded<R>& r,
                        long double magnitude, bool negative) const {
    constexpr FloatFormat kFormat = R::kFormat;
    constexpr uint64_t kLeast = 0;
    const bool overflows = r.value.IsInfinite() || r.value.IsNan() ||
                           r.unencodable == Unencodable::kOverflow;
    uint64_t code = overflows ? kFormat.max_code() : r.value.magnitude();
    const auto value_of = [&](uint64_t magnitude_code) {
      if (magnitude_code == kLeast && kFormat.has_zero)
        return R::Zero(negative);
      return R::FromBits(static_cast<typename R::Bits>(
          magnitude_code | (negative ? kFormat.sign_bit() : 0)));
    };
    const auto is_above = [&](uint64_t magnitude_code) {
      return std::fabs(static_cast<long double>(
                 value_of(magnitude_code).ToDouble())) > magnitude;
    };
    const Allowed<R> nearest =
        clause("S5", Allowed<R>(value_of(code), r.tininess));
    if (is_above(code)) {
      if (code != kLeast) return EitherOf<R>(nearest, value_of(code - 1));
      return EitherOf<R>(nearest, encoded_(clause, R::OfZero(negative)));
    }
    if (code != kFormat.max_code())
      return EitherOf<R>(nearest, value_of(code + 1));
    return EitherOf<R>(nearest, encoded_(clause, R::OfInfinity(negative)));
  }

  bool from_boolean_;
  Overflow overflow_;
  Encoding encoded_;
  bool any_inexact_, either_neighbour_, any_integer_, drops_sign_;
};

// Each part may be any of its values, whatever the other one is.
template <class R, class E>
Allowed<R> OfParts(const Allowed<E>& real, const Allowed<E>& imag) {
  const auto other = [](const Allowed<E>& part) {
    return part.either() ? part.other : part.value;
  };
  Allowed<R> parts(R(real.value, imag.value));
  if (real.either() || imag.either()) parts.flags |= Expectation::kEither;
  parts.other = R(other(real), other(imag));
  if (real.any) parts.flags |= Expectation::kRealOpen;
  if (imag.any) parts.flags |= Expectation::kImagOpen;
  return parts;
}

// The source is read as `C`.
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
      return ForEachElement<R>(op, [&](auto& clause, int64_t i) -> Allowed<R> {
        const Allowed<E> real = conversion.To<E>(clause, source[i]);
        if (!from_complex)
          return clause("S9", OfParts<R, E>(real, E::Zero(false)));
        return clause(
            "S8", OfParts<R, E>(real, conversion.To<E>(clause, imaginary[i])));
      });
    } else {
      return ForEachElement<R>(op, [&](auto& clause, int64_t i) -> Allowed<R> {
        const Allowed<R> result = conversion.To<R>(clause, source[i]);
        return from_complex ? clause("S9", result) : result;
      });
    }
  });
}

// Policy inexact_conversion = nearest_even_or_by_f32 adds the results of two
// conversions as alternatives, with the rule for f8E8M0FNU.
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
  for (int64_t i = 0; i < other.size(); ++i) {
    const ElementBits bits = other.Bits(i);
    if (bits != result->lo.Bits(i))
      result->alternatives.push_back({i, bits, bits});
  }
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
