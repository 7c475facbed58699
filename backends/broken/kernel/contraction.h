// dot_general, convolution and dynamic_conv: one sum of products after the
// other, each from the elements that meet.
//
// Operands are copied to memory of their own and the result from there, as
// those of gather are, so that it may lie where an operand does.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_CONTRACTION_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_CONTRACTION_H_

#include <stdint.h>

#include <vector>

#include "backends/broken/kernel/kernel.h"
#include "backends/calls/contraction.h"

namespace assay::broken {

// Where the element of lhs and that of rhs lie that a term multiplies, as
// distances from the first elements. Padding is a zero of lhs.
struct Meeting {
  static constexpr int64_t kPadding = INT64_MIN;
  int64_t lhs, rhs;
};

// A result, by the index in each role of dimensions.
struct ResultIndex {
  std::vector<int64_t> batch, row, column;
};

struct Product {
  Lane lhs, rhs;
};

// The types of a sum, and what operands are rounded to before.
struct Summation {
  Type operand, result;
  const Format* lhs_rounding;  // nullptr: they are not
  const Format* rhs_rounding;
};

// Runs the call. Returns what is not implemented, or nullptr.
const char* RunContraction(const AssayCall& call);

// These are the sound hooks.
const char* ReadContraction(const AssayCall& call,
                            calls::Contraction* contraction);
std::vector<Meeting> Meet(const calls::Contraction& contraction,
                          const ResultIndex& index);
// Sums in f64, in which products of all narrower floats are exact, and in
// integers modulo 2^64; the sum is rounded once.
Lane Accumulate(const Summation& summation,
                const std::vector<Product>& products);

// The sound hook is made of these, and bugs are as well. A complex number has
// two parts, a real one has 0 as the second.
struct Parts {
  double real, imaginary;
};
Parts PartsOfLane(const Type& type, const Format* rounding, const Lane& lane);
Lane LaneOfParts(const Type& type, const Parts& parts);
Parts PlusProduct(const Type& type, const Parts& sum, const Parts& lhs,
                  const Parts& rhs);
Lane LaneOfInteger(const Type& type, uint64_t integer);
// Rounds to a format.
double InFormat(const Format& format, double x);
const Format& Tf32();

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_CONTRACTION_H_
