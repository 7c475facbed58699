// The tests of complex functions use these types and calls, in which the parts
// of complex numbers are numbers.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_TEST_SUPPORT_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <string>
#include <vector>

#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {

template <class T>
using Parts = std::vector<T>;  // Real and imaginary parts take turns.

template <class T>
const FloatType& PartType() {
  return FloatNamed(sizeof(T) == 4 ? "f32" : "f64");
}

template <class T>
FloatInput InputOf(const Parts<T>& parts) {
  FloatInput input = {PartType<T>().type, {}, false, true};
  for (const T& part : parts) {
    uint64_t raw = 0;
    memcpy(&raw, &part, sizeof(part));
    input.raw.push_back(raw);
  }
  return input;
}

// Returns the parts of the results, with a zero for the imaginary part of a
// real one.
template <class T>
Parts<T> Results(const std::string& op, const std::vector<Parts<T>>& operands,
                 const Placement& placement = {}) {
  std::vector<FloatInput> inputs;
  for (const Parts<T>& parts : operands) inputs.push_back(InputOf(parts));
  const bool is_real = op == "abs";
  const Raw raw =
      RunFloats({op, "", ""}, inputs, {PartType<T>().type, {}, false, !is_real},
                operands[0].size() / 2, placement);
  Parts<T> parts;
  for (const uint64_t bits : raw) {
    T part;
    memcpy(&part, &bits, sizeof(part));
    parts.push_back(part);
    if (is_real) parts.push_back(0);
  }
  return parts;
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_TEST_SUPPORT_H_
