// The elements of a case's tensors are written out, or drawn.
//
// Drawn data are the same on every machine: Philox4x32-10 (Random123) with key
// = seed and counter = element index, and integer arithmetic only. A large
// operand so costs one line in a case file, and no memory until the case runs.
#ifndef ASSAY_CASES_READ_DATA_H_
#define ASSAY_CASES_READ_DATA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cases/read/draw_random.h"
#include "cases/read/json.h"
#include "spec/types/tensor.h"
#include "spec/types/window.h"

namespace assay {

// All bits of an element of the type.
ElementBits BitMask(ElementType type);

// {"draw": {"every": "bits", "dimension": 0}} is a tensor whose element's bits
// are its index along the dimension. "boundary": they are that entry of
// BoundaryBits, which starts again behind the last. "grid": they are that entry
// of GridBits, scattered by GridIndex.
struct DrawEvery {
  enum class Kind { kBits, kBoundary, kGrid };
  Kind kind = Kind::kBits;
  size_t dimension = 0;
};

struct InputData {
  TensorType type;
  std::variant<Tensor, DrawRandom, DrawEvery, DrawBelow> source;
  // The tensor is this part of the source; absent: all of it.
  std::optional<Window> window = {};

  Tensor Materialise() const;
};

// Returns the values at which kernels break, as bits. Integers, ascending: both
// ends of the type, zero and its neighbours, the widths of all types and their
// neighbours (counts of shifts), powers of two and their neighbours,
// alternating bits. Floats: zeros, ends of the subnormal and of the normal
// range, infinities, NaNs of both signs, quiet and signalling, one and its
// neighbours, halves and integers that round-to-integer ops break at, ends of
// the integer types, each with both signs. Complex: pairs of the most special
// of these.
const std::vector<ElementBits>& BoundaryBits(ElementType type);

// Returns the values that a search for inaccurate results goes through where a
// type has too many values for all: of both signs and every exponent, the
// mantissas 0, 1, 2, all ones and their neighbour, one half and its neighbours,
// alternating bits, and eight that Philox draws for this sign and exponent
// (only those that differ: narrow types have few). Empty for types that are no
// floats.
const std::vector<ElementBits>& GridBits(ElementType type);
// Returns the entry of a grid of `size` that stands at `index`. Every entry
// stands once among as many indices, and the entries of fewer indices are
// spread evenly over signs, exponents and mantissas.
int64_t GridIndex(int64_t index, int64_t size);

// Parses an array of literal elements in row-major order. Throws InputError for
// a wrong count, kind or range.
Tensor ParseElements(const JsonView& array, const TensorType& type);
// Parses a bare literal, the element of a tensor of rank 0.
Tensor ParseScalar(const JsonView& value, const TensorType& type);
// Parses the object {"type", "data" or "draw", ..} of an input.
InputData ParseInputData(const JsonView& object, const TensorType& type);

}  // namespace assay

#endif  // ASSAY_CASES_READ_DATA_H_
