#include "oracle/contraction/factors.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay {
namespace {

// Products of numbers of so many bits are exact in a double.
constexpr int kExactBits = 26;
// So many sums run side by side.
constexpr int64_t kLanes = 8;

// Returns the exponent of the last bit of a number other than 0.
int LastBitOf(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto field = static_cast<int>(bits >> 52 & 0x7FF);
  const uint64_t significand =
      (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{field != 0} << 52;
  return std::max(field, 1) - 1075 + std::countr_zero(significand);
}

// Adds products of numbers that are exact in a double.
void AddInDoubles(const double* a, const double* b, int64_t length,
                  ProductSum* sum) {
  double sums[kLanes] = {}, magnitudes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= length; i += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) {
      const double product = a[i + k] * b[i + k];
      sums[k] += product;
      magnitudes[k] += std::fabs(product);
    }
  }
  for (; i < length; ++i) {
    const double product = a[i] * b[i];
    sums[i % kLanes] += product;
    magnitudes[i % kLanes] += std::fabs(product);
  }
  for (int64_t k = 0; k < kLanes; ++k) {
    sum->sum += static_cast<long double>(sums[k]);
    sum->magnitude += static_cast<long double>(magnitudes[k]);
  }
  if (sum->count > 1) {
    // Each sum has less than 2^-52 of the magnitude as its error, by term.
    sum->error = static_cast<long double>(length) * 0x1p-52L * sum->magnitude;
  }
}

// Adds products that a long double has to 64 bits, leaving out what is no
// number.
void AddInLongDoubles(const double* a, const double* b, int64_t length,
                      ProductSum* sum) {
  for (int64_t i = 0; i < length; ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    const long double product = static_cast<long double>(a[i]) * b[i];
    sum->sum += product;
    sum->magnitude += std::fabs(product);
  }
  sum->error = static_cast<long double>(length + 1) * 0x1p-62L * sum->magnitude;
}

// Adds what is no number or zero.
void AddSpecials(const double* a, const double* b, int64_t length,
                 ProductSum* sum) {
  sum->count = 0;
  for (int64_t i = 0; i < length; ++i) {
    const bool is_negative = std::signbit(a[i]) != std::signbit(b[i]);
    const bool has_zero = a[i] == 0 || b[i] == 0;
    const bool has_infinity = std::isinf(a[i]) || std::isinf(b[i]);
    if (std::isnan(a[i]) || std::isnan(b[i]) || (has_zero && has_infinity)) {
      sum->has_nan = true;
    } else if (has_infinity) {
      (is_negative ? sum->has_minus_infinity : sum->has_infinity) = true;
    } else if (has_zero) {
      (is_negative ? sum->has_minus_zero : sum->has_plus_zero) = true;
    } else {
      ++sum->count;
    }
  }
}

}  // namespace

double FactorRounding::Nearest(double value, const NodeFormat& format) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), format.min_exponent);
  const int place = exponent - format.precision + 1;
  // The default rounding mode is to nearest, ties to even.
  const double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, -place)), place);
  return std::fabs(static_cast<long double>(rounded)) > format.max
             ? std::copysign(std::numeric_limits<double>::infinity(), value)
             : rounded;
}

bool FactorRounding::IsKnown(double value, const NodeFormat& format) {
  if (std::isnan(value)) return true;
  if (std::isinf(value)) return format.has_infinity;
  return std::fabs(static_cast<long double>(value)) <= format.max;
}

Factors::Factors(int64_t rows, int64_t length, const NodeFormat& format,
                 const FactorRounding& rounding)
    : length_(length),
      format_(format),
      rounding_(rounding),
      values_(static_cast<size_t>(rows * length)),
      last_bits_(values_.size()),
      facts_(static_cast<size_t>(rows)) {}

void Factors::Set(int64_t row, int64_t i, double value) {
  Facts& facts = facts_[static_cast<size_t>(row)];
  if (rounding_.format) {
    const double nearest = FactorRounding::Nearest(value, *rounding_.format);
    facts.is_unknown |= !FactorRounding::IsKnown(value, *rounding_.format);
    if (rounding_.is_nearest) {
      value = nearest;
    } else if (nearest != value && !std::isnan(value)) {
      facts.fit = false;
      facts.has_small |= std::fabs(static_cast<long double>(value)) <
                         rounding_.format->min_normal();
    }
  }
  int last_bit = kNone;
  if (!std::isfinite(value)) {
    facts.has_special = true;
  } else if (value == 0) {
    facts.has_zero = true;
  } else {
    last_bit = LastBitOf(value);
    facts.last_bit = std::min(facts.last_bit, last_bit);
    facts.has_subnormal |=
        std::fabs(static_cast<long double>(value)) < format_.min_normal();
  }
  values_[At(row) + static_cast<size_t>(i)] = value;
  last_bits_[At(row) + static_cast<size_t>(i)] = last_bit;
}

