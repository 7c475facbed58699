// One kernel of eight lanes for every op, in plain C++, whose parts are hooks.
//
// It exists to be broken: a planted bug (bugs.h) is the sound kernel with one
// hook replaced, so that whatever a suite says of it is said of that one
// mistake. A lane holds the bits of a value of any type, extended to 64 by
// `load` and cut to their width by `store`, and twice 64 for complex numbers;
// ops so are ordinary functions on integers, one for all integer types and one
// for all formats of numbers.h, and the plugin builds in seconds. It need not
// be fast.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_KERNEL_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_KERNEL_H_

#include <stdint.h>

#include <array>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay::broken {

inline constexpr int kLanes = 8;
inline constexpr int kMaxInputs = 3;
inline constexpr int kMaxRank = 64;

// One element: an integer sign- or zero-extended, a float as its bits, a
// complex number as two floats.
struct Lane {
  uint64_t bits = 0;
  uint64_t imaginary = 0;
  bool operator==(const Lane&) const = default;
};

using Lanes = std::array<Lane, kLanes>;
using Inputs = std::array<Lanes, kMaxInputs>;

struct Format;  // numbers.h

struct Type {
  bool is_bool;
  bool is_signed;
  int bits;   // of the value, or of each part of a complex one; 1 for i1
  int bytes;  // of an element in memory
  const Format* format = nullptr;  // of a float, or of each part
  bool is_complex = false;
};

struct Job;

// One result from the bits of one element of each input. Of integers and i1,
// and of the parts of floats.
using Function = uint64_t (*)(const Type& type, const uint64_t* x);
// The same for whole elements, where a float or complex type takes part.
using FloatFunction = Lane (*)(const Job& job, const Lane* x);

enum class Direction { kEQ, kNE, kGE, kGT, kLE, kLT };

// The attributes that functions read while they run.
struct Attributes {
  Direction direction;    // of compare
  bool is_total_order;    // compare_type
  int64_t exponent_bits;  // of reduce_precision
  int64_t mantissa_bits;
};

struct Tensor {
  unsigned char* data;            // element [0, .., 0]
  int64_t strides[kMaxRank + 1];  // in elements, for each dimension of the job
  Type type;
};

// One output of a call, ready to run.
struct Job {
  int output;         // which of the call's
  Function function;  // one of the two is nullptr
  FloatFunction float_function;
  Attributes attributes;
  // bitcast_convert to another number of elements: `shape` is that of the wider
  // type, and the tensor of the narrower one has one dimension more.
  bool splits_or_joins;
  Type type;               // that the op computes in,
  Type takes[kMaxInputs];  // that its operands are converted to before,
  Type gives;              // and that of its result, which is converted then
  int num_inputs;
  Tensor in[kMaxInputs];
  Tensor out;
  int rank;
  int64_t shape[kMaxRank + 1];
  // What a function sets that cannot compute a result: the call is declined.
  bool* is_declined;
};

// The elements of one operand along a row, `stride` elements apart.
struct Strip {
  unsigned char* data;
  int64_t stride;
  Type type;
};

struct Row {
  const Job& job;
  Strip in[kMaxInputs];
  Strip out;
  int64_t count;
};

// The parts, in the order in which a call meets them. Everything that runs goes
// through the hooks of one table.
struct Hooks {
  // What of the call is against the rules, where they are this kernel's to
  // check (validation.h); empty if nothing is.
  std::string (*validate)(const AssayCall& call);
  // The size of a dimension of the result from the sizes of two operands;
  // negative if they do not go together.
  int64_t (*infer)(int64_t a, int64_t b);
  // Fills all of `job` but what its creator set, `output` and `is_declined`.
  // Returns nullptr, or what of the call is not implemented.
  const char* (*dispatch)(const AssayCall& call, Job* job);
  // For each dimension of an operand, which of the result's `rank` it is.
  void (*align)(const AssayCall& call, const DLTensor& operand, int rank,
                int* dimensions);
  // An operand or output as a tensor of the job's shape. A dimension that is
  // repeated has stride 0; the strides of those of size 1 may be anything.
  Tensor (*view)(const DLTensor& operand, const int* dimensions, const Job& job,
                 bool is_output);
  // Drops dimensions of size 1, and makes one of two where all strides allow.
  void (*merge)(Job* job);
  // Sorts the dimensions, the one with the output's smallest step last.
  void (*order)(Job* job);
  // Calls RunRow for every row of the job, which is along its last dimension.
  void (*walk)(const Job& job);
  // The whole vectors of a row. Returns the position of the tail.
  int64_t (*body)(const Row& row);
  // Positions `first` to the end, at most kLanes of them.
  void (*tail)(const Row& row, int64_t first);
  // Lanes from `count` on are 0.
  Lanes (*load)(const Strip& strip, int64_t first, int count);
  // Of operands to the types that the op takes, and of its results.
  Lanes (*convert)(const Type& from, const Type& to, const Lanes& lanes);
  Lanes (*op)(const Job& job, const Inputs& in);
  void (*store)(const Strip& strip, int64_t first, int count,
                const Lanes& lanes);
};

// The hooks in use: the sound ones, until a bug is planted.
Hooks& ActiveHooks();
Hooks SoundHooks();

// The sound hooks.
std::string Validate(const AssayCall& call);
int64_t InferDim(int64_t a, int64_t b);
const char* Dispatch(const AssayCall& call, Job* job);
void Align(const AssayCall& call, const DLTensor& operand, int rank,
           int* dimensions);
Tensor View(const DLTensor& operand, const int* dimensions, const Job& job,
            bool is_output);
void Merge(Job* job);
void Order(Job* job);
void Walk(const Job& job);
int64_t Body(const Row& row);
void Tail(const Row& row, int64_t first);
Lanes Load(const Strip& strip, int64_t first, int count);
Lanes ConvertLanes(const Type& from, const Type& to, const Lanes& lanes);
Lanes ApplyFunction(const Job& job, const Inputs& in);
void Store(const Strip& strip, int64_t first, int count, const Lanes& lanes);

// What hooks are made of.
unsigned char* ElementAt(const Strip& strip, int64_t position);
Lane ReadElement(const Strip& strip, int64_t position);
void WriteElement(const Strip& strip, int64_t position, const Lane& lane);
// Merges, orders and walks a job.
void RunJob(Job job);
// The same for all outputs of one call. One of them may be in the place of an
// input, so all are computed before any is written.
void RunTogether(const std::vector<Job>& jobs);
// Body, then tail.
void RunRow(const Row& row);
// Of the types that the op takes.
Inputs LoadInputs(const Row& row, int64_t first, int count);
// What the op gave.
void StoreResults(const Row& row, int64_t first, int count, const Lanes& lanes);
// Loads and computes `count` lanes, and stores `stored` of them.
void RunLanes(const Row& row, int64_t first, int count, int stored);
// The next index, row-major, of the first `rank` dimensions; false after the
// last one.
bool Advance(const Job& job, int rank, int64_t* index);
// Where an element lies whose index has `rank` dimensions.
unsigned char* AddressOf(const Tensor& tensor, int rank, const int64_t* index);
// The walk of a bitcast_convert that splits or joins elements, little-endian.
void WalkParts(const Job& job);
// The text of an attribute; nullptr if the call leaves it out.
const char* AttributeText(const AssayCall& call, const char* name);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_KERNEL_H_
