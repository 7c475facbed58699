// These bugs are in map, reduce and sort: in the application of a function, in
// the order and number of what is reduced, and in what becomes of the elements
// of a slice. Ops without functions are right.
#include <string.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/regions.h"

namespace assay::broken {
namespace {

using Numbers = std::vector<int64_t>;
using Tuples = std::vector<Tuple>;

bool IsOp(const FunctionCall& call, const char* op) {
  return strcmp(call.call.op, op) == 0;
}

bool IsFloat(const DLDataType& type) {
  return type.code != kDLInt && type.code != kDLUInt &&
         type.code != ASSAY_DL_BOOL && type.code != kDLComplex;
}

// ------------------------------------------------------------------- Functions

// RG01. Where two captures have different types, the function could not run.
Tuple CapturesTheLastFirst(const FunctionCall& call, const Tuple& elements) {
  Tuple arguments = Bind(call, elements);
  const Scalar* first = call.captures.data();
  if (std::ranges::all_of(call.captures, [&](const Scalar& capture) {
        return HasType(capture, first->type);
      }))
    std::reverse(arguments.begin() + std::ssize(elements), arguments.end());
  return arguments;
}

// RG02. A function of another signature is applied as it is.
Tuple EveryFunctionIsASum(const FunctionCall& call,
                          const AssayFunction& function,
                          const Tuple& arguments) {
  Tuple results = Apply(call, function, arguments);
  if (arguments.size() == 2 && results.size() == 1 &&
      HasType(arguments[0], arguments[1].type) &&
      HasType(arguments[0], results[0].type))
    results[0] = RunOnScalars(call, "add", arguments, results[0].type);
  return results;
}

// RG03.
int32_t TheFirstBranch(const AssayFunctionOp&, const Scalar&) { return 0; }

// RG04.
Tuple TheFirstOperandTwice(const FunctionCall& call, const Tuple& elements) {
  Tuple changed = elements;
  if (IsOp(call, "map") && changed.size() >= 2 &&
      HasType(changed[0], changed[1].type))
    changed[1] = changed[0];
  return Bind(call, changed);
}

// -------------------------------------------------------------- Terms and
// inits

// RG05. All bytes of a Scalar are 0 at first.
Tuple StartsWithZero(const FunctionCall& call, const Tuples& terms,
                     const Tuple& init) {
  if (terms.empty()) return Fold(call, terms, init);
  Tuple zero;
  for (const Scalar& scalar : init) zero.push_back({scalar.type});
  return Fold(call, terms, zero);
}

// RG05E. The text allows it.
Tuple StartsWithTheFirstTerm(const FunctionCall& call, const Tuples& terms,
                             const Tuple& init) {
  if (terms.empty()) return Fold(call, terms, init);
  return Fold(call, Tuples(terms.begin() + 1, terms.end()), terms.front());
}

// RG06. Lanes without terms are combined with the others.
Tuple EveryLaneStartsWithInit(const FunctionCall& call, const Tuples& terms,
                              const Tuple& init) {
  Tuples longer(kLanes - 1, init);
  longer.insert(longer.end(), terms.begin(), terms.end());
  return Fold(call, longer, init);
}

// RG07. One term is right.
Tuple LosesTheLastOfAnOddNumber(const FunctionCall& call, const Tuples& terms,
                                const Tuple& init) {
  Tuples pairs = terms;
  if (terms.size() > 1 && terms.size() % 2 != 0) pairs.pop_back();
  return Fold(call, pairs, init);
}

// RG08. Fewer terms than a block are right.
Tuple LosesWhatIsBehindTheBlocks(const FunctionCall& call, const Tuples& terms,
                                 const Tuple& init) {
  constexpr size_t kBlock = 32;
  Tuples blocks = terms;
  if (terms.size() > kBlock) blocks.resize(terms.size() / kBlock * kBlock);
  return Fold(call, blocks, init);
}

// RG09.
Tuple TheTermIsTheFirstArgument(const FunctionCall& call, const Tuples& terms,
                                const Tuple& init) {
  Tuple result = InTypesOfResults(call, init);
  for (const Tuple& term : terms)
    result = ApplyToPair(call, InTypesOfResults(call, term), result);
  return result;
}

// RG10. Lane 0 takes terms 0, 8, ..
Tuple AddsLanes(const FunctionCall& call, const Tuples& terms,
                const Tuple& init) {
  Tuples by_lane;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    for (size_t i = lane; i < terms.size(); i += kLanes)
      by_lane.push_back(terms[i]);
  }
  return Fold(call, by_lane, init);
}

// RG24. Each lane is a sum of its own; neighbours are added until one is left.
Tuple AddsFourLanesApart(const FunctionCall& call, const Tuples& terms,
                         const Tuple& init) {
  constexpr size_t kApart = 4;
  if (terms.empty()) return Fold(call, terms, init);
  Tuples lanes;
  for (size_t lane = 0; lane < std::min(kApart, terms.size()); ++lane) {
    Tuples later;
    for (size_t i = lane + kApart; i < terms.size(); i += kApart)
      later.push_back(terms[i]);
    lanes.push_back(Fold(call, later, terms[lane]));
  }
  for (; lanes.size() > 1; lanes.resize((lanes.size() + 1) / 2)) {
    for (size_t i = 0; 2 * i < lanes.size(); ++i) {
      lanes[i] = 2 * i + 1 < lanes.size()
                     ? ApplyToPair(call, lanes[2 * i], lanes[2 * i + 1])
                     : lanes[2 * i];
    }
  }
  return ApplyToPair(call, InTypesOfResults(call, init), lanes[0]);
}

// RG11.
Numbers InTheOrderOfTheList(const Reduction& reduction, int64_t result) {
  return TermsAlong(reduction, reduction.dimensions, result);
}

// RG12.
Numbers AlongTheFirstAlone(const Reduction& reduction, int64_t result) {
  if (reduction.dimensions.size() < 2) return TermsOf(reduction, result);
  return TermsAlong(reduction, {reduction.dimensions[0]}, result);
}

// RG12N. Every result is that of all elements.
Numbers NoDimensionIsAll(const Reduction& reduction, int64_t result) {
  if (!reduction.dimensions.empty()) return TermsOf(reduction, result);
  Numbers all(reduction.shape.size());
  std::iota(all.begin(), all.end(), int64_t{0});
  return TermsAlong({reduction.shape, all}, all, 0);
}

// RG13.
Tuple NothingIsZero(const FunctionCall& call, const Tuples& terms,
                    const Tuple& init) {
  Tuple result = Fold(call, terms, init);
  if (!terms.empty()) return result;
  for (Scalar& scalar : result) scalar = {scalar.type};
  return result;
}

// Applies the body and has partial results go through other types.
template <class RoundTrip>
Tuple FoldThrough(const FunctionCall& call, const Tuples& terms,
                  const Tuple& init, const RoundTrip& round_trip) {
  Tuple result = InTypesOfResults(call, init);
  for (const Tuple& term : terms)
    result =
        round_trip(ApplyToPair(call, result, InTypesOfResults(call, term)));
  return result;
}

// RG14.
Tuple ConvertsTheResult(const FunctionCall& call, const Tuples& terms,
                        const Tuple& init) {
  return FoldThrough(call, terms, init, [&](const Tuple& wide) {
    Tuple narrow;
    for (size_t k = 0; k < wide.size(); ++k)
      narrow.push_back(ConvertedTo(call, init[k].type, wide[k]));
    return InTypesOfResults(call, narrow);
  });
}

// RG15.
Tuple AllStartWithTheFirst(const FunctionCall& call, const Tuples& terms,
                           const Tuple& init) {
  Tuple first;
  for (const Scalar& scalar : init)
    first.push_back(ConvertedTo(call, scalar.type, init[0]));
  return Fold(call, terms, first);
}

// RG16. Only sums of one operand are accumulated so.
Tuple AccumulatesInF32(const FunctionCall& call, const Tuples& terms,
                       const Tuple& init) {
  constexpr DLDataType kWide = {kDLFloat, 32, 1};
  const char* const monoid = call.function().monoid;
  const DLDataType type = call.outputs[0].type;
  if (monoid == nullptr || std::string_view(monoid) != "add" ||
      !IsFloat(type) || type.bits >= 32)
    return Fold(call, terms, init);
  Scalar sum = ConvertedTo(call, kWide, init[0]);
  for (const Tuple& term : terms) {
    sum = RunOnScalars(call, "add", {sum, ConvertedTo(call, kWide, term[0])},
                       kWide);
  }
  return {ConvertedTo(call, type, sum)};
}

// ------------------------------------------------------------------------
// Slices

// RG17.
void EqualElementsTurnRound(const FunctionCall& call, Tuples* rows) {
  std::ranges::reverse(*rows);
  Sort(call, rows);
}

// RG18.
void OnlyTheFirstMoves(const FunctionCall& call, Tuples* rows) {
  Tuples sorted = *rows;
  Sort(call, &sorted);
  for (size_t i = 0; i < rows->size(); ++i) (*rows)[i][0] = sorted[i][0];
}

// RG19.
bool ArgumentsChangePlaces(const FunctionCall& call, const Tuple& lhs,
                           const Tuple& rhs) {
  return IsLess(call, rhs, lhs);
}

// RG20.
void TheLastStays(const FunctionCall& call, Tuples* rows) {
  if (rows->empty()) return;
  const Tuple last = std::move(rows->back());
  rows->pop_back();
  Sort(call, rows);
  rows->push_back(last);
}

// RG21. There is no dimension before the first.
int64_t OneDimensionTooFar(int64_t dimension, int64_t rank) {
  if (dimension >= 0) return dimension;
  return std::max<int64_t>(dimension + rank - 1, 0);
}

// RG22.
bool TheFirstIsTheKey(const FunctionCall& call, const Tuple& lhs,
                      const Tuple& rhs) {
  AssayAttribute how[2] = {{"comparison_direction", "LT", nullptr, {}},
                           {"compare_type", "FLOAT", nullptr, {}}};
  const Scalar is_less = RunOnScalars(call, "compare", {lhs[0], rhs[0]},
                                      {ASSAY_DL_BOOL, 8, 1}, how, 2);
  return is_less.bytes[0] != 0;
}

// RG23.
void EqualElementsAreOne(const FunctionCall& call, Tuples* rows) {
  Sort(call, rows);
  for (size_t i = 1; i < rows->size(); ++i) {
    Tuple& row = (*rows)[i];
    const Tuple& before = (*rows)[i - 1];
    if (!IsLess(call, before, row) && !IsLess(call, row, before)) row = before;
  }
}

constexpr auto kFold = &Hooks::fold;
constexpr auto kSort = &Hooks::sort;
constexpr Bug kBugs[] = {
    {"RG01", Replace<&Hooks::bind, CapturesTheLastFirst>},
    {"RG02", Replace<&Hooks::apply, EveryFunctionIsASum>},
    {"RG03", Replace<&Hooks::choose, TheFirstBranch>},
    {"RG04", Replace<&Hooks::bind, TheFirstOperandTwice>},
    {"RG05", Replace<kFold, StartsWithZero>},
    {"RG05E", Replace<kFold, StartsWithTheFirstTerm>},
    {"RG06", Replace<kFold, EveryLaneStartsWithInit>},
    {"RG07", Replace<kFold, LosesTheLastOfAnOddNumber>},
    {"RG08", Replace<kFold, LosesWhatIsBehindTheBlocks>},
    {"RG09", Replace<kFold, TheTermIsTheFirstArgument>},
    {"RG10", Replace<kFold, AddsLanes>},
    {"RG11", Replace<&Hooks::terms, InTheOrderOfTheList>},
    {"RG12", Replace<&Hooks::terms, AlongTheFirstAlone>},
    {"RG12N", Replace<&Hooks::terms, NoDimensionIsAll>},
    {"RG13", Replace<kFold, NothingIsZero>},
    {"RG14", Replace<kFold, ConvertsTheResult>},
    {"RG15", Replace<kFold, AllStartWithTheFirst>},
    {"RG16", Replace<kFold, AccumulatesInF32>},
    {"RG17", Replace<kSort, EqualElementsTurnRound>},
    {"RG18", Replace<kSort, OnlyTheFirstMoves>},
    {"RG19", Replace<&Hooks::less, ArgumentsChangePlaces>},
    {"RG20", Replace<kSort, TheLastStays>},
    {"RG21", Replace<&Hooks::along, OneDimensionTooFar>},
    {"RG22", Replace<&Hooks::less, TheFirstIsTheKey>},
    {"RG23", Replace<kSort, EqualElementsAreOne>},
    {"RG24", Replace<kFold, AddsFourLanesApart>},
};

}  // namespace

std::span<const Bug> RegionBugs() { return kBugs; }

}  // namespace assay::broken
