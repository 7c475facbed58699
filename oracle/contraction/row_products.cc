#include "oracle/contraction/row_products.h"

#include <algorithm>
#include <limits>

#include "spec/types/element.h"

namespace assay {
namespace {

// The format of the factors as Factors sees them; integers have up to 32 bits.
NodeFormat FormatOfFactors(ElementType type) {
  if (IsInteger(type) || IsBoolean(type))
    return {Info(type).bits + 1, 0, 0x1p64L, 64};
  return NodeFormat::Of(FormatOf(PartType(type)));
}

// Returns a word as an integer of a type, extended to 64 bits.
uint64_t Wrapped(ElementType type, uint64_t word) {
  return VisitKinds<kIntegers>(type, [&]<class T>() {
    return static_cast<uint64_t>(
        T::FromBits(static_cast<typename T::Bits>(word)).value());
  });
}

ElementBits BitsOfWrapped(ElementType type, uint64_t word) {
  return VisitKinds<kIntegers>(type, [&]<class T>() -> ElementBits {
    return T::FromBits(static_cast<typename T::Bits>(word)).ToBits();
  });
}

SumRange OneValue(ElementBits bits) { return {true, {bits, bits}, {}}; }

}  // namespace

RowProducts::RowProducts(const ContractionRules& rules, int64_t columns,
                         int64_t length)
    : rules_(rules),
      length_(length),
      is_complex_(IsComplex(rules.operand)),
      is_integral_(!rules.has_integer_factors &&
                   (IsInteger(rules.operand) || IsBoolean(rules.operand))) {
  if (rules.is_open) return;
  if (is_integral_) {
    integers_[0].resize(static_cast<size_t>(length));
    integers_[1].resize(static_cast<size_t>(length * columns));
    return;
  }
  if (rules.is_literal) {
    literal_ = std::make_unique<LiteralSum>(rules.op, rules.operand);
    bits_[0].resize(static_cast<size_t>(length));
    bits_[1].resize(static_cast<size_t>(length * columns));
    return;
  }
  const int64_t parts = is_complex_ ? 2 : 1;
  const NodeFormat format = FormatOfFactors(rules.operand);
  factors_[0].emplace_back(1, length * parts, format, rules.factors[0]);
  factors_[1].emplace_back(columns * parts, length * parts, format,
                           rules.factors[1]);
}

void RowProducts::ClearRow() {
  if (!factors_[0].empty()) factors_[0][0].Clear(0);
}

void RowProducts::ClearColumn(int64_t column) {
  if (factors_[1].empty()) return;
  const int64_t parts = is_complex_ ? 2 : 1;
  for (int64_t part = 0; part < parts; ++part)
    factors_[1][0].Clear(column * parts + part);
}

void RowProducts::SetFloat(size_t side, int64_t row, int64_t i, double value) {
  if (!factors_[side].empty()) factors_[side][0].Set(row, i, value);
}

// (a + bi) (c + di) = (a c - b d) + (a d + b c) i
void RowProducts::SetComplex(size_t side, int64_t row, int64_t i, double real,
                             double imag) {
  if (factors_[side].empty()) return;
  Factors& factors = factors_[side][0];
  if (side == 0) {
    factors.Set(0, 2 * i, real);
    factors.Set(0, 2 * i + 1, imag);
    return;
  }
  factors.Set(2 * row, 2 * i, real);
  factors.Set(2 * row, 2 * i + 1, -imag);
  factors.Set(2 * row + 1, 2 * i, imag);
  factors.Set(2 * row + 1, 2 * i + 1, real);
}

void RowProducts::SetInteger(size_t side, int64_t row, int64_t i,
                             int64_t value) {
  if (is_integral_) {
    if (!integers_[side].empty())
      integers_[side][static_cast<size_t>(row * length_ + i)] = value;
  } else {
    const bool is_unsigned = IsUnsignedInteger(rules_.operand);
    const __int128 exact =
        is_unsigned ? __int128{static_cast<uint64_t>(value)} : __int128{value};
    const auto number = static_cast<double>(exact);
    // A NaN stands for an integer that no double is.
    SetFloat(side, row, i,
             static_cast<__int128>(number) == exact
                 ? number
                 : std::numeric_limits<double>::quiet_NaN());
  }
}

RowSum RowProducts::Sum(int64_t column) {
  if (rules_.is_open) return {SumRange::Open()};
  if (literal_ != nullptr) return {SumInWords(column)};
  if (is_integral_) return SumOfIntegers(column);
  return {is_complex_ ? SumOfComplex(column) : SumOfFloats(column)};
}

SumRange RowProducts::SumInWords(int64_t column) {
  const auto begin = bits_[1].begin() + column * length_;
  Possible possible = literal_->Of(bits_[0], {begin, begin + length_});
  if (possible.kind == Possible::Kind::kRanges && possible.ranges.size() == 1)
    return {true, possible.ranges[0], {}};
  return {false, {}, std::move(possible)};
}

SumRange RowProducts::SumOfFloats(int64_t column) const {
  const ProductSum sum =
      Factors::Multiply(factors_[0][0], 0, factors_[1][0], column, rules_.sums);
  if (sum.is_unknown) return SumRange::Open();
  if (rules_.has_integer_factors) {
    // Floats that stand for integers say nothing unless they are exact.
    const bool is_exact = !sum.has_nan && sum.factors_fit && sum.error == 0 &&
                          sum.FitsInto(rules_.sums.node) &&
                          sum.magnitude < rules_.sums.node.max &&
                          sum.magnitude < 0x1p63L;
    if (!is_exact && (sum.count > 0 || sum.has_nan)) return SumRange::Open();
    return OneValue(BitsOfWrapped(
        rules_.result, static_cast<uint64_t>(static_cast<int64_t>(sum.sum))));
  }
  return RangeOfSum(rules_.result, sum, rules_.sums);
}

SumRange RowProducts::SumOfComplex(int64_t column) const {
  const ElementType part = PartType(rules_.result);
  SumRange parts[2];
  for (const int64_t k : {0, 1}) {
    const ProductSum sum = Factors::Multiply(factors_[0][0], 0, factors_[1][0],
                                             2 * column + k, rules_.sums);
    // What complex numbers with infinities and NaNs give is open, and so is
    // how a product is formed that has a part beyond the type.
    const bool is_special = sum.is_unknown || sum.has_nan || sum.has_infinity ||
                            sum.has_minus_infinity;
    if (is_special || rules_.sums.MayOverflow(sum)) return SumRange::Open();
    parts[k] = RangeOfSum(part, sum, rules_.sums);
    // Two zeros are the ends of a range.
    const Possible& possible = parts[k].possible;
    if (parts[k].is_range) continue;
    if (possible.kind != Possible::Kind::kRanges) return SumRange::Open();
    parts[k].range = {possible.ranges.front().lo, possible.ranges.back().hi};
  }
  const int bits = Info(part).bits;
  return {true,
          {parts[0].range.lo | parts[1].range.lo << bits,
           parts[0].range.hi | parts[1].range.hi << bits}};
}

RowSum RowProducts::SumOfIntegers(int64_t column) const {
  const int64_t* const a = integers_[0].data();
  const int64_t* const b =
      integers_[1].data() + static_cast<size_t>(column * length_);
  if (IsBoolean(rules_.result)) {
    bool any = false;
    for (int64_t i = 0; i < length_; ++i) any |= a[i] != 0 && b[i] != 0;
    return {OneValue(any ? 1 : 0)};
  }
  const auto product = [&](int64_t i) {
    return static_cast<uint64_t>(a[i]) * static_cast<uint64_t>(b[i]);
  };
  uint64_t sum = 0, of_wrapped = 0;
  for (int64_t i = 0; i < length_; ++i) sum += product(i);
  const bool is_mixed =
      IsInteger(rules_.operand) && rules_.operand != rules_.result;
  for (int64_t i = 0; i < length_ && is_mixed; ++i)
    of_wrapped += Wrapped(rules_.operand, product(i));
  if (!rules_.wraps) {
    // No order has a node beyond the type if even the magnitudes have none.
    __int128 above = 0, below = 0;
    bool products_fit = true;
    for (int64_t i = 0; i < length_; ++i) {
      const auto value = [&](int64_t word) -> __int128 {
        return IsUnsignedInteger(rules_.operand)
                   ? static_cast<__int128>(static_cast<uint64_t>(word))
                   : word;
      };
      const __int128 exact = value(a[i]) * value(b[i]);
      products_fit &= !is_mixed || (exact >= MinValue(rules_.operand) &&
                                    exact <= MaxValue(rules_.operand));
      // A sum that is that large stays so.
      constexpr __int128 kLarge = __int128{1} << 100;
      above = std::min(above + std::max<__int128>(exact, 0), kLarge);
      below = std::max(below + std::min<__int128>(exact, 0), -kLarge);
    }
    products_fit |= rules_.product_type == ProductType::kResult;
    if (!products_fit || above > MaxValue(rules_.result) ||
        below < MinValue(rules_.result))
      return {SumRange::Open()};
  }
  const ElementBits of_result = BitsOfWrapped(rules_.result, sum);
  if (!is_mixed || rules_.product_type == ProductType::kResult)
    return {OneValue(of_result)};
  const ElementBits of_operand = BitsOfWrapped(rules_.result, of_wrapped);
  if (rules_.product_type == ProductType::kOperand)
    return {OneValue(of_operand)};
  return {OneValue(of_result), of_operand};
}

}  // namespace assay
