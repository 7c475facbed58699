// This is one kernel of eight lanes for every op, in plain C++, whose parts are
// hooks.
//
// It exists to be broken: a planted bug (bugs.h) is the sound kernel with one
// hook replaced, so that whatever a suite says of it is said of that one
// mistake. A lane holds the bits of a value of any type, extended to 64 bits by
// `load` and cut to their width by `store`, and twice 64 bits for complex
// numbers; so ops are ordinary functions on integers, one for all integer types
// and one for all formats of numbers.h, and the plugin builds in seconds. It
// need not be fast.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_KERNEL_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_KERNEL_H_

#include <stdint.h>

#include <array>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay::calls {
struct Contraction;  // backends/calls/contraction.h
struct Moves;        // backends/calls/moves.h
struct WindowDim;    // backends/calls/windows.h
struct Windows;
}  // namespace assay::calls

namespace assay::broken::program {
struct Function;  // backends/broken/program/program.h
}  // namespace assay::broken::program

namespace assay::broken {

inline constexpr int kLanes = 8;
inline constexpr int kMaxInputs = 3;
inline constexpr int kMaxRank = 64;

// A Lane is one element: a sign- or zero-extended integer, a float as its bits,
// or a complex number as two floats.
struct Lane {
  uint64_t bits = 0;
  uint64_t imaginary = 0;
  bool operator==(const Lane&) const = default;
};

using Lanes = std::array<Lane, kLanes>;
using Inputs = std::array<Lanes, kMaxInputs>;

struct BatchNorm;  // batch_norm.h
struct FeatureScalars;
struct GradientSums;
struct Format;        // numbers.h
struct Counting;      // moves.h
struct Scalar;        // regions.h
struct FunctionCall;  // regions.h
struct Reduction;     // regions.h
struct Sliding;       // sliding.h
struct Hit;           // windows.h
struct Meeting;       // contraction.h
struct Product;       // contraction.h
struct ResultIndex;   // contraction.h
struct Summation;     // contraction.h
using Tuple = std::vector<Scalar>;

struct Type {
  bool is_bool;
  bool is_signed;
  int bits;   // of the value, or of each part of a complex one; 1 for i1
  int bytes;  // of an element in memory
  const Format* format = nullptr;  // of a float, or of each part
  bool is_complex = false;
};

struct Job;

// A Function computes one result from the bits of one element of each input. It
// serves integers and i1, and the parts of floats.
using Function = uint64_t (*)(const Type& type, const uint64_t* x);
// A FloatFunction computes whole elements if a float or complex type is
// involved.
using FloatFunction = Lane (*)(const Job& job, const Lane* x);

enum class Direction { kEQ, kNE, kGE, kGT, kLE, kLT };

// Functions read these attributes while they run.
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

// A Job is one output of a call, ready to run.
struct Job {
  int output;         // which of the call's
  Function function;  // one of the two is nullptr
  FloatFunction float_function;
  Attributes attributes;
  // The op is a bitcast_convert to another number of elements: `shape` is that
  // of the wider type, and the tensor of the narrower one has one dimension
  // more.
  bool splits_or_joins;
  // The op computes in `type`. Operands are converted to the types in `takes`
  // before, and the result has type `gives`, before it is converted to the
  // output's type.
  Type type;
  Type takes[kMaxInputs];
  Type gives;
  int num_inputs;
  Tensor in[kMaxInputs];
  Tensor out;
  int rank;
  int64_t shape[kMaxRank + 1];
  // A function that cannot compute a result sets this, and the call is
  // declined.
  bool* is_declined;
};

// A Strip is the elements of one operand along a row, `stride` elements apart.
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

// These are the parts of the kernel, in the order in which a call meets them.
// Everything that runs goes through the hooks of one table.
struct Hooks {
  // Returns what in the call violates the rules that this kernel checks
  // (validation.h), or an empty string.
  std::string (*validate)(const AssayCall& call);
  // Returns the size of a dimension of the result from the sizes of two
  // operands, or a negative number if they do not fit.
  int64_t (*infer)(int64_t a, int64_t b);
  // Sets all members of `job` except `output` and `is_declined`, which its
  // creator set. Returns nullptr, or what in the call is not implemented.
  const char* (*dispatch)(const AssayCall& call, Job* job);
  // Sets for each dimension of an operand which of the result's `rank`
  // dimensions it is.
  void (*align)(const AssayCall& call, const DLTensor& operand, int rank,
                int* dimensions);
  // Appends the integers of an operand that says where elements are. Returns
  // what is not implemented, or nullptr.
  const char* (*indices)(const AssayTensor& tensor,
                         std::vector<int64_t>* integers);
  // Reads where the windows of gather and scatter are. Returns as `indices`
  // does.
  const char* (*windows)(const AssayCall& call, calls::Windows* windows);
  // Returns where a slice of gather begins.
  int64_t (*start)(const calls::WindowDim& dim, int64_t index);
  // Returns whether an element of a window of scatter is in the operand.
  bool (*is_inside)(const calls::Windows& windows,
                    const std::vector<int64_t>& begin,
                    const std::vector<int64_t>& offset);
  // Applies the updates of a scatter.
  void (*hits)(FunctionCall* call, const std::vector<Hit>& hits);
  // Returns the size of a dimension of the operand.
  int64_t (*size)(const AssayCall& call, int64_t dimension);
  // Returns an operand or output as a tensor of the job's shape. A dimension
  // that is repeated has stride 0; the strides of dimensions of size 1 may be
  // anything.
  Tensor (*view)(const DLTensor& operand, const int* dimensions, const Job& job,
                 bool is_output);
  // Reads a call of an op that only moves elements as copies between views.
  // Returns what is not implemented, or nullptr.
  const char* (*moves)(const AssayCall& call, calls::Moves* moves);
  // Reads a call of iota, and counts. Returns as `moves` does.
  const char* (*count)(const AssayCall& call, Counting* counting);
  // Drops dimensions of size 1, and merges two dimensions if all strides allow
  // that.
  void (*merge)(Job* job);
  // Sorts the dimensions, the one with the output's smallest step last.
  void (*order)(Job* job);
  // Calls RunRow for every row of the job, which is along its last dimension.
  void (*walk)(const Job& job);
  // Computes the whole vectors of a row. Returns the position of the tail.
  int64_t (*body)(const Row& row);
  // Computes the positions from `first` to the end, which are at most kLanes.
  void (*tail)(const Row& row, int64_t first);
  // Loads `count` lanes. The lanes from `count` on are 0.
  Lanes (*load)(const Strip& strip, int64_t first, int count);
  // Converts operands to the types that the op takes, and its results.
  Lanes (*convert)(const Type& from, const Type& to, const Lanes& lanes);
  Lanes (*op)(const Job& job, const Inputs& in);
  void (*store)(const Strip& strip, int64_t first, int count,
                const Lanes& lanes);
  // These hooks are of map, reduce and sort (regions.h).
  //
  // Returns the arguments of a call's function, for one element of each
  // operand.
  Tuple (*bind)(const FunctionCall& call, const Tuple& elements);
  // Returns the results of a function.
  Tuple (*apply)(const FunctionCall& call, const AssayFunction& function,
                 const Tuple& arguments);
  // Returns the number of the branch of `if` or `case` that runs.
  int32_t (*choose)(const AssayFunctionOp& op, const Scalar& selector);
  // Returns where the terms of a result are, in their order.
  std::vector<int64_t> (*terms)(const Reduction& reduction, int64_t result);
  // Reduces terms of the operands' types.
  Tuple (*fold)(const FunctionCall& call, const std::vector<Tuple>& terms,
                const Tuple& init);
  // These are of reduce_window and select_and_scatter (sliding.h).
  std::vector<int64_t> (*slide)(const Sliding& sliding, int64_t window);
  std::vector<Tuple> (*seen)(const FunctionCall& call, const Sliding& sliding,
                             int64_t window,
                             const std::vector<int64_t>& places);
  int64_t (*pick)(const FunctionCall& call, const std::vector<int64_t>& places);
  std::vector<int64_t> (*givers)(const std::vector<int64_t>& selected,
                                 int64_t element);
  // Returns which dimension is sorted.
  int64_t (*along)(int64_t dimension, int64_t rank);
  // Returns what the comparator says.
  bool (*less)(const FunctionCall& call, const Tuple& lhs, const Tuple& rhs);
  // Sorts a slice.
  void (*sort)(const FunctionCall& call, std::vector<Tuple>* rows);
  // These hooks are of dot_general and convolution (contraction.h).
  //
  // Reads which dimensions are summed and where windows lie. Returns as
  // `indices` does.
  const char* (*contraction)(const AssayCall& call,
                             calls::Contraction* contraction);
  // Returns which elements are multiplied for a result.
  std::vector<Meeting> (*meet)(const calls::Contraction& contraction,
                               const ResultIndex& index);
  // Returns the sum of products as a result.
  Lane (*accumulate)(const Summation& summation,
                     const std::vector<Product>& products);
  // These hooks are of the batch_norm ops (batch_norm.h).
  //
  // Returns the feature of the element at a position of the operand.
  int64_t (*feature)(const BatchNorm& norm, int64_t position);
  // Returns where the elements of a feature are, in their order.
  std::vector<int64_t> (*members)(const BatchNorm& norm, int64_t feature);
  Scalar (*add_up)(const BatchNorm& norm, const Tuple& terms);
  Scalar (*variance)(const BatchNorm& norm, const Tuple& elements,
                     const Scalar& mean);
  // Returns an element of what is normalized.
  Scalar (*normalized)(const BatchNorm& norm, const FeatureScalars& feature,
                       const Scalar& element);
  // Returns an element of grad_operand.
  Scalar (*gradient)(const BatchNorm& norm, const FeatureScalars& feature,
                     const GradientSums& sums, const Scalar& element,
                     const Scalar& gradient);
  // Rewrites a program before it runs, and the functions in it.
  void (*simplify)(program::Function* function);
};

// Returns the hooks in use: the sound ones, until a bug is planted.
Hooks& ActiveHooks();
Hooks SoundHooks();

// These are the sound hooks, but for those of windows.h, regions.h and
// contraction.h and batch_norm.h, and that of simplify, program::KeepProgram.
std::string Validate(const AssayCall& call);
int64_t InferDim(int64_t a, int64_t b);
const char* Dispatch(const AssayCall& call, Job* job);
void Align(const AssayCall& call, const DLTensor& operand, int rank,
           int* dimensions);
Tensor View(const DLTensor& operand, const int* dimensions, const Job& job,
            bool is_output);
const char* MovesOf(const AssayCall& call, calls::Moves* moves);
const char* Count(const AssayCall& call, Counting* counting);
void Merge(Job* job);
void Order(Job* job);
void Walk(const Job& job);
int64_t Body(const Row& row);
void Tail(const Row& row, int64_t first);
Lanes Load(const Strip& strip, int64_t first, int count);
Lanes ConvertLanes(const Type& from, const Type& to, const Lanes& lanes);
Lanes ApplyFunction(const Job& job, const Inputs& in);
void Store(const Strip& strip, int64_t first, int count, const Lanes& lanes);

// The hooks are made of these functions.
unsigned char* ElementAt(const Strip& strip, int64_t position);
Lane ReadElement(const Strip& strip, int64_t position);
void WriteElement(const Strip& strip, int64_t position, const Lane& lane);
// Makes the job move the elements of `from`, which have the output's type.
void MoveFrom(const Tensor& from, Job* job);
// Merges, orders and walks a job.
void RunJob(Job job);
// Runs the jobs of all outputs of one call. One of the outputs may be in the
// place of an input, so all are computed before any is written.
void RunTogether(const std::vector<Job>& jobs);
// Runs the body of a row, then its tail.
void RunRow(const Row& row);
// Loads inputs of the types that the op takes.
Inputs LoadInputs(const Row& row, int64_t first, int count);
// Stores what the op returned.
void StoreResults(const Row& row, int64_t first, int count, const Lanes& lanes);
// Loads and computes `count` lanes, and stores `stored` of them.
void RunLanes(const Row& row, int64_t first, int count, int stored);
// Advances to the next index, in row-major order, of the first `rank`
// dimensions. Returns false after the last one.
bool Advance(const Job& job, int rank, int64_t* index);
// Returns the address of the element whose index has `rank` dimensions.
unsigned char* AddressOf(const Tensor& tensor, int rank, const int64_t* index);
// Walks a bitcast_convert that splits or joins elements, which are
// little-endian.
void WalkParts(const Job& job);
// Runs a call of an op without functions. Returns what is not implemented, or
// nullptr; a function that cannot compute a result sets `is_declined`.
const char* RunOp(const AssayCall& call, bool* is_declined);
// Runs a call of any op, as `run` of the ABI does.
int32_t AnswerCall(const AssayCall* call, char* message, size_t capacity);
// Returns the text of an attribute, or nullptr if the call does not have it.
const char* AttributeText(const AssayCall& call, const char* name);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_KERNEL_H_
