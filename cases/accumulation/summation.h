// A Summation adds n terms in an order of its own.
#ifndef ASSAY_CASES_ACCUMULATION_SUMMATION_H_
#define ASSAY_CASES_ACCUMULATION_SUMMATION_H_

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "spec/types/element_type.h"

namespace assay {

// These are the terms of one sum. All numbers are values of the element type.
struct SumTerms {
  double rest = 0;  // each term that has no number of its own
  std::vector<std::pair<int32_t, double>> numbers = {};
  // Terms are products where the op multiplies; other factors are 1.
  std::vector<std::pair<int32_t, double>> factors = {};
  double init = 0;  // where the op has an initial value
};

// A call brought no result.
class NoSum : public std::runtime_error {
 public:
  enum class Why : uint8_t { kDeclined, kFailed };
  NoSum(Why why, const std::string& message)
      : std::runtime_error(message), why_(why) {}
  Why why() const { return why_; }

 private:
  Why why_;
};

class Summation {
 public:
  Summation(ElementType type, int32_t n, bool has_factors, bool has_init)
      : type_(type), n_(n), has_factors_(has_factors), has_init_(has_init) {}
  virtual ~Summation() = default;
  Summation(const Summation&) = delete;
  Summation& operator=(const Summation&) = delete;

  // Returns the sums, in their order. Throws NoSum.
  virtual std::vector<double> Sums(std::span<const SumTerms> calls) = 0;
  double Sum(const SumTerms& terms) { return Sums({&terms, 1})[0]; }

  ElementType type() const { return type_; }
  int32_t n() const { return n_; }
  bool has_factors() const { return has_factors_; }
  bool has_init() const { return has_init_; }

 private:
  ElementType type_;
  int32_t n_;
  bool has_factors_, has_init_;
};

}  // namespace assay

#endif  // ASSAY_CASES_ACCUMULATION_SUMMATION_H_
