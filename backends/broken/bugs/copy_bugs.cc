// These bugs are in the ops that only move elements, and in iota: in the copies
// that such a call is made of, and in the numbers. Other ops are right.
#include <string.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/moves.h"
#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/types.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using calls::Copy;
using calls::DimsView;
using calls::Moves;
using Numbers = std::vector<int64_t>;

// A view of the memory between has no address yet but a distance, which is no
// pointer to compute with.
void Advance(int64_t elements, const Moves& moves, DimsView* view) {
  const int64_t bytes = elements * static_cast<int64_t>(moves.bytes());
  view->first = reinterpret_cast<unsigned char*>(
      reinterpret_cast<uintptr_t>(view->first) + static_cast<uintptr_t>(bytes));
}

// This hook reads the moves of a call and then breaks those of some ops.
using Break = void (*)(const AssayCall& call, Moves* moves);
template <Break kBreak, const char*... kOps>
const char* Broken(const AssayCall& call, Moves* moves) {
  const char* missing = calls::ReadMoves(call, moves);
  const bool is_of_op = ((strcmp(call.op, kOps) == 0) || ...);
  if (missing == nullptr && is_of_op && !moves->copies.empty())
    kBreak(call, moves);
  return missing;
}

constexpr char kConcatenate[] = "concatenate", kConstant[] = "constant",
               kReverse[] = "reverse", kSlice[] = "slice",
               kTranspose[] = "transpose";

// --------------------------------------------------------------------- Reverse

// MV01.
void OnlyTheFirstIsReversed(const AssayCall& call, Moves* moves) {
  DimsView& from = moves->copies.front().from;
  const Numbers dimensions = NumbersOf(call, "dimensions");
  for (size_t i = 1; i < dimensions.size(); ++i) {
    const auto d = static_cast<size_t>(dimensions[i]);
    Advance((from.shape[d] - 1) * from.strides[d], *moves, &from);
    from.strides[d] = -from.strides[d];
  }
}

// MV02. Element 0 is where it was, and the others are one place too far back.
void ReversesModuloTheSize(const AssayCall& call, Moves* moves) {
  for (const int64_t number : NumbersOf(call, "dimensions")) {
    const auto d = static_cast<size_t>(number);
    const auto part = [&](DimsView view, int64_t begin, int64_t size) {
      Advance(begin * view.strides[d], *moves, &view);
      view.shape[d] = size;
      return view;
    };
    std::vector<Copy> copies;
    for (const Copy& copy : moves->copies) {
      const int64_t rest = copy.to.shape[d] - 1;
      if (copy.from_place != Copy::Place::kOperand || rest == 0) {
        copies.push_back(copy);
        continue;
      }
      for (const bool is_first : {true, false}) {
        const int64_t size = is_first ? 1 : rest;
        Copy& piece = copies.emplace_back(copy);
        piece.from = part(copy.from, is_first ? rest : 0, size);
        piece.to = part(copy.to, is_first ? 0 : 1, size);
      }
    }
    moves->copies = std::move(copies);
  }
}

// MV03. Elements are read after others were written over them.
void HasNothingBetween(const AssayCall&, Moves* moves) {
  moves->copies = {{moves->copies.front().from, moves->copies.back().to}};
  moves->between_bytes = 0;
}

// ------------------------------------------------------------------- Transpose

// MV04.
void InversePermutation(const AssayCall& call, Moves* moves) {
  const int64_t* strides = call.inputs[0].tensor.strides;
  for (const int64_t d : NumbersOf(call, "permutation"))
    moves->copies.front().from.strides[static_cast<size_t>(d)] = *strides++;
}

// MV05. The number of tiles of 32 columns is rounded down.
void LosesTheLastTile(const AssayCall& call, Moves* moves) {
  const Numbers permutation = NumbersOf(call, "permutation");
  Numbers& shape = moves->copies.back().to.shape;
  const auto column =
      std::ranges::find(permutation, std::ssize(permutation) - 1) -
      permutation.begin();
  if (column + 1 == std::ssize(permutation)) return;
  int64_t& size = shape[static_cast<size_t>(column)];
  if (size > 32) size -= size % 32;
}

// --------------------------------------------------------------------- Reshape

