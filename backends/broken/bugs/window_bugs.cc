// These bugs are in the ops that move elements by indices that are operands:
// in the indices, in where windows lie, and in what becomes of updates.
#include <string.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/moves.h"
#include "backends/broken/kernel/regions.h"
#include "backends/broken/kernel/windows.h"
#include "backends/calls/attributes.h"

namespace assay::broken {
namespace {

using calls::Windows;
using Numbers = std::vector<int64_t>;
using Hits = std::vector<Hit>;

// --------------------------------------------------------------------- Indices

// This hook reads integers and then changes each: `change` gets the number of
// bits of the type, and whether it has a sign.
using Change = int64_t (*)(int bits, bool is_signed, int64_t integer);
template <Change kChange>
const char* Changed(const AssayTensor& tensor, Numbers* integers) {
  const size_t before = integers->size();
  const char* missing = calls::ReadHostIntegers(tensor, integers);
  calls::IntegerType type;
  if (missing != nullptr || !calls::ReadIntegerType(tensor, &type))
    return missing;
  for (size_t i = before; i < integers->size(); ++i)
    (*integers)[i] = kChange(type.bits, type.is_signed, (*integers)[i]);
  return nullptr;
}

// IX01.
int64_t UnsignedOnesHaveASign(int bits, bool is_signed, int64_t integer) {
  if (is_signed) return integer;
  // What is beyond int64_t was cut to its greatest value.
  if (bits == 64) return integer == INT64_MAX ? -1 : integer;
  return SignExtendedFrom(bits, integer);
}
// IX02.
int64_t NarrowOnesHaveNoSign(int bits, bool, int64_t integer) {
  if (bits > 16 || integer >= 0) return integer;
  return integer + (int64_t{1} << bits);
}
// IX03.
int64_t CutTo32Bits(int bits, bool, int64_t integer) {
  return bits < 64 ? integer : SignExtendedFrom(32, integer);
}
// IX04.
int64_t CutTo16Bits(int bits, bool, int64_t integer) {
  return bits < 32 ? integer : SignExtendedFrom(16, integer);
}
// IX05.
int64_t NegativeOnesAreZero(int, bool, int64_t integer) {
  return std::max<int64_t>(integer, 0);
}
// IX06.
int64_t TheirMagnitude(int, bool, int64_t integer) {
  return integer == INT64_MIN ? INT64_MAX : integer < 0 ? -integer : integer;
}

// IX07.
const char* WithoutTheirStrides(const AssayTensor& tensor, Numbers* integers) {
  calls::DimsView view = calls::DimsView::Of(tensor.tensor);
  if (calls::CountOf(view.shape) == 0)
    return calls::ReadHostIntegers(tensor, integers);
  // What lies behind the memory of the tensor is not read.
  int64_t reach = 0;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    if (view.strides[d] < 0) return calls::ReadHostIntegers(tensor, integers);
    reach += (view.shape[d] - 1) * view.strides[d];
  }
  if (reach + 1 < calls::CountOf(view.shape))
    return calls::ReadHostIntegers(tensor, integers);
  view.strides = calls::RowMajor(view.shape);
  AssayTensor packed = tensor;
  packed.tensor = view.Tensor(tensor.tensor);
  return calls::ReadHostIntegers(packed, integers);
}

// ---------------------------------------------------------------------- Starts

int64_t LastStart(const Windows::Dim& dim) { return dim.size - dim.slice_size; }

// IX10.
int64_t ModuloTheSize(const Windows::Dim& dim, int64_t index) {
  if (dim.size == 0) return 0;
  return Clamped(dim, ((index % dim.size) + dim.size) % dim.size);
}
// IX11.
int64_t NegativeOnesAreFromTheEnd(const Windows::Dim& dim, int64_t index) {
  return Clamped(dim,
                 index < 0 && index >= -dim.size ? index + dim.size : index);
}
// IX12.
int64_t TheLastPlaceIsNotReached(const Windows::Dim& dim, int64_t index) {
  return std::clamp(index, int64_t{0},
                    std::max<int64_t>(LastStart(dim) - 1, 0));
}
// IX13.
int64_t OutsideIsTheFirst(const Windows::Dim& dim, int64_t index) {
  return index < 0 || index > LastStart(dim) ? 0 : index;
}
// IX14.
int64_t NegativeOnesAreTheLast(const Windows::Dim& dim, int64_t index) {
  return static_cast<uint64_t>(index) > static_cast<uint64_t>(LastStart(dim))
             ? LastStart(dim)
             : index;
}
// IX15.
int64_t OneTooFar(const Windows::Dim& dim, int64_t index) {
  return std::min(Clamped(dim, index) + (index < LastStart(dim) && index > 0),
                  LastStart(dim));
}

// --------------------------------------------------------------------- Windows

bool IsScatter(const AssayCall& call) {
  return strcmp(call.op, "scatter") == 0;
}

// This hook reads windows and then changes them.
using BreakWindows = void (*)(const AssayCall& call, Windows* windows);
template <BreakWindows kBreak>
const char* BrokenWindows(const AssayCall& call, Windows* windows) {
  const char* missing = ReadWindows(call, windows);
  if (missing == nullptr) kBreak(call, windows);
  return missing;
}

// IX20. What would be outside of the indices is left.
void IndexMapIsInverted(const AssayCall&, Windows* windows) {
  std::map<int, int> dim_of_index;
  int count = 0;
  for (size_t d = 0; d < windows->dims.size(); ++d) {
    if (windows->dims[d].index < 0) continue;
    dim_of_index[windows->dims[d].index] = count++;
  }
  count = 0;
  for (Windows::Dim& dim : windows->dims) {
    if (dim.index >= 0) dim.index = dim_of_index[count++];
  }
}
// IX21.
void IndexMapIsInOrder(const AssayCall&, Windows* windows) {
  int count = 0;
  for (Windows::Dim& dim : windows->dims) {
    if (dim.index >= 0) dim.index = count++;
  }
}
// IX22.
void BatchesChangePlaces(const AssayCall&, Windows* windows) {
  std::vector<Windows::Dim*> batching;
  for (Windows::Dim& dim : windows->dims) {
    if (dim.batch >= 0) batching.push_back(&dim);
  }
  if (batching.size() >= 2 && batching[0]->size == batching[1]->size)
    std::swap(batching[0]->batch, batching[1]->batch);
}
// IX23.
void BatchesAreNoIndex(const AssayCall&, Windows* windows) {
  for (Windows::Dim& dim : windows->dims) dim.batch = -1;
}
// IX24. Windows of two sizes would not fit.
void WindowsAreTransposed(const AssayCall&, Windows* windows) {
  Windows::Dim* last = nullptr;
  for (Windows::Dim& dim : windows->dims) {
    if (dim.window_size == 1) continue;
    if (last != nullptr && last->window_size == dim.window_size)
      std::swap(last->other_stride, dim.other_stride);
    last = &dim;
  }
}
// IX25.
void BatchIsTransposed(const AssayCall&, Windows* windows) {
  std::vector<Windows::BatchDim>& batch = windows->batch;
  if (batch.size() >= 2 && batch[0].size == batch[1].size)
    std::swap(batch[0].index_stride, batch[1].index_stride);
}
// IX26.
void AllTuplesAreTheFirst(const AssayCall&, Windows* windows) {
  if (windows->batch.size() >= 2) windows->batch[0].index_stride = 0;
}
// IX27.
void DimensionsWithoutIndexHaveTheFirst(const AssayCall& call,
                                        Windows* windows) {
  bool has_index = false;
  for (const Windows::Dim& dim : windows->dims) has_index |= dim.index >= 0;
  for (Windows::Dim& dim : windows->dims) {
    if (has_index && dim.index < 0 && dim.batch < 0 && !IsScatter(call))
      dim.index = 0;
  }
}

// --------------------------------------------------------------------- Updates

// IX30.
bool WholeWindowsAlone(const Windows& windows, const Numbers& begin,
                       const Numbers&) {
  Numbers first(begin.size()), last(begin.size());
  for (size_t d = 0; d < begin.size(); ++d)
    last[d] = windows.dims[d].window_size - 1;
  return IsInside(windows, begin, first) && IsInside(windows, begin, last);
}
// IX31.
bool WindowsThatBeginInside(const Windows& windows, const Numbers& begin,
                            const Numbers& offset) {
  return IsInside(windows, begin, Numbers(begin.size())) &&
         IsInside(windows, begin, offset);
}
// IX32.
bool TheLastIsOutside(const Windows& windows, const Numbers& begin,
                      const Numbers& offset) {
  for (size_t d = 0; d < begin.size(); ++d) {
    const Windows::Dim& dim = windows.dims[d];
    if (dim.index >= 0 && begin[d] + offset[d] == dim.size - 1) return false;
  }
  return IsInside(windows, begin, offset);
}
// IX33. The element is that at the bound.
bool OneBehindIsInside(const Windows& windows, const Numbers& begin,
                       const Numbers& offset) {
  Numbers moved = begin;
  for (size_t d = 0; d < begin.size(); ++d) {
    if (begin[d] == windows.dims[d].size - offset[d]) --moved[d];
  }
  return IsInside(windows, moved, offset);
}
// IX34.
bool EverythingIsInside(const Windows& windows, const Numbers& begin,
                        const Numbers&) {
  return std::ranges::all_of(begin,
                             [](int64_t index) {
                               return index > INT32_MIN && index < INT32_MAX;
                             }) &&
         !windows.dims.empty();
}
// IX35.
bool BoundsAreThoseOfBytes(const Windows& windows, const Numbers& begin,
                           const Numbers& offset) {
  for (size_t d = 0; d < begin.size(); ++d) {
    const auto bound = static_cast<int8_t>(windows.dims[d].size);
    if (windows.dims[d].index >= 0 && windows.dims[d].size > 127 &&
        begin[d] + offset[d] >= bound)
      return false;
  }
  return IsInside(windows, begin, offset);
}

// IX40.
void TheLastDuplicateAlone(FunctionCall* call, const Hits& hits) {
  Hits kept;
  std::set<int64_t> seen;
  for (size_t i = hits.size(); i-- > 0;) {
    if (seen.insert(hits[i].element).second) kept.push_back(hits[i]);
  }
  ApplyHits(call, kept);
}
// IX41.
void DuplicatesOfAVectorAreLost(FunctionCall* call, const Hits& hits) {
  for (size_t begin = 0; begin < hits.size(); begin += kLanes) {
    const size_t end = std::min<size_t>(begin + kLanes, hits.size());
    std::vector<Tuple> elements;
    for (size_t i = begin; i < end; ++i)
      elements.push_back(ElementsOfHit(*call, call->outputs, hits[i].element));
    for (size_t i = begin; i < end && !call->IsDone(); ++i)
      ApplyHit(call, elements[i - begin], hits[i]);
  }
}
// IX42.
void EachUpdatesTheInput(FunctionCall* call, const Hits& hits) {
  for (const Hit& hit : hits) {
    if (call->IsDone()) return;
    ApplyHit(call,
             InTypesOfResults(*call,
                              ElementsOfHit(*call, call->inputs, hit.element)),
             hit);
  }
}
// IX43.
void TheLastUpdateIsLost(FunctionCall* call, const Hits& hits) {
  Hits kept = hits;
  if (kept.size() % 4 == 1) kept.pop_back();
  ApplyHits(call, kept);
}
// IX44. Functions of another signature are applied as they are.
void ArgumentsChangePlaces(FunctionCall* call, const Hits& hits) {
  const size_t count = call->outputs.size();
  for (const Hit& hit : hits) {
    if (call->IsDone()) return;
    Tuple update;
    for (size_t k = 0; k < count; ++k)
      update.push_back(call->init_values[k + 1].At(hit.update));
    const Tuple updated =
        ApplyToPair(*call, InTypesOfResults(*call, update),
                    ElementsOfHit(*call, call->outputs, hit.element));
    for (size_t k = 0; k < count && !call->IsDone() && k < updated.size(); ++k)
      call->outputs[k].Set(hit.element, updated[k]);
  }
}
// IX45. The order of one operand is not that of another.
void OperandsHaveOrdersOfTheirOwn(FunctionCall* call, const Hits& hits) {
  ApplyHits(call, hits);
  if (call->outputs.size() < 2 || call->IsDone()) return;
  const std::vector<Elements> first = call->outputs;
  for (size_t k = 0; k < call->outputs.size(); ++k) {
    for (int64_t i = 0; i < calls::CountOf(call->outputs[k].shape); ++i)
      call->outputs[k].Set(
          i, InTypesOfResults(*call, ElementsOfHit(*call, call->inputs, i))[k]);
  }
  ApplyHits(call, Hits(hits.rbegin(), hits.rend()));
  call->outputs[0] = first[0];
}
// IX46.
void StartsWithZeros(FunctionCall* call, const Hits& hits) {
  std::set<int64_t> updated;
  for (const Hit& hit : hits) updated.insert(hit.element);
  for (Elements& output : call->outputs) {
    for (const int64_t element : updated)
      output.Set(element, Scalar{output.type});
  }
  ApplyHits(call, hits);
}
// IX47E. Any order is right.
void FromTheLastToTheFirst(FunctionCall* call, const Hits& hits) {
  ApplyHits(call, Hits(hits.rbegin(), hits.rend()));
}
// IX48.
void DuplicatesAreAddedFirst(FunctionCall* call, const Hits& hits) {
  // A second update of an element is applied twice.
  Hits longer;
  std::map<int64_t, int> counts;
  for (const Hit& hit : hits) {
    longer.push_back(hit);
    if (++counts[hit.element] == 2) longer.push_back(hit);
  }
  ApplyHits(call, longer);
}

constexpr auto kIndices = &Hooks::indices;
constexpr auto kStart = &Hooks::start;
constexpr auto kWindows = &Hooks::windows;
constexpr auto kInside = &Hooks::is_inside;
constexpr auto kHits = &Hooks::hits;
constexpr Bug kBugs[] = {
    {"IX01", Replace<kIndices, Changed<UnsignedOnesHaveASign>>},
    {"IX02", Replace<kIndices, Changed<NarrowOnesHaveNoSign>>},
    {"IX03", Replace<kIndices, Changed<CutTo32Bits>>},
    {"IX04", Replace<kIndices, Changed<CutTo16Bits>>},
    {"IX05", Replace<kIndices, Changed<NegativeOnesAreZero>>},
    {"IX06", Replace<kIndices, Changed<TheirMagnitude>>},
    {"IX07", Replace<kIndices, WithoutTheirStrides>},
    {"IX10", Replace<kStart, ModuloTheSize>},
    {"IX11", Replace<kStart, NegativeOnesAreFromTheEnd>},
    {"IX12", Replace<kStart, TheLastPlaceIsNotReached>},
    {"IX13", Replace<kStart, OutsideIsTheFirst>},
    {"IX14", Replace<kStart, NegativeOnesAreTheLast>},
    {"IX15", Replace<kStart, OneTooFar>},
    {"IX20", Replace<kWindows, BrokenWindows<IndexMapIsInverted>>},
    {"IX21", Replace<kWindows, BrokenWindows<IndexMapIsInOrder>>},
    {"IX22", Replace<kWindows, BrokenWindows<BatchesChangePlaces>>},
    {"IX23", Replace<kWindows, BrokenWindows<BatchesAreNoIndex>>},
    {"IX24", Replace<kWindows, BrokenWindows<WindowsAreTransposed>>},
    {"IX25", Replace<kWindows, BrokenWindows<BatchIsTransposed>>},
    {"IX26", Replace<kWindows, BrokenWindows<AllTuplesAreTheFirst>>},
    {"IX27",
     Replace<kWindows, BrokenWindows<DimensionsWithoutIndexHaveTheFirst>>},
    {"IX30", Replace<kInside, WholeWindowsAlone>},
    {"IX31", Replace<kInside, WindowsThatBeginInside>},
    {"IX32", Replace<kInside, TheLastIsOutside>},
    {"IX33", Replace<kInside, OneBehindIsInside>},
    {"IX34", Replace<kInside, EverythingIsInside>},
    {"IX35", Replace<kInside, BoundsAreThoseOfBytes>},
    {"IX40", Replace<kHits, TheLastDuplicateAlone>},
    {"IX41", Replace<kHits, DuplicatesOfAVectorAreLost>},
    {"IX42", Replace<kHits, EachUpdatesTheInput>},
    {"IX43", Replace<kHits, TheLastUpdateIsLost>},
    {"IX44", Replace<kHits, ArgumentsChangePlaces>},
    {"IX45", Replace<kHits, OperandsHaveOrdersOfTheirOwn>},
    {"IX46", Replace<kHits, StartsWithZeros>},
    {"IX47E", Replace<kHits, FromTheLastToTheFirst>},
    {"IX48", Replace<kHits, DuplicatesAreAddedFirst>},
};

}  // namespace

std::span<const Bug> WindowBugs() { return kBugs; }

}  // namespace assay::broken
