// One kernel of eight lanes for every op, in plain C++, whose parts are hooks.
//
// It exists to be broken: a planted bug (bugs.h) is the sound kernel with one
// hook replaced, so that whatever a suite says of it is said of that one
// mistake. A lane holds a value of any type as 64 bits, sign- or zero-extended
// by `load` and cut to its width by `store`; ops so are ordinary functions on
// integers, one for all types, and the plugin builds in seconds. It need not be
// fast.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_H_

#include <stdint.h>

#include <array>

#include "backends/backend.h"

namespace assay::broken {

inline constexpr int kLanes = 8;
inline constexpr int kMaxInputs = 3;
inline constexpr int kMaxRank = 64;

using Lanes = std::array<uint64_t, kLanes>;
using Inputs = std::array<Lanes, kMaxInputs>;

struct Type {
  bool is_bool;
  bool is_signed;
  int bits;   // of the value; 1 for i1
  int bytes;  // of an element in memory
};

// One result from the lanes of one element of each input.
using Function = uint64_t (*)(const Type& type, const uint64_t* x);

struct Tensor {
  unsigned char* data;     // element [0, .., 0]
  const int64_t* strides;  // in elements; as many as the job has dimensions
  Type type;
};

// A call, ready to run.
struct Job {
  Function function;
  Type type;  // that the op computes in
  int num_inputs;
  Tensor in[kMaxInputs];
  Tensor out;
  int rank;
  const int64_t* shape;
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

// The parts. Everything that runs goes through the hooks of one table.
struct Hooks {
  // Fills `job` and returns nullptr, or what of the call is not implemented.
  const char* (*dispatch)(const AssayCall& call, Job* job);
  // Calls RunRow for every row of the job; all of it is one row if it is
  // contiguous.
  void (*walk)(const Job& job);
  // The whole vectors of a row. Returns the position of the tail.
  int64_t (*body)(const Row& row);
  // Positions `first` to the end, at most kLanes of them.
  void (*tail)(const Row& row, int64_t first);
  // Lanes from `count` on are 0.
  Lanes (*load)(const Strip& strip, int64_t first, int count);
  Lanes (*op)(const Job& job, const Inputs& in);
  void (*store)(const Strip& strip, int64_t first, int count,
                const Lanes& lanes);
};

// The hooks in use: the sound ones, until a bug is planted.
Hooks& ActiveHooks();
Hooks SoundHooks();

// The sound hooks.
const char* Dispatch(const AssayCall& call, Job* job);
void Walk(const Job& job);
int64_t Body(const Row& row);
void Tail(const Row& row, int64_t first);
Lanes Load(const Strip& strip, int64_t first, int count);
Lanes ApplyFunction(const Job& job, const Inputs& in);
void Store(const Strip& strip, int64_t first, int count, const Lanes& lanes);

// What hooks are made of.
unsigned char* ElementAt(const Strip& strip, int64_t position);
uint64_t ReadElement(const Strip& strip, int64_t position);
void WriteElement(const Strip& strip, int64_t position, uint64_t lane);
// Body, then tail.
void RunRow(const Row& row);
Inputs LoadInputs(const Row& row, int64_t first, int count);
// Loads and computes `count` lanes, and stores `stored` of them.
void RunLanes(const Row& row, int64_t first, int count, int stored);
// The text of an attribute; nullptr if the call leaves it out.
const char* AttributeText(const AssayCall& call, const char* name);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_H_
