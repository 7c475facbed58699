// The silent matcher is one memcmp where a result is exact. Everything a person
// reads is computed only for a failure.
#include "oracle/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracle/budget_text.h"
#include "spec/error.h"

namespace assay {
namespace {

// An i1 byte other than 0 and 1, which the ABI forbids whatever the op says.
bool IsNoBoolean(const Tensor& actual, int64_t i) {
  return IsBoolean(actual.element_type()) && actual.Bits(i) > 1;
}

// A number that is ordered as the values of a type are, NaNs aside.
__int128 OrderedKey(ElementType type, ElementBits bits) {
  if (!IsFloat(type)) return ValueOf(type, bits);
  const FloatFormat format = FormatOf(type);
  const auto magnitude = static_cast<__int128>(bits & format.magnitude_mask());
  return (bits & format.sign_bit()) != 0 ? -magnitude - 1 : magnitude;
}

bool IsNan(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           return T::FromBits(static_cast<typename T::Bits>(bits)).IsNan();
         });
}

bool IsZero(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           return T::FromBits(static_cast<typename T::Bits>(bits)).IsZero();
         });
}

// A zero, or in a format without one the least value.
bool IsLeast(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           const T value = T::FromBits(static_cast<typename T::Bits>(bits));
           return value.magnitude() == 0 && !value.IsNan();
         });
}

// Infinity, or in a format without one the largest value.
bool IsLargest(ElementType type, ElementBits bits) {
  return IsFloat(type) && VisitKinds<kFloats>(type, [&]<class T>() {
           const T value = T::FromBits(static_cast<typename T::Bits>(bits));
           return !value.SignBit() &&
                  (T::kFormat.has_infinity()
                       ? value.IsInfinite()
                       : value.magnitude() == T::kFormat.max_code());
         });
}

bool IsNegative(ElementType type, ElementBits bits) {
  return (bits & FormatOf(type).sign_bit()) != 0;
}

// One part of an element: its type and the bits on both sides.
struct Part {
  ElementType type;
  ElementBits actual, lo, hi;
};

Part PartAt(const Expectation& expectation, const Tensor& actual, int64_t i,
            int part) {
  const ElementType type = actual.element_type();
  return {PartType(type), PartOf(type, actual.Bits(i), part),
          PartOf(type, expectation.lo.Bits(i), part),
          PartOf(type, expectation.hi.Bits(i), part)};
}

// `or_nan`: NaN is accepted beside what lies between the ends.
bool AcceptsPart(const Part& p, bool keeps_nans, bool or_nan) {
  if (or_nan && IsNan(p.type, p.actual)) return true;
  if (p.actual == p.lo || p.actual == p.hi) return true;
  if (IsNan(p.type, p.lo)) return !keeps_nans && IsNan(p.type, p.actual);
  if (IsNan(p.type, p.actual)) return false;
  const __int128 value = OrderedKey(p.type, p.actual);
  return OrderedKey(p.type, p.lo) <= value && value <= OrderedKey(p.type, p.hi);
}

// The unit in the last place of a finite value, as Harrison has it.
template <class T>
long double UlpOf(T value) {
  constexpr FloatFormat kFormat = T::kFormat;
  int exponent = 0;
  const double fraction = std::frexp(value.ToDouble(), &exponent);
  // fraction * 2^exponent with a fraction in [1/2, 1): the binade is exponent -
  // 1, and below a power of two one less.
  int binade = exponent - (std::fabs(fraction) == 0.5 ? 2 : 1);
  if (value.IsZero() || binade < kFormat.min_exponent())
    binade = kFormat.min_exponent();
  return std::ldexp(1.0L, binade - kFormat.mantissa_bits);
}

double DistanceOfFloats(const Part& p) {
  return VisitKinds<kFloats>(p.type, [&]<class T>() -> double {
    const auto value_of = [](ElementBits bits) {
      return T::FromBits(static_cast<typename T::Bits>(bits));
    };
    const T actual = value_of(p.actual);
    const bool is_below =
        OrderedKey(p.type, p.actual) < OrderedKey(p.type, p.lo);
    const T allowed = value_of(is_below ? p.lo : p.hi);
    if (actual.IsNan() || allowed.IsNan())
      return actual.IsNan() && allowed.IsNan()
                 ? 0
                 : std::numeric_limits<double>::infinity();
    const auto real = [](T x) -> long double {
      if (!x.IsInfinite()) return x.ToDouble();
      const long double end = std::ldexp(1.0L, T::kFormat.max_exponent() + 1);
      return x.SignBit() ? -end : end;
    };
    const long double difference = std::fabs(real(actual) - real(allowed));
    const T finite = allowed.IsInfinite() ? T::Max(false) : allowed;
    return static_cast<double>(difference / UlpOf(finite));
  });
}