// The sizes and strides of a Changed are its own.
struct Changed {
  explicit Changed(const AssayTensor& from)
      : shape(from.tensor.shape, from.tensor.shape + from.tensor.ndim),
        strides(from.tensor.strides, from.tensor.strides + from.tensor.ndim),
        tensor(from) {
    tensor.tensor.shape = shape.data();
    tensor.tensor.strides = strides.data();
  }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;

  Numbers shape, strides;
  AssayTensor tensor;
};

// MV06.
void TakeForRowMajor(Changed* operand, Changed*) {
  int64_t stride = 1;
  for (size_t d = operand->shape.size(); d-- > 0; stride *= operand->shape[d])
    operand->strides[d] = stride;
}

// MV07. With dimensions in the opposite order, columns are rows.
void TurnRowsAndColumns(Changed* operand, Changed* result) {
  for (Changed* tensor : {operand, result}) {
    std::ranges::reverse(tensor->shape);
    std::ranges::reverse(tensor->strides);
  }
}

// This hook reshapes a changed operand to a changed result.
template <void (*kChange)(Changed* operand, Changed* result)>
const char* ReshapesChanged(const AssayCall& call, Moves* moves) {
  if (strcmp(call.op, "reshape") != 0 || call.num_inputs != 1)
    return calls::ReadMoves(call, moves);
  Changed operand(call.inputs[0]), result(call.outputs[0]);
  kChange(&operand, &result);
  AssayCall changed = call;
  changed.inputs = &operand.tensor;
  changed.outputs = &result.tensor;
  return calls::ReadMoves(changed, moves);
}

// ----------------------------------------------------------------------- Slice

// MV08.
void StridesOfTheFirstDimension(const AssayCall& call, Moves* moves) {
  Numbers& strides = moves->copies.front().from.strides;
  for (size_t d = 1; d < strides.size(); ++d)
    strides[d] = call.inputs[0].tensor.strides[d];
}

// MV09.
void StartsByTheResult(const AssayCall& call, Moves* moves) {
  DimsView& from = moves->copies.front().from;
  from.first = calls::FirstElement(call.inputs[0].tensor);
  const int64_t* strides = call.outputs[0].tensor.strides;
  for (const int64_t start : NumbersOf(call, "start_indices"))
    Advance(start * *strides++, *moves, &from);
}

// MV10.
void RoundsSizesDown(const AssayCall& call, Moves* moves) {
  const Numbers starts = NumbersOf(call, "start_indices"),
                limits = NumbersOf(call, "limit_indices"),
                steps = NumbersOf(call, "strides");
  for (size_t d = 0; d < starts.size(); ++d)
    moves->copies.back().to.shape[d] = (limits[d] - starts[d]) / steps[d];
}

// ----------------------------------------------------------------- Concatenate

bool IsEmpty(const AssayTensor& tensor) {
  return calls::CountElements(tensor.tensor) == 0;
}

// Returns how many operands have elements and thus a copy to the result.
int64_t CountCopied(const AssayTensor* begin, const AssayTensor* end) {
  return end - begin - std::count_if(begin, end, IsEmpty);
}

// MV12.
void StopsAtAnEmptyOperand(const AssayCall& call, Moves* moves) {
  const AssayTensor* end = call.inputs + call.num_inputs;
  const AssayTensor* empty = std::find_if(call.inputs, end, IsEmpty);
  moves->copies.resize(moves->copies.size() -
                       static_cast<size_t>(CountCopied(empty, end)));
}

// Puts every operand where kStart says.
template <int64_t (*kStart)(const AssayCall& call, int32_t k, size_t d)>
void PutsOperands(const AssayCall& call, Moves* moves) {
  const DLTensor& result = call.outputs[0].tensor;
  const auto d = static_cast<size_t>(NumbersOf(call, "dimension")[0]);
  auto copy = moves->copies.end() -
              CountCopied(call.inputs, call.inputs + call.num_inputs);
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    if (IsEmpty(call.inputs[k])) continue;
    copy->to.first = calls::FirstElement(result);
    Advance(kStart(call, k, d) * result.strides[d], *moves, &copy->to);
    ++copy;
  }
}

// MV11.
int64_t AllAreAsTheFirst(const AssayCall& call, int32_t k, size_t d) {
  return k * call.inputs[0].tensor.shape[d];
}

