// These bugs are in dot_general and convolution: in which elements meet, and in
// what is lost or counted twice of a sum.
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <utility>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/contraction.h"
#include "backends/calls/attributes.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using calls::Contraction;
using calls::ContractionDim;
using calls::ContractionWindow;
using Meetings = std::vector<Meeting>;

// ----------------------------------------------------------------------- Terms

// This hook changes which elements meet.
using ChangeMeetings = void (*)(const Contraction& contraction,
                                Meetings* meetings);
template <ChangeMeetings kChange>
Meetings ChangedMeetings(const Contraction& contraction,
                         const ResultIndex& index) {
  Meetings meetings = Meet(contraction, index);
  kChange(contraction, &meetings);
  return meetings;
}

// DT01.
void TheLastIsLost(const Contraction&, Meetings* meetings) {
  if (meetings->size() > 1) meetings->pop_back();
}
// DT02.
void TheTailIsDoubled(const Contraction&, Meetings* meetings) {
  const size_t count = meetings->size(), tail = count % 8;
  if (count < 8) return;
  for (size_t i = count - tail; i < count; ++i)
    meetings->push_back(Meeting((*meetings)[i]));
}
// DT03.
void AllButTheLastPartAreLost(const Contraction&, Meetings* meetings) {
  constexpr size_t kPart = 64;
  if (meetings->size() <= kPart) return;
  const size_t last = (meetings->size() - 1) / kPart * kPart;
  meetings->erase(meetings->begin(),
                  meetings->begin() + static_cast<int64_t>(last));
}
// DT04.
void OneIsLostBetweenVectors(const Contraction&, Meetings* meetings) {
  if (meetings->size() > 16) meetings->erase(meetings->begin() + 16);
}
// CN01.
void PaddingIsLost(const Contraction&, Meetings* meetings) {
  std::erase_if(*meetings, [](const Meeting& meeting) {
    return meeting.lhs == Meeting::kPadding;
  });
}

// ------------------------------------------------------------------ Dimensions

// This hook reads a call and then changes what it asks for.
using Change = void (*)(const AssayCall& call, Contraction* contraction);
template <Change kChange>
const char* Changed(const AssayCall& call, Contraction* contraction) {
  const char* missing = ReadContraction(call, contraction);
  if (missing == nullptr) kChange(call, contraction);
  return missing;
}

bool IsDot(const AssayCall& call) {
  return strcmp(call.op, "dot_general") == 0;
}

// DT10. The distance must lie within the operand.
void TheBatchIsTheRow(const AssayCall& call, Contraction* contraction) {
  if (!IsDot(call) || contraction->batch.empty() || contraction->rows.empty())
    return;
  ContractionDim& batch = contraction->batch.back();
  batch.lhs_stride =
      std::min(batch.lhs_stride, contraction->rows.back().lhs_stride);
}
// DT11.
void TermsAreInTheOrderOfRhs(const AssayCall&, Contraction* contraction) {
  Contraction::Dims& terms = contraction->terms;
  if (contraction->windows.empty() && terms.size() == 2 &&
      terms[0].size == terms[1].size)
    std::swap(terms[0].rhs_stride, terms[1].rhs_stride);
}
// DT12.
void RowsAreBeforeTheBatch(const AssayCall& call, Contraction* contraction) {
  if (!IsDot(call)) return;
  int64_t stride = 1;
  for (Contraction::Dims* dims :
       {&contraction->columns, &contraction->batch, &contraction->rows}) {
    for (size_t d = dims->size(); d-- > 0; stride *= (*dims)[d].size)
      (*dims)[d].result_stride = stride;
  }
}
// DT13.
void SquareRhsIsTransposed(const AssayCall& call, Contraction* contraction) {
  if (!IsDot(call) || contraction->terms.size() != 1 ||
      contraction->columns.size() != 1 ||
      contraction->terms[0].size != contraction->columns[0].size)
    return;
  std::swap(contraction->terms[0].rhs_stride,
            contraction->columns[0].rhs_stride);
}
// DT14.
void SquareResultIsTransposed(const AssayCall& call, Contraction* contraction) {
  if (!IsDot(call) || contraction->rows.size() != 1 ||
      contraction->columns.size() != 1 ||
      contraction->rows[0].size != contraction->columns[0].size)
    return;
  std::swap(contraction->rows[0].result_stride,
            contraction->columns[0].result_stride);
}
// DT15.
void EveryBatchHasTheFirstRhs(const AssayCall& call, Contraction* contraction) {
  if (!IsDot(call)) return;
  for (ContractionDim& dim : contraction->batch) dim.rhs_stride = 0;
}
// DT16.
void OnlyTheFirstOfTwoIsSummed(const AssayCall& call,
                               Contraction* contraction) {
  if (IsDot(call) && contraction->terms.size() > 1)
    contraction->terms.back().size =
        std::min<int64_t>(contraction->terms.back().size, 1);
}

