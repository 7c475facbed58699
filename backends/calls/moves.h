// Ops that only move elements are copies between views of their operands and of
// their result: reverse is a copy of the operand seen from its end, concatenate
// a copy of each operand to its part of the result.
//
// An operand may lie where the result will be, and a reshape of one strided
// tensor to another has no pair of views. Such elements are copied to memory
// between the two first, which the backend provides.
#ifndef ASSAY_BACKENDS_CALLS_MOVES_H_
#define ASSAY_BACKENDS_CALLS_MOVES_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "backends/backend.h"
#include "backends/calls/dims_view.h"
#include "backends/calls/integers.h"
#include "backends/calls/tensors.h"

namespace assay::calls {

// `from` has the rank of `to`, and its sizes or 1: then elements repeat.
struct Copy {
  // kBetween: the memory that the backend provides. kHost: the value of an
  // attribute, in host memory and row-major order.
  enum class Place { kOperand, kBetween, kHost };
  DimsView from;
  DimsView to;
  Place from_place = Place::kOperand;
  bool to_between = false;
};

struct Moves {
  Type type;  // The element type of all views.
  // They are made in this order, each after the one before it.
  std::vector<Copy> copies;
  // The backend provides so much memory. Until it says where, the views of it
  // begin at their distances from its start.
  size_t between_bytes = 0;

  size_t bytes() const { return type.bytes(); }
  void PlaceBetween(void* memory);
};

// Returns whether the op is one of those that only move elements.
bool IsMove(const char* op);

// Returns what is not implemented, or nullptr. Operands that say where elements
// go are read by `read`. Precondition: IsMove(call.op).
const char* ReadMoves(const AssayCall& call, const ReadIntegers& read,
                      Moves* moves);

// Does so where operands lie in host memory.
const char* ReadMoves(const AssayCall& call, Moves* moves);

// Returns whether the op is iota, or the one that is given the result's shape.
bool IsIota(const char* op);

// The result of iota is a conversion of the numbers 0, 1, .. `count` - 1 along
// one dimension. `view` shows them in the result's shape, as elements of type
// i64 from `view.first` on, which the caller sets.
struct Indices {
  int64_t count;
  size_t dimension;
  DimsView view;
};
// Returns what is not implemented, or nullptr.
const char* ReadIota(const AssayCall& call, Indices* indices);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_MOVES_H_