// How far the actual value is from the nearest allowed one.
double Distance(const Expectation& expectation, const Tensor& actual,
                int64_t i) {
  const ElementType type = actual.element_type();
  double distance = 0;
  for (int part = 0; part < PartCount(type); ++part) {
    const Part p = PartAt(expectation, actual, i, part);
    if (IsFloat(p.type)) {
      distance = std::max(distance, DistanceOfFloats(p));
      continue;
    }
    const __int128 value = ValueOf(p.type, p.actual);
    const __int128 lo = ValueOf(p.type, p.lo), hi = ValueOf(p.type, p.hi);
    distance = static_cast<double>(value < lo   ? lo - value
                                   : value > hi ? value - hi
                                                : 0);
  }
  return distance;
}

bool IsFiniteFloat(ElementType type, ElementBits bits) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    return !value.IsNan() && !value.IsInfinite();
  });
}

std::string HexFloat(ElementType type, ElementBits bits) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    return fmt::format("{:a}", value.ToDouble());
  });
}

// Decimal, for floats hex as well, and bits.
std::string ElementText(ElementType type, ElementBits bits) {
  const bool has_hex = IsFloat(type) && IsFiniteFloat(type, bits);
  return fmt::format("{}{} ({})", FormatValue(type, bits),
                     has_hex ? " = " + HexFloat(type, bits) : "",
                     FormatBits(type, bits));
}

std::string IndexText(const Shape& shape, int64_t position) {
  return fmt::format("[{}]", fmt::join(Unflatten(shape, position), ", "));
}

}  // namespace

bool IsSameResult(const Expectation& expectation, int64_t index, ElementBits a,
                  ElementBits b) {
  if (a == b) return true;
  if (expectation.KeepsNan(index)) return false;
  const ElementType type = expectation.lo.element_type();
  for (int part = 0; part < (IsComplex(type) ? 2 : 1); ++part) {
    const ElementBits x = PartOf(type, a, part), y = PartOf(type, b, part);
    const ElementType part_type = PartType(type);
    if (x != y && !(IsNan(part_type, x) && IsNan(part_type, y))) return false;
  }
  return true;
}

namespace {

constexpr uint8_t kBesideRange =
    Expectation::kEitherZero | Expectation::kOrInfinity;

// Whether a value is one that is right beside the range.
bool IsBesideRange(const Expectation& expectation, ElementType type,
                   ElementBits bits, int64_t i) {
  if (IsLeast(type, bits))
    return expectation.Has(IsNegative(type, bits) ? Expectation::kOrMinusZero
                                                  : Expectation::kOrPlusZero,
                           i);
  return IsLargest(type, bits) && expectation.Has(Expectation::kOrInfinity, i);
}

}  // namespace

bool Accepts(const Expectation& expectation, const Tensor& actual, int64_t i) {
  if (IsNoBoolean(actual, i)) return false;
  if (expectation.IsOpen(i)) return true;
  for (const Tensor& other : expectation.alternatives) {
    if (IsSameResult(expectation, i, actual.Bits(i), other.Bits(i)))
      return true;
  }
  if (expectation.Has(kBesideRange, i) &&
      IsBesideRange(expectation, actual.element_type(), actual.Bits(i), i))
    return true;
  for (const Expectation::Alternative& other : expectation.OthersOf(i)) {
    if (AcceptsPart({actual.element_type(), actual.Bits(i), other.lo, other.hi},
                    expectation.KeepsNan(i), false))
      return true;
  }
  for (int part = 0; part < PartCount(actual.element_type()); ++part) {
    if (!AcceptsPart(PartAt(expectation, actual, i, part),
                     expectation.KeepsNan(i),
                     expectation.Has(Expectation::kOrNan, i)))
      return false;
  }
  return true;
}