long double Factors::ChangeOf(double value) const {
  if (!rounding_.format || rounding_.is_nearest ||
      FactorRounding::Nearest(value, *rounding_.format) == value)
    return 0;
  const NodeFormat& format = *rounding_.format;
  return std::max(
      2 * format.unit() * std::fabs(static_cast<long double>(value)),
      format.least_subnormal());
}

void Factors::AddSmall(const Factors& lhs, const double* a, const Factors& rhs,
                       const double* b, ProductSum* sum) {
  const auto is_small = [](const Factors& factors, double value) {
    return factors.rounding_.format &&
           std::fabs(static_cast<long double>(value)) <
               factors.rounding_.format->min_normal();
  };
  for (int64_t i = 0; i < lhs.length_; ++i) {
    if (!is_small(lhs, a[i]) && !is_small(rhs, b[i])) continue;
    const long double x = std::fabs(static_cast<long double>(a[i])),
                      y = std::fabs(static_cast<long double>(b[i])),
                      dx = lhs.ChangeOf(a[i]), dy = rhs.ChangeOf(b[i]);
    sum->of_small += (x * dy + y * dx + dx * dy) * (1 + 0x1p-50L);
  }
}

void Factors::AddFlushed(const Factors& lhs, const double* a,
                         const Factors& rhs, const double* b, ProductSum* sum) {
  const auto is_subnormal = [](double value, const NodeFormat& format) {
    return value != 0 &&
           std::fabs(static_cast<long double>(value)) < format.min_normal();
  };
  for (int64_t i = 0; i < lhs.length_; ++i) {
    if (!is_subnormal(a[i], lhs.format_) && !is_subnormal(b[i], rhs.format_))
      continue;
    sum->may_be_nan |= std::isinf(a[i]) || std::isinf(b[i]);
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    sum->of_subnormals +=
        std::fabs(static_cast<long double>(a[i]) * b[i]) * (1 + 0x1p-50L);
  }
}

ProductSum Factors::Multiply(const Factors& lhs, int64_t lhs_row,
                             const Factors& rhs, int64_t rhs_row,
                             const SumRules& rules) {
  const Facts& of_lhs = lhs.facts_[static_cast<size_t>(lhs_row)];
  const Facts& of_rhs = rhs.facts_[static_cast<size_t>(rhs_row)];
  const double* const a = lhs.Row(lhs_row);
  const double* const b = rhs.Row(rhs_row);
  const int64_t length = lhs.length_;
  ProductSum sum;
  sum.count = length;
  sum.factors_fit = of_lhs.fit && of_rhs.fit;
  const bool has_special = of_lhs.has_special || of_rhs.has_special;
  // Such a number may become the zero that an infinity is multiplied with.
  sum.is_unknown = of_lhs.is_unknown || of_rhs.is_unknown ||
                   (has_special && (of_lhs.has_small || of_rhs.has_small));
  if (has_special || of_lhs.has_zero || of_rhs.has_zero)
    AddSpecials(a, b, length, &sum);
  if (rules.flushes && (of_lhs.has_subnormal || of_rhs.has_subnormal))
    AddFlushed(lhs, a, rhs, b, &sum);
  if (sum.count == 0) return sum;
  const bool is_exact = lhs.format_.precision <= kExactBits &&
                        rhs.format_.precision <= kExactBits &&
                        lhs.format_.min_exponent >= -500 && !has_special;
  if (is_exact) {
    AddInDoubles(a, b, length, &sum);
  } else {
    AddInLongDoubles(a, b, length, &sum);
  }
  // The last bits of the rows say less than those of the products.
  sum.last_bit = of_lhs.last_bit + of_rhs.last_bit;
  if (!sum.FitsInto(rules.node)) {
    const int* const bits_of_a = lhs.last_bits_.data() + lhs.At(lhs_row);
    const int* const bits_of_b = rhs.last_bits_.data() + rhs.At(rhs_row);
    int last_bit = kNone;
    for (int64_t i = 0; i < length; ++i)
      last_bit = std::min(last_bit, bits_of_a[i] + bits_of_b[i]);
    sum.last_bit = last_bit;
  }
  // A sum of so few bits was computed without an error.
  if (sum.FitsInto(rules.node)) sum.error = 0;
  sum.magnitude += sum.error;
  if (of_lhs.has_small || of_rhs.has_small) AddSmall(lhs, a, rhs, b, &sum);
  return sum;
}

}  // namespace assay
