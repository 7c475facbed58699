// This header is the border between the kernels, which are compiled once per
// instruction set, and the code that calls them, which is compiled once.
//
// A loop works on whole vectors only. Everything else (tails, alignment,
// broadcast scalars, 2- and 4-bit types, float formats without lanes of their
// own) is the driver's work: this keeps the code that exists per op, type and
// instruction set small. An op is one or more rows in the table of the file
// that defines its functor.
#ifndef ASSAY_BACKENDS_SIMD_CORE_KERNELS_H_
#define ASSAY_BACKENDS_SIMD_CORE_KERNELS_H_

#include <stddef.h>

#include <string_view>

#include "backends/simd/core/names.h"
#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

inline constexpr size_t kMaxVectorBytes = 64;

// A Reading says how the elements of an input follow each other, in elements
// from its first.
enum class Reading : unsigned char {
  kContiguous,   // 0, 1, 2, ...
  kEverySecond,  // 0, 2, 4, ...
  kReversed      // 0, -1, -2, ...
};

// A Block holds the operands of one call of a loop. `count` is a multiple of
// the lanes of one output vector; a complex element of the result is two lanes.
struct Block {
  const void* in[kMaxInputs];
  void* out;
  size_t count;
  // Every reading is kContiguous except in blocks for Kernel::strided.
  Reading reading[kMaxInputs];
  // Kernel::strided stores as Kernel::stream does if this is set.
  bool stream;
};

using Loop = void (*)(const Block&);

// A kernel is the same computation with ordinary and with non-temporal stores;
// for the latter `out` must be aligned to the vector. A `strided` loop, where
// there is one, takes any reading, and may read the element behind the last one
// of a kEverySecond input.
struct Kernel {
  Loop store = nullptr;
  Loop stream = nullptr;
  Loop strided = nullptr;
};

// Extend says how a value of less than 8 bits lies in the 8-bit lane that
// computes it.
enum class Extend {
  kZero,
  kSign,
  kTop  // The value is in the lane's highest bits, with ones below.
};

// These are the kernels of the types of one kind, indexed by log2 of their
// bytes.
struct LaneKernels {
  Kernel width[4];
  Extend extend = Extend::kZero;
};

// These are the kernels of the floating-point types. `bits` works on the bits
// of all types of sign and magnitude, `fnuz_bits` on those of the 8-bit formats
// whose NaN has the code of -0, `e8m0_bits` on those of f8E8M0FNU. Where there
// is no such kernel, f32 and f64 compute by value, and so does every smaller
// format, in f32 lanes.
struct FloatKernels {
  Kernel f32 = {};
  Kernel f64 = {};
  Kernel complex_f32 = {};
  Kernel complex_f64 = {};
  LaneKernels bits = {};
  Kernel fnuz_bits = {};
  Kernel e8m0_bits = {};
};

// A Shape says which operands a kernel takes. T is the type that selects the
// kernel.
enum class Shape {
  kUnary,   // T
  kBinary,  // T, T
  kClamp,   // T or a scalar, T, T or a scalar
  kSelect   // i1 or a scalar, T, T
};

// Result is the type of the result: T, the type of its parts (for a real type
// that is the type itself), the complex type of such parts or, whatever T is,
// i1 or an integer of that width.
enum class Result { kSame, kPart, kComplex, kBool, k8, k16, k32, k64 };

struct Kernels {
  Shape shape;
  Result result;
  LaneKernels of_unsigned = {};
  LaneKernels of_signed = {};
  FloatKernels of_float = {};
};

struct Attribute {
  const char* name = nullptr;
  const char* value = nullptr;
};

// A row serves the calls of `op` on the types that it has kernels for, if the
// result is as `kernels` says and the attributes named here have the text
// `value` (nullptr means that they are absent).
struct OpKernels {
  std::string_view op;
  Kernels kernels;
  Kernel boolean = {};
  Attribute attributes[2] = {};
};

struct Table {
  const OpKernels* rows;
  size_t size;
  size_t vector_bytes;
};

Table ArithmeticTable(const hwy::ChosenTarget& target);
Table BitwiseTable(const hwy::ChosenTarget& target);
Table CompareSelectTable(const hwy::ChosenTarget& target);
Table ComplexTable(const hwy::ChosenTarget& target);
Table ConvertTable(const hwy::ChosenTarget& target);
Table FloatArithmeticTable(const hwy::ChosenTarget& target);
Table FloatCompareTable(const hwy::ChosenTarget& target);
Table RealFunctionTable(const hwy::ChosenTarget& target);
Table ShiftTable(const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_KERNELS_H_
