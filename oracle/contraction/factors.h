// Factors are rows of numbers, of which a row of the left operand of a
// contraction is multiplied with one of the right operand, term by term.
#ifndef ASSAY_ORACLE_CONTRACTION_FACTORS_H_
#define ASSAY_ORACLE_CONTRACTION_FACTORS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/contraction/node_format.h"
#include "oracle/contraction/product_sum.h"

namespace assay {

// What becomes of a factor before it is multiplied.
struct FactorRounding {
  // Returns the nearest value of a format, ties to even; an infinity beyond the
  // largest one.
  static double Nearest(double value, const NodeFormat& format);
  // Returns whether the text says what a value is rounded to: a number beyond
  // the format may be an infinity, the largest value or a NaN.
  static bool IsKnown(double value, const NodeFormat& format);

  std::optional<NodeFormat> format;  // none: it stays as it is
  // Factors are the nearest values of the format; else they may be rounded.
  bool is_nearest = false;
};

class Factors {
 public:
  // The significands of the numbers have so many bits, and their exponents are
  // those of the format or nearer to 0.
  Factors(int64_t rows, int64_t length, const NodeFormat& format,
          const FactorRounding& rounding);

  int64_t rows() const { return static_cast<int64_t>(facts_.size()); }
  int64_t length() const { return length_; }
  void Clear(int64_t row) { facts_[static_cast<size_t>(row)] = {}; }
  // Precondition: each number of a row is set once after it was cleared.
  void Set(int64_t row, int64_t i, double value);

  // Returns the products of two rows, as far as the rules ask for them.
  static ProductSum Multiply(const Factors& lhs, int64_t lhs_row,
                             const Factors& rhs, int64_t rhs_row,
                             const SumRules& rules);

 private:
  struct Facts {
    int last_bit = ProductSum::kNoBit;
    bool is_unknown = false;
    bool has_special = false, has_zero = false, has_subnormal = false;
    bool fit = true;  // rounding would leave all of them as they are
    // Some that may be rounded are below the format's least normal value, so
    // that what is lost is not small beside them.
    bool has_small = false;
  };
  // Zeros and what is no number have no last bit.
  static constexpr int kNone = 1 << 20;

  // Returns how far a number may be from what takes its place.
  long double ChangeOf(double value) const;
  // Adds what the products with such numbers may lose.
  static void AddSmall(const Factors& lhs, const double* a, const Factors& rhs,
                       const double* b, ProductSum* sum);

  // Adds what the products with subnormal factors are, which may be flushed.
  static void AddFlushed(const Factors& lhs, const double* a,
                         const Factors& rhs, const double* b, ProductSum* sum);

  const double* Row(int64_t row) const { return values_.data() + At(row); }
  size_t At(int64_t row) const { return static_cast<size_t>(row * length_); }

  const int64_t length_;
  const NodeFormat format_;
  const FactorRounding rounding_;
  std::vector<double> values_;
  std::vector<int> last_bits_;
  std::vector<Facts> facts_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_FACTORS_H_