// --------------------------------------------------------------------- Windows

int64_t SizeOfWindow(const Contraction& contraction,
                     const ContractionWindow& window) {
  return contraction.terms[window.term].size;
}

// How far a reversed window is from its begin to its first term.
int64_t Reach(const Contraction& contraction, const ContractionWindow& window) {
  return window.term_step < 0
             ? (SizeOfWindow(contraction, window) - 1) * -window.term_step
             : 0;
}

// Places that are not in the operand are padding, so that windows may be
// changed at will.
using ChangeWindow = void (*)(const Contraction& contraction,
                              ContractionWindow* window);
template <ChangeWindow kChange>
void EveryWindow(const AssayCall&, Contraction* contraction) {
  for (ContractionWindow& window : contraction->windows)
    kChange(*contraction, &window);
}

// CN02.
void TheLastPlaceIsPadding(const Contraction&, ContractionWindow* window) {
  window->size -= 1;
}
// CN10.
void WindowsAreNotDilated(const Contraction& contraction,
                          ContractionWindow* window) {
  window->begin -= Reach(contraction, *window);
  window->term_step = window->term_step < 0 ? -1 : 1;
  window->begin += Reach(contraction, *window);
}
// CN11.
void OperandsAreNotDilated(const Contraction&, ContractionWindow* window) {
  window->dilation = 1;
}
// CN17.
void LowPaddingIsTwice(const Contraction& contraction,
                       ContractionWindow* window) {
  window->begin += window->begin - Reach(contraction, *window);
}
// CN18.
void NegativePaddingIsNone(const Contraction& contraction,
                           ContractionWindow* window) {
  window->begin = std::min(window->begin, Reach(contraction, *window));
}
// CN12.
void TheSecondIsNotReversed(const AssayCall&, Contraction* contraction) {
  if (contraction->windows.size() < 2) return;
  ContractionWindow& window = contraction->windows[1];
  window.begin -= Reach(*contraction, window);
  window.term_step = std::abs(window.term_step);
}
// CN16.
void StridesAreInReverse(const AssayCall&, Contraction* contraction) {
  if (contraction->windows.size() < 2) return;
  std::swap(contraction->windows.front().row_step,
            contraction->windows.back().row_step);
}
// CN19.
void TheKernelIsFlipped(const Contraction& contraction,
                        ContractionWindow* window) {
  window->begin -= Reach(contraction, *window);
  window->term_step = -window->term_step;
  window->begin += Reach(contraction, *window);
}
// CN22.
void AnEvenWindowBeginsOneLate(const Contraction& contraction,
                               ContractionWindow* window) {
  if (SizeOfWindow(contraction, *window) % 2 == 0) window->begin += 1;
}

// ---------------------------------------------------------------------- Groups

bool HasGroups(const AssayCall& call, const char* name) {
  return calls::NumberOf(call, name).value_or(1) > 1;
}