namespace {

// Whether the element is a number that the real value rounds to. Zeros,
// infinities and NaNs are what they are by the text.
bool HasBudget(const Expectation& expectation, int64_t i) {
  if (!expectation.reals && !expectation.follows_budget) return false;
  const ElementType type = expectation.lo.element_type();
  const int parts = PartCount(type);
  bool is_number = false;
  for (int part = 0; part < parts; ++part) {
    const ElementType p = PartType(type);
    if (!expectation.reals) {
      const ElementBits lo = PartOf(type, expectation.lo.Bits(i), part);
      is_number |= lo != PartOf(type, expectation.hi.Bits(i), part);
      is_number |= IsFloat(p) && IsFiniteFloat(p, lo) && !IsZero(p, lo);
      continue;
    }
    const ElementBits near =
        PartOf(type, expectation.reals->near.Bits(i), part);
    const float rest =
        expectation.reals->rest[static_cast<size_t>(i * parts + part)];
    is_number |= IsFiniteFloat(p, near) && (!IsZero(p, near) || rest != 0);
    const ElementBits lo = PartOf(type, expectation.lo.Bits(i), part);
    const ElementBits hi = PartOf(type, expectation.hi.Bits(i), part);
    is_number |= lo != hi && !(IsZero(p, lo) && IsZero(p, hi));
  }
  return is_number;
}

// The first position from `i` on whose element is not the lower end, which is
// accepted, or else Accepts decides; of f32 and f64, that does not simply lie
// between its ends, as most do. Precondition: where one end is NaN, so is the
// other.
int64_t NextToDecide(const Expectation& expectation, const Tensor& actual,
                     int64_t i) {
  const ElementType type = actual.element_type();
  // An open expectation may hold what is no boolean itself.
  if (IsBoolean(type)) return i;
  if (type != ElementType::kF32 && type != ElementType::kF64) {
    return WithWord(type, [&]<class Word>(Word) {
      const std::byte *lo = expectation.lo.data(), *at = actual.data();
      while (i < actual.size() &&
             std::memcmp(lo + i * int64_t{sizeof(Word)},
                         at + i * int64_t{sizeof(Word)}, sizeof(Word)) == 0)
        ++i;
      return i;
    });
  }
  return VisitKinds<kFloats>(type, [&]<class T>() {
    using Key = std::make_signed_t<typename T::Bits>;
    const auto key = [](typename T::Bits bits) {
      const Key value = static_cast<Key>(bits);
      return value < 0
                 ? static_cast<Key>(~(value & T::kFormat.magnitude_mask()))
                 : value;
    };
    const auto *lo = expectation.lo.As<T>(), *hi = expectation.hi.As<T>(),
               *at = actual.As<T>();
    const Key infinity = static_cast<Key>(T::kFormat.magnitude_mask() &
                                          ~T::kFormat.mantissa_mask());
    const auto is_nan = [&](Key value) {  // NaNs lie beyond the infinities
      return value > infinity || value < ~infinity;
    };
    // Of every value of f32, log has NaN at half.
    const bool any_nan = !expectation.keeps_nans;
    const int64_t n = actual.size();
    for (; i < n; ++i) {
      const Key value = key(at[i]), low = key(lo[i]);
      if (is_nan(value) ? !any_nan || !is_nan(low)
                        : value < low || value > key(hi[i]))
        break;
    }
    return i;
  });
}

}  // namespace

Judgement Judge(const Expectation& expectation, const Tensor& actual) {
  ASSAY_CHECK(expectation.lo.type() == actual.type());
  Judgement judgement;
  judgement.elements = actual.size();
  judgement.open = std::ranges::count_if(expectation.flags, [](uint8_t f) {
    return (f & Expectation::kOpen) != 0;
  });
  const bool exact = expectation.lo.data() == expectation.hi.data() &&
                     expectation.flags.empty();
  const size_t bytes = static_cast<size_t>(actual.byte_size());
  if (exact && std::memcmp(expectation.lo.data(), actual.data(), bytes) == 0)
    return judgement;
  for (int64_t i = NextToDecide(expectation, actual, 0); i < judgement.elements;
       i = NextToDecide(expectation, actual, i + 1)) {
    if (Accepts(expectation, actual, i)) continue;
    ++judgement.failed;
    if (expectation.IsOpen(i)) --judgement.open;
    if (judgement.first_failed < 0) judgement.first_failed = i;
    const double distance = Distance(expectation, actual, i);
    if (judgement.worst_failed < 0 || distance > judgement.worst_error) {
      judgement.worst_error = distance;
      judgement.worst_failed = i;
    }
  }
  return judgement;
}

Basis BasisOf(const Op& op, const std::vector<Tensor>& inputs,
              const Policy& policy, const Expectation& expectation,
              int64_t index, const Tensor* actual, size_t output) {
  Basis basis;
  if (actual != nullptr && IsNoBoolean(*actual, index)) {
    basis.text = "contract";
    return basis;
  }
  basis.text = "text";
  basis.clauses = ClausesOf(op, inputs, policy, index, output);
  for (const DecidingClause& decides : basis.clauses) {
    if (!decides.clause->policy.empty())
      basis.text = "policy:" + decides.clause->policy;
  }
  if (basis.text == "text" && HasBudget(expectation, index))
    basis.text = "budget";
  return basis;
}