// MV13. Eight operands are copied at a time.
int64_t EachBatchStartsAnew(const AssayCall& call, int32_t k, size_t d) {
  int64_t start = 0;
  for (int32_t other = k / 8 * 8; other < k; ++other)
    start += call.inputs[other].tensor.shape[d];
  return start;
}

// ------------------------------------------------------------------------ Iota

// MV14.
const char* CountsAlongTheLast(const AssayCall& call, Counting* counting) {
  const char* missing = Count(call, counting);
  if (missing != nullptr) return missing;
  DimsView& view = counting->view;
  std::ranges::fill(view.strides, 0);
  view.strides.back() = 1;
  counting->numbers.resize(static_cast<size_t>(view.shape.back()));
  std::iota(counting->numbers.begin(), counting->numbers.end(), int64_t{0});
  return nullptr;
}

// MV15.
const char* CountsIn16Bits(const AssayCall& call, Counting* counting) {
  const char* missing = Count(call, counting);
  for (int64_t& number : counting->numbers) number &= 0xffff;
  return missing;
}

// MV16. From 2^p on, where p is the precision, a sum with 1 is rounded to what
// it was.
const char* CountsInTheType(const AssayCall& call, Counting* counting) {
  const char* missing = Count(call, counting);
  Type type;
  if (missing != nullptr || !ParseType(call.outputs[0], &type) ||
      type.format == nullptr || !type.format->has_sign)
    return missing;
  const int64_t most = int64_t{2} << type.format->mantissa_bits;
  for (int64_t& number : counting->numbers) number = std::min(number, most);
  return nullptr;
}

// -------------------------------------------------------------------- Constant

// MV17.
void RepeatsTheFirst(const AssayCall&, Moves* moves) {
  std::ranges::fill(moves->copies.front().from.strides, 0);
}

// MV18. The elements of 2 and 4 bits are stored one a byte, and taken for
// several.
void ReadsPackedBits(const AssayCall& call, Moves* moves) {
  const int bits = call.outputs[0].tensor.dtype.bits;
  if (bits != 2 && bits != 4) return;
  static thread_local std::vector<unsigned char> elements;
  elements.resize(calls::CountElements(call.outputs[0].tensor));
  DimsView& from = moves->copies.front().from;
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t at = i * static_cast<size_t>(bits);
    elements[i] = static_cast<unsigned char>(from.first[at / 8] >> (at % 8));
  }
  from.first = elements.data();
}

constexpr auto kMoves = &Hooks::moves;
constexpr auto kCount = &Hooks::count;
constexpr Bug kBugs[] = {
    {"MV01", Replace<kMoves, Broken<OnlyTheFirstIsReversed, kReverse>>},
    {"MV02", Replace<kMoves, Broken<ReversesModuloTheSize, kReverse>>},
    {"MV03", Replace<kMoves, Broken<HasNothingBetween, kReverse, kTranspose>>},
    {"MV04", Replace<kMoves, Broken<InversePermutation, kTranspose>>},
    {"MV05", Replace<kMoves, Broken<LosesTheLastTile, kTranspose>>},
    {"MV06", Replace<kMoves, ReshapesChanged<TakeForRowMajor>>},
    {"MV07", Replace<kMoves, ReshapesChanged<TurnRowsAndColumns>>},
    {"MV08", Replace<kMoves, Broken<StridesOfTheFirstDimension, kSlice>>},
    {"MV09", Replace<kMoves, Broken<StartsByTheResult, kSlice>>},
    {"MV10", Replace<kMoves, Broken<RoundsSizesDown, kSlice>>},
    {"MV11",
     Replace<kMoves, Broken<PutsOperands<AllAreAsTheFirst>, kConcatenate>>},
    {"MV12", Replace<kMoves, Broken<StopsAtAnEmptyOperand, kConcatenate>>},
    {"MV13",
     Replace<kMoves, Broken<PutsOperands<EachBatchStartsAnew>, kConcatenate>>},
    {"MV14", Replace<kCount, CountsAlongTheLast>},
    {"MV15", Replace<kCount, CountsIn16Bits>},
    {"MV16", Replace<kCount, CountsInTheType>},
    {"MV17", Replace<kMoves, Broken<RepeatsTheFirst, kConstant>>},
    {"MV18", Replace<kMoves, Broken<ReadsPackedBits, kConstant>>},
};

}  // namespace

std::span<const Bug> CopyBugs() { return kBugs; }

}  // namespace assay::broken
