#include "backends/broken/kernel/moves.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <numeric>

#include "backends/broken/kernel/broadcast.h"
#include "backends/broken/kernel/conversions.h"
#include "backends/broken/kernel/seen_call.h"
#include "backends/broken/kernel/types.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using calls::DimsView;

const char* RunCopies(const AssayCall& call, const Type& type) {
  calls::Moves moves;
  if (const char* missing = ActiveHooks().moves(call, &moves)) return missing;
  // Such calls are walked as well, for the bugs of walks over nothing.
  const DLTensor& output = call.outputs[0].tensor;
  if (calls::CountElements(output) == 0)
    moves.copies.push_back({DimsView::Of(output), DimsView::Of(output)});
  std::vector<unsigned char> between(moves.between_bytes);
  moves.PlaceBetween(between.data());
  for (const calls::Copy& copy : moves.copies)
    CopyElements(copy.from, copy.to, type);
  return nullptr;
}

const char* RunIota(const AssayCall& call, const Type& type) {
  Counting counting;
  if (const char* missing = ActiveHooks().count(call, &counting))
    return missing;
  Job job = JobTo(DimsView::Of(call.outputs[0].tensor), type);
  counting.view.first =
      reinterpret_cast<unsigned char*>(counting.numbers.data());
  job.in[0] = TensorOf(counting.view, IntegerType(64));
  job.num_inputs = 1;
  job.type = job.takes[0] = job.in[0].type;
  job.gives = type;
  SetConversion(&job);
  RunJob(job);
  return nullptr;
}

}  // namespace

bool IsMoveOrIota(const AssayCall& call) {
  return calls::IsIota(call.op) ||
         (calls::IsMove(call.op) && !IsBroadcastInDim(call));
}

const char* MovesOf(const AssayCall& call, calls::Moves* moves) {
  return calls::ReadMoves(call, ActiveHooks().indices, moves);
}

const char* Count(const AssayCall& call, Counting* counting) {
  calls::Indices indices;
  if (const char* missing = calls::ReadIota(call, &indices)) return missing;
  counting->view = std::move(indices.view);
  counting->numbers.resize(static_cast<size_t>(indices.count));
  std::iota(counting->numbers.begin(), counting->numbers.end(), int64_t{0});
  return nullptr;
}

const char* RunMoves(const AssayCall& call) {
  if (call.num_outputs != 1) return "number of operands";
  Type type;
  if (!ParseType(call.outputs[0], &type)) return "element type";
  const SeenCall seen(call);
  return (calls::IsIota(call.op) ? RunIota : RunCopies)(seen.call(), type);
}

std::vector<int64_t> NumbersOf(const AssayCall& call, const char* name) {
  constexpr char kDigits[] = "0123456789";
  std::vector<int64_t> numbers;
  const char* text = AttributeText(call, name);
  while (*(text += strcspn(text, kDigits)) != '\0') {
    char* end = nullptr;
    numbers.push_back(strtoll(text, &end, 10));
    text = end;
  }
  return numbers;
}

}  // namespace assay::broken
