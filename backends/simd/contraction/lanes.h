// Elements of operands become the numbers that are multiplied, and sums become
// elements of the result.
#ifndef ASSAY_BACKENDS_SIMD_CONTRACTION_LANES_H_
#define ASSAY_BACKENDS_SIMD_CONTRACTION_LANES_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/calls/contraction.h"
#include "backends/simd/contraction/products.h"
#include "backends/simd/core/calls.h"
#include "backends/simd/core/names.h"

namespace assay::simd {

// A complex element is two parts.
struct Computation {
  Lanes lanes;
  int parts;
};
Computation ComputationOf(const calls::Contraction& contraction,
                          const Options& options);

// Converts elements of an operand to numbers: parts of complex elements follow
// each other; a pair's are int16_t, and a quad's are bytes.
class ToNumbers {
 public:
  ToNumbers(const Type& type, const Computation& computation,
            const calls::RoundingTo& rounding, const Options& options);
  // Whether elements are such numbers already.
  bool IsIdentity() const { return convert_ == nullptr && round_ == nullptr; }
  size_t number_bytes() const { return number_bytes_; }
  void Run(const void* elements, void* numbers, size_t count);

 private:
  using Convert = void (*)(const void* from, void* to, size_t count);
  using Round = void (*)(const calls::RoundingTo& to, const ToNumbers& numbers,
                         void* of, size_t count);
  template <class T>
  static void RoundAll(const calls::RoundingTo& to, const ToNumbers& numbers,
                       void* of, size_t count);

  const Type type_;
  const hwy::ChosenTarget& target_;
  const calls::RoundingTo rounding_;
  const size_t parts_;
  size_t number_bytes_;
  bool decodes_ = false;  // to f32, by the loop of the format
  Convert convert_ = nullptr;
  Round round_ = nullptr;
  std::vector<float> decoded_;
};

// Converts sums to elements of the result, rounded once.
class FromSums {
 public:
  FromSums(const Type& type, const Computation& computation,
           const Options& options);
  // The numbers of complex elements are parts that follow each other.
  void Run(const void* sums, void* elements, size_t count) const;
  // Whether sums are such elements already.
  bool IsIdentity() const;

 private:
  const Type type_;
  const Computation computation_;
  const hwy::ChosenTarget& target_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CONTRACTION_LANES_H_
