// These bugs are in reduce_window and select_and_scatter: in where windows lie,
// in what is padding, and in which source values go where.
#include <string.h>

#include <algorithm>
#include <utility>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/sliding.h"
#include "backends/calls/dims_view.h"

namespace assay::broken {
namespace {

using Numbers = std::vector<int64_t>;
using Tuples = std::vector<Tuple>;

// ------------------------------------------------------------ Where windows
// lie

// RW01. One dimension is enough to show it.
Numbers BordersBeginAtTheFirstElement(const Sliding& sliding, int64_t window) {
  Sliding changed = sliding;
  int64_t left = window;
  for (size_t d = sliding.shape.size(); d-- > 0; left /= sliding.windows[d]) {
    const int64_t start = left % sliding.windows[d] * sliding.strides[d];
    if (start < sliding.low[d]) changed.low[d] = start;
  }
  return Slide(changed, window);
}

// These hooks change a number of the windows.
template <auto kChange>
Numbers Changed(const Sliding& sliding, int64_t window) {
  Sliding changed = sliding;
  kChange(&changed);
  return Slide(changed, window);
}

// RW02.
void WithoutBaseDilations(Sliding* sliding) {
  std::ranges::fill(sliding->base_dilations, 1);
}
// RW03.
void WithoutWindowDilations(Sliding* sliding) {
  std::ranges::fill(sliding->dilations, 1);
}
// RW05.
void NothingIsCut(Sliding* sliding) {
  for (int64_t& low : sliding->low) low = std::max<int64_t>(low, 0);
}
// RW06.
void StridesAreDilations(Sliding* sliding) {
  std::swap(sliding->strides, sliding->dilations);
}
// RW15.
void TheOtherEndIsPadded(Sliding* sliding) {
  std::swap(sliding->low, sliding->high);
}
// RW16.
void OneStrideForAll(Sliding* sliding) {
  for (int64_t& stride : sliding->strides) stride = sliding->strides[0];
}

// RW07. A window of more elements than a block is taken from its tail on.
Numbers TheTailComesFirst(const Sliding& sliding, int64_t window) {
  constexpr int64_t kBlock = 16;
  Numbers places = Slide(sliding, window);
  if (std::ssize(places) > kBlock)
    std::rotate(places.begin(), places.begin() + kBlock, places.end());
  return places;
}

// RW08.
Numbers TheLastIsLost(const Sliding& sliding, int64_t window) {
  Numbers places = Slide(sliding, window);
  if (places.size() > 1) places.pop_back();
  return places;
}

// RW18. Windows of one dimension are right.
Numbers TheFirstDimensionIsInnermost(const Sliding& sliding, int64_t window) {
  const Numbers places = Slide(sliding, window);
  const Numbers steps = calls::RowMajor(sliding.sizes);
  Numbers turned;
  for (int64_t i = 0; i < std::ssize(places); ++i) {
    int64_t left = i, from = 0;
    for (size_t d = 0; d < sliding.sizes.size(); ++d) {
      from += left % sliding.sizes[d] * steps[d];
      left /= sliding.sizes[d];
    }
    turned.push_back(places[static_cast<size_t>(from)]);
  }
  return turned;
}

// -------------------------------------------------------------- What is
// padding

// RW04. All bytes of a Scalar are 0 at first.
Tuples PaddingIsZero(const FunctionCall& call, const Sliding& sliding,
                     int64_t window, const Numbers& places) {
  Tuples terms = Seen(call, sliding, window, places);
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != kPadding) continue;
    for (Scalar& scalar : terms[i]) scalar = {scalar.type};
  }
  return terms;
}

// RW09. Operands of another type than the first one are right.
Tuples PaddedByTheFirstInit(const FunctionCall& call, const Sliding& sliding,
                            int64_t window, const Numbers& places) {
  Tuples terms = Seen(call, sliding, window, places);
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != kPadding) continue;
    for (Scalar& scalar : terms[i]) {
      if (HasType(scalar, terms[i][0].type)) scalar = terms[i][0];
    }
  }
  return terms;
}

// RW10.
Tuples OthersStayAtTheFirstWindow(const FunctionCall& call,
                                  const Sliding& sliding, int64_t window,
                                  const Numbers& places) {
  Tuples terms = Seen(call, sliding, window, places);
  const Tuples first = Seen(call, sliding, 0, Slide(sliding, 0));
  for (size_t i = 0; i < std::min(terms.size(), first.size()); ++i) {
    for (size_t k = 1; k < terms[i].size(); ++k) terms[i][k] = first[i][k];
  }
  return terms;
}

