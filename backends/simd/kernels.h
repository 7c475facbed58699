// The border between the kernels, which are compiled once per instruction set,
// and the code that calls them, which is compiled once.
//
// A loop works on whole vectors only. Everything else (tails, alignment,
// broadcast scalars, 2- and 4-bit types) is the driver's work, in ordinary
// code: this keeps the code that exists per op, type and instruction set small.
// An op is one or more rows in the table of the file that defines its functor.
#ifndef ASSAY_BACKENDS_SIMD_KERNELS_H_
#define ASSAY_BACKENDS_SIMD_KERNELS_H_

#include <stddef.h>

#include "backends/simd/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

inline constexpr int kMaxInputs = 3;
inline constexpr size_t kMaxVectorBytes = 64;

// One call of a loop. `count` is a multiple of the lanes of one output vector.
struct Block {
  const void* in[kMaxInputs];
  size_t stride[kMaxInputs];  // 0: `in` holds one vector, used again and again.
  void* out;
  size_t count;
};

using Loop = void (*)(const Block&);

// The same computation with ordinary and with non-temporal stores; for the
// latter `out` must be aligned to the vector.
struct Kernel {
  Loop store = nullptr;
  Loop stream = nullptr;
};

// How a 2- or 4-bit value lies in the 8-bit lane that computes it.
enum class Extend {
  kZero,
  kSign,
  kTop  // In the lane's highest bits, with ones below.
};

// The kernels of the integer types of one signedness, by log2 of their bytes.
struct LaneKernels {
  Kernel width[4];
  Extend extend = Extend::kZero;
};

// What the operands look like. T is the type that selects the kernel.
enum class Shape {
  kUnary,   // T
  kBinary,  // T, T
  kClamp,   // T or a scalar, T, T or a scalar
  kSelect   // i1 or a scalar, T, T
};

// The type of the result: T or, whatever T is, i1 or an integer of that width.
enum class Result { kSame, kBool, k8, k16, k32, k64 };

struct Kernels {
  Shape shape;
  Result result;
  LaneKernels of_unsigned;
  LaneKernels of_signed;
};

// A row serves the calls of `op` whose result is as `kernels` says and, where
// `attribute` is set, whose attribute has the text `value` (nullptr: is
// absent). A kernel without loops declines the type.
struct Row {
  const char* op;
  Kernels kernels;
  Kernel boolean = {};
  const char* attribute = nullptr;
  const char* value = nullptr;
};

struct Table {
  const Row* rows;
  size_t size;
  size_t vector_bytes;
};

Table ArithmeticTable(const hwy::ChosenTarget& target);
Table BitwiseTable(const hwy::ChosenTarget& target);
Table CompareSelectTable(const hwy::ChosenTarget& target);
Table ConvertTable(const hwy::ChosenTarget& target);
Table ShiftTable(const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_KERNELS_H_
