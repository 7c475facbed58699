// A row of lhs, and rows of rhs that are called columns, whose products are
// added: of integers, floats and complex numbers.
#ifndef ASSAY_ORACLE_CONTRACTION_ROW_PRODUCTS_H_
#define ASSAY_ORACLE_CONTRACTION_ROW_PRODUCTS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "oracle/contraction/contraction_rules.h"
#include "oracle/contraction/factors.h"
#include "oracle/contraction/literal_sum.h"

namespace assay {

// What a sum of products may be, in both readings of all of the result.
struct RowSum {
  SumRange sum;
  std::optional<ElementBits> other_reading = std::nullopt;
};

class RowProducts {
 public:
  // So many factors of columns take a few megabytes.
  static constexpr int64_t kFactorsAtATime = int64_t{1} << 20;

  RowProducts(const ContractionRules& rules, int64_t columns, int64_t length);

  void ClearRow();
  void ClearColumn(int64_t column);
  template <class T>
  void SetRow(int64_t i, T value) {
    Set(0, 0, i, value);
  }
  template <class T>
  void SetColumn(int64_t column, int64_t i, T value) {
    Set(1, column, i, value);
  }
  RowSum Sum(int64_t column);

 private:
  template <class T>
  void Set(size_t side, int64_t row, int64_t i, T value) {
    if constexpr (IsFloatType<T>) {
      if (literal_ != nullptr) {
        bits_[side][static_cast<size_t>(row * length_ + i)] = value.ToBits();
      } else {
        SetFloat(side, row, i, value.ToDouble());
      }
    } else if constexpr (IsComplexType<T>) {
      SetComplex(side, row, i, value.real().ToDouble(),
                 value.imag().ToDouble());
    } else {
      SetInteger(side, row, i, static_cast<int64_t>(value.value()));
    }
  }
  void SetFloat(size_t side, int64_t row, int64_t i, double value);
  void SetComplex(size_t side, int64_t row, int64_t i, double real,
                  double imag);
  // A value of ui64 has the bits of the integer.
  void SetInteger(size_t side, int64_t row, int64_t i, int64_t value);

  SumRange SumOfFloats(int64_t column) const;
  SumRange SumInWords(int64_t column);
  SumRange SumOfComplex(int64_t column) const;
  RowSum SumOfIntegers(int64_t column) const;

  const ContractionRules& rules_;
  const int64_t length_;
  const bool is_complex_, is_integral_;
  // By side; of complex numbers a row of lhs has the real part of a factor and
  // then the imaginary one, and each column has two rows, one for each part of
  // the sum.
  std::array<std::vector<Factors>, 2> factors_;
  std::array<std::vector<int64_t>, 2> integers_;
  std::unique_ptr<LiteralSum> literal_;
  std::array<std::vector<ElementBits>, 2> bits_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_ROW_PRODUCTS_H_