// RW19.
Tuples PaddingRepeatsTheElementBefore(const FunctionCall& call,
                                      const Sliding& sliding, int64_t window,
                                      const Numbers& places) {
  Tuples terms = Seen(call, sliding, window, places);
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i] == kPadding) terms[i] = terms[i - 1];
  }
  return terms;
}

// RW14. Where there are more terms than two the text allows it.
Tuple InitEntersTwice(const FunctionCall& call, const Tuples& terms,
                      const Tuple& init) {
  if (strcmp(call.call.op, "reduce_window") != 0)
    return Fold(call, terms, init);
  Tuples longer = terms;
  longer.push_back(init);
  return Fold(call, longer, init);
}

// ------------------------------------------------- What is selected and
// scattered

// RW11. Of two elements of which each is as good as the other.
int64_t TiesGoToTheLast(const FunctionCall& call, const Numbers& places) {
  int64_t picked = kPadding;
  for (const int64_t place : places) {
    if (place == kPadding) continue;
    if (picked != kPadding) {
      const Scalar a = call.inputs[0].At(picked), b = call.inputs[0].At(place);
      if (Selects(call, a, b) && !Selects(call, b, a)) continue;
    }
    picked = place;
  }
  return picked;
}

// RW13. A window whose padding is selected scatters nothing.
int64_t PaddingIsSelected(const FunctionCall& call, const Numbers& places) {
  if (places.empty()) return kPadding;
  const auto at = [&](int64_t place) {
    return place == kPadding ? call.init_values[1].At(0)
                             : call.inputs[0].At(place);
  };
  int64_t picked = places[0];
  for (const int64_t place : places) {
    if (place != places[0] || places[0] == kPadding) {
      if (!Selects(call, at(picked), at(place))) picked = place;
    }
  }
  return picked;
}

// RW20.
int64_t ArgumentsAreExchanged(const FunctionCall& call, const Numbers& places) {
  int64_t picked = kPadding;
  for (const int64_t place : places) {
    if (place == kPadding) continue;
    if (picked == kPadding ||
        Selects(call, call.inputs[0].At(place), call.inputs[0].At(picked)))
      picked = place;
  }
  return picked;
}

// RW12.
Numbers TheLastSourceWins(const Numbers& selected, int64_t element) {
  const Numbers windows = Givers(selected, element);
  if (windows.empty()) return {};
  return {windows.back()};
}

// RW17.
Numbers SourcesFromTheLastOn(const Numbers& selected, int64_t element) {
  Numbers windows = Givers(selected, element);
  std::ranges::reverse(windows);
  return windows;
}

constexpr auto kSlide = &Hooks::slide;
constexpr auto kSeen = &Hooks::seen;
constexpr auto kPick = &Hooks::pick;
constexpr Bug kBugs[] = {
    {"RW01", Replace<kSlide, BordersBeginAtTheFirstElement>},
    {"RW02", Replace<kSlide, Changed<WithoutBaseDilations>>},
    {"RW03", Replace<kSlide, Changed<WithoutWindowDilations>>},
    {"RW04", Replace<kSeen, PaddingIsZero>},
    {"RW05", Replace<kSlide, Changed<NothingIsCut>>},
    {"RW06", Replace<kSlide, Changed<StridesAreDilations>>},
    {"RW07", Replace<kSlide, TheTailComesFirst>},
    {"RW08", Replace<kSlide, TheLastIsLost>},
    {"RW09", Replace<kSeen, PaddedByTheFirstInit>},
    {"RW10", Replace<kSeen, OthersStayAtTheFirstWindow>},
    {"RW11", Replace<kPick, TiesGoToTheLast>},
    {"RW12", Replace<&Hooks::givers, TheLastSourceWins>},
    {"RW13", Replace<kPick, PaddingIsSelected>},
    {"RW14", Replace<&Hooks::fold, InitEntersTwice>},
    {"RW15", Replace<kSlide, Changed<TheOtherEndIsPadded>>},
    {"RW16", Replace<kSlide, Changed<OneStrideForAll>>},
    {"RW17", Replace<&Hooks::givers, SourcesFromTheLastOn>},
    {"RW18", Replace<kSlide, TheFirstDimensionIsInnermost>},
    {"RW19", Replace<kSeen, PaddingRepeatsTheElementBefore>},
    {"RW20", Replace<kPick, ArgumentsAreExchanged>},
};

}  // namespace

std::span<const Bug> SlidingBugs() { return kBugs; }

}  // namespace assay::broken