// CN13.
void FeatureGroupsAreInReverse(const AssayCall& call,
                               Contraction* contraction) {
  if (!HasGroups(call, "feature_group_count")) return;
  ContractionDim& group = contraction->batch[0];
  contraction->lhs_first += (group.size - 1) * group.lhs_stride *
                            static_cast<int64_t>(contraction->operand.bytes());
  group.lhs_stride = -group.lhs_stride;
}
// CN14.
void BatchGroupsAreInterleaved(const AssayCall& call,
                               Contraction* contraction) {
  if (!HasGroups(call, "batch_group_count")) return;
  ContractionDim &group = contraction->batch[0], &image = contraction->rows[0];
  group.lhs_stride = image.lhs_stride;
  image.lhs_stride *= group.size;
}
// CN15.
void FeatureGroupsAreInterleaved(const AssayCall& call,
                                 Contraction* contraction) {
  if (!HasGroups(call, "feature_group_count")) return;
  ContractionDim &group = contraction->batch[0],
                 &feature = contraction->terms.back();
  group.lhs_stride = feature.lhs_stride;
  feature.lhs_stride *= group.size;
}
// CN20.
void EveryGroupHasTheFirstKernels(const AssayCall& call,
                                  Contraction* contraction) {
  if (HasGroups(call, "feature_group_count") ||
      HasGroups(call, "batch_group_count"))
    contraction->batch[0].rhs_stride = 0;
}
// CN21.
void PlacesOfTheKernelAreSwapped(const AssayCall&, Contraction* contraction) {
  Contraction::Dims& terms = contraction->terms;
  if (contraction->windows.size() < 2 || terms[0].size != terms[1].size) return;
  std::swap(terms[0].rhs_stride, terms[1].rhs_stride);
}

constexpr Bug kBugs[] = {
    {"DT01", Replace<&Hooks::meet, ChangedMeetings<TheLastIsLost>>},
    {"DT02", Replace<&Hooks::meet, ChangedMeetings<TheTailIsDoubled>>},
    {"DT03", Replace<&Hooks::meet, ChangedMeetings<AllButTheLastPartAreLost>>},
    {"DT04", Replace<&Hooks::meet, ChangedMeetings<OneIsLostBetweenVectors>>},
    {"CN01", Replace<&Hooks::meet, ChangedMeetings<PaddingIsLost>>},
    {"DT10", Replace<&Hooks::contraction, Changed<TheBatchIsTheRow>>},
    {"DT11", Replace<&Hooks::contraction, Changed<TermsAreInTheOrderOfRhs>>},
    {"DT12", Replace<&Hooks::contraction, Changed<RowsAreBeforeTheBatch>>},
    {"DT13", Replace<&Hooks::contraction, Changed<SquareRhsIsTransposed>>},
    {"DT14", Replace<&Hooks::contraction, Changed<SquareResultIsTransposed>>},
    {"DT15", Replace<&Hooks::contraction, Changed<EveryBatchHasTheFirstRhs>>},
    {"DT16", Replace<&Hooks::contraction, Changed<OnlyTheFirstOfTwoIsSummed>>},
    {"CN02",
     Replace<&Hooks::contraction, Changed<EveryWindow<TheLastPlaceIsPadding>>>},
    {"CN10",
     Replace<&Hooks::contraction, Changed<EveryWindow<WindowsAreNotDilated>>>},
    {"CN11",
     Replace<&Hooks::contraction, Changed<EveryWindow<OperandsAreNotDilated>>>},
    {"CN12", Replace<&Hooks::contraction, Changed<TheSecondIsNotReversed>>},
    {"CN13", Replace<&Hooks::contraction, Changed<FeatureGroupsAreInReverse>>},
    {"CN14", Replace<&Hooks::contraction, Changed<BatchGroupsAreInterleaved>>},
    {"CN15",
     Replace<&Hooks::contraction, Changed<FeatureGroupsAreInterleaved>>},
    {"CN16", Replace<&Hooks::contraction, Changed<StridesAreInReverse>>},
    {"CN17",
     Replace<&Hooks::contraction, Changed<EveryWindow<LowPaddingIsTwice>>>},
    {"CN18",
     Replace<&Hooks::contraction, Changed<EveryWindow<NegativePaddingIsNone>>>},
    {"CN19",
     Replace<&Hooks::contraction, Changed<EveryWindow<TheKernelIsFlipped>>>},
    {"CN20",
     Replace<&Hooks::contraction, Changed<EveryGroupHasTheFirstKernels>>},
    {"CN21",
     Replace<&Hooks::contraction, Changed<PlacesOfTheKernelAreSwapped>>},
    {"CN22", Replace<&Hooks::contraction,
                     Changed<EveryWindow<AnEvenWindowBeginsOneLate>>>},
};

}  // namespace

std::span<const Bug> ContractionBugs() { return kBugs; }

}  // namespace assay::broken