std::string AllowedText(const Expectation& expectation, int64_t index) {
  if (expectation.IsOpen(index)) return "any value";
  const ElementType type = expectation.lo.element_type();
  const bool is_zero = IsZero(type, expectation.lo.Bits(index)) &&
                       IsZero(type, expectation.hi.Bits(index));
  if (is_zero && expectation.Has(Expectation::kEitherZero, index))
    return "+0 or -0";
  std::vector<std::string> parts;
  for (int part = 0; part < PartCount(type); ++part) {
    const ElementType p = PartType(type);
    const ElementBits lo = PartOf(type, expectation.lo.Bits(index), part);
    const ElementBits hi = PartOf(type, expectation.hi.Bits(index), part);
    if (IsNan(p, lo) && !expectation.KeepsNan(index)) {
      parts.push_back("any NaN");
    } else if (lo == hi) {
      parts.push_back(ElementText(p, lo));
    } else {
      parts.push_back(
          fmt::format("{} to {}", ElementText(p, lo), ElementText(p, hi)));
    }
  }
  const auto add = [&](uint8_t flag, const char* text) {
    if (expectation.Has(flag, index)) parts.back() += text;
  };
  add(Expectation::kOrPlusZero, " or +0");
  add(Expectation::kOrMinusZero, " or -0");
  add(Expectation::kOrInfinity, " or infinity");
  add(Expectation::kOrNan, " or NaN");
  std::string text = parts.size() == 1
                         ? parts[0]
                         : fmt::format("[{}]", fmt::join(parts, ", "));
  for (const Expectation::Alternative& other : expectation.OthersOf(index)) {
    text += " or " + ElementText(type, other.lo);
    if (other.lo != other.hi) text += " to " + ElementText(type, other.hi);
  }
  for (const Tensor& other : expectation.alternatives) {
    if (other.Bits(index) != expectation.lo.Bits(index))
      text += " or " + ActualText(other, index);
  }
  return text;
}

std::string OperandElementName(const Op& op, size_t operand, int64_t index) {
  const Op::Operand& input = op.inputs[operand];
  if (FindOp(op.op)->elementwise) return input.name;
  return input.name +
         IndexText(input.type.shape, OperandElement(op, operand, index));
}

std::string DescribeElement(const Op& op, const std::vector<Tensor>& inputs,
                            const Tensor& actual, int64_t i,
                            const std::optional<Window>& window) {
  std::vector<std::string> operands;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const int64_t at = OperandElement(op, k, i);
    operands.push_back(
        fmt::format("{} = {}", OperandElementName(op, k, i),
                    ElementText(inputs[k].element_type(), inputs[k].Bits(at))));
  }
  for (const Attribute& attribute : op.attributes)
    operands.push_back(
        fmt::format("{} = {}", attribute.name, AttributeText(attribute)));
  return fmt::format("{}: {}",
                     window ? IndexText(window->shape, window->begin + i)
                            : IndexText(actual.type().shape, i),
                     fmt::join(operands, ", "));
}

std::string ActualText(const Tensor& actual, int64_t i) {
  return ElementText(actual.element_type(), actual.Bits(i));
}

std::string Explain(const Op& op, const std::vector<Tensor>& inputs,
                    const Policy& policy, const Expectation& expectation,
                    const Tensor& actual, const Judgement& judgement,
                    const std::optional<Window>& window, size_t output) {
  std::string text =
      fmt::format("{} of {} elements of {} differ", judgement.failed,
                  judgement.elements, actual.type().ToString());
  const auto element = [&](const char* which, int64_t i) {
    text += fmt::format("\n  {} at {}\n    expected {}\n    actual   {}", which,
                        DescribeElement(op, inputs, actual, i, window),
                        AllowedText(expectation, i), ActualText(actual, i));
  };
  element("first", judgement.first_failed);
  if (judgement.worst_failed != judgement.first_failed)
    element("worst", judgement.worst_failed);
  const Basis basis = BasisOf(op, inputs, policy, expectation,
                              judgement.first_failed, &actual, output);
  for (const DecidingClause& decides : basis.clauses) {
    const ClauseSpec& clause = *decides.clause;
    text += fmt::format("\n  {}: {}{}", decides.Id(), clause.text,
                        clause.when.empty() ? "" : " (" + clause.when + ")");
  }
  if (basis.text == "contract")
    text += "\n  backend.h, rule 5: an i1 element is one byte, 0 or 1";
  text += fmt::format("\n  basis {}", basis.text);
  if (basis.text == "budget")
    text +=
        " " + BudgetText(op, inputs, policy, judgement.first_failed, output);
  if (basis.text.starts_with("policy:")) {
    const std::string key = basis.text.substr(7);
    text += fmt::format(" = {} (policy {})", policy.Get(key), policy.name());
  }
  return text;
}

}  // namespace assay
