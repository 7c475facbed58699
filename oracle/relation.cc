#include "oracle/relation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "oracle/allowed_range.h"
#include "oracle/judge.h"
#include "oracle/scalars.h"

namespace assay {
namespace {

Tuple TupleAt(std::span<const Tensor> results, int64_t index, bool any_nan) {
  Tuple tuple;
  for (const Tensor& result : results)
    tuple.push_back(
        CanonicalValue(result.element_type(), result.Bits(index), any_nan));
  return tuple;
}

// Orders tuples by their bits.
bool IsBefore(const Tuple& a, const Tuple& b) {
  return std::ranges::lexicographical_compare(
      a, b, {}, [](const TupleValue& v) { return v.bits; },
      [](const TupleValue& v) { return v.bits; });
}

std::string TextOf(std::span<const Tensor> results, const Tuple& tuple) {
  std::vector<std::string> values;
  for (size_t k = 0; k < tuple.size(); ++k) {
    const ElementType type = results[k].element_type();
    values.push_back(fmt::format("{} ({})", FormatValue(type, tuple[k].bits),
                                 FormatBits(type, tuple[k].bits)));
  }
  return values.size() == 1 ? values[0]
                            : fmt::format("({})", fmt::join(values, ", "));
}

std::string TextOf(std::span<const Tensor> results,
                   const std::vector<Tuple>& tuples) {
  constexpr size_t kMostShown = 4;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(tuples.size(), kMostShown); ++i)
    texts.push_back(TextOf(results, tuples[i]));
  std::string text = fmt::format("{}", fmt::join(texts, ", "));
  if (tuples.size() > kMostShown)
    text += fmt::format(" and {} more", tuples.size() - kMostShown);
  return text;
}

std::string IndexText(std::span<const Tensor> results, int64_t index) {
  return fmt::format(
      "[{}]", fmt::join(Unflatten(results[0].type().shape, index), ", "));
}

void AddFailure(int64_t index, int64_t count, Judgement* judgement) {
  judgement->failed += count;
  if (judgement->first_failed < 0 || index < judgement->first_failed)
    judgement->first_failed = judgement->worst_failed = index;
}

}  // namespace

TupleValue CanonicalValue(ElementType type, ElementBits bits, bool any_nan) {
  if (!any_nan || !HasNan(type, bits)) return {bits, false};
  const ElementType part_type = PartType(type);
  const int part_bits = Info(part_type).bits;
  ElementBits canonical = 0;
  for (int p = PartCount(type); p-- > 0;) {
    const ElementBits part = PartOf(type, bits, p);
    canonical = (canonical << part_bits) |
                (judging::IsNan(part_type, part)
                     ? ElementBits{FormatOf(part_type).nan_code()}
                     : part);
  }
  return {canonical, true};
}

PermutationRelation::Difference PermutationRelation::DifferenceOf(
    const PermutedTuples& group, std::span<const Tensor> results) const {
  std::vector<std::pair<Tuple, int64_t>> returned;
  for (const int64_t index : group.indices)
    returned.emplace_back(TupleAt(results, index, !keeps_nans_), index);
  std::ranges::stable_sort(returned, IsBefore,
                           &std::pair<Tuple, int64_t>::first);
  std::vector<Tuple> allowed = group.tuples;
  std::ranges::sort(allowed, IsBefore);
  Difference difference;
  size_t i = 0, j = 0;
  while (i < returned.size() || j < allowed.size()) {
    const bool is_surplus =
        j == allowed.size() ||
        (i < returned.size() && IsBefore(returned[i].first, allowed[j]));
    const bool is_missing =
        !is_surplus &&
        (i == returned.size() || IsBefore(allowed[j], returned[i].first));
    if (is_surplus) {
      difference.returned.push_back(returned[i].first);
      if (difference.index < 0) difference.index = returned[i].second;
      ++i;
    } else if (is_missing) {
      difference.missing.push_back(allowed[j++]);
    } else {
      ++i, ++j;
    }
  }
  return difference;
}

Judgement PermutationRelation::Judge(std::span<const Tensor> results) const {
  Judgement judgement;
  judgement.elements = results[0].size();
  for (const PermutedTuples& group : groups_) {
    const Difference difference = DifferenceOf(group, results);
    if (!difference.returned.empty())
      AddFailure(difference.index, std::ssize(difference.returned), &judgement);
  }
  return judgement;
}

std::string PermutationRelation::Explain(
    std::span<const Tensor> results) const {
  for (const PermutedTuples& group : groups_) {
    const Difference difference = DifferenceOf(group, results);
    if (difference.returned.empty()) continue;
    return fmt::format(
        "the {} elements from {} on are no permutation of those that belong "
        "there\n  returned too often: {}\n  missing: {}",
        group.indices.size(), IndexText(results, group.indices[0]),
        TextOf(results, difference.returned),
        TextOf(results, difference.missing));
  }
  return "";
}

Judgement ChoiceRelation::Judge(std::span<const Tensor> results) const {
  Judgement judgement;
  judgement.elements = results[0].size();
  for (const TupleChoice& choice : choices_) {
    const bool is_one =
        std::ranges::any_of(choice.tuples, [&](const Tuple& tuple) {
          for (size_t k = 0; k < tuple.size(); ++k) {
            if (CanonicalValue(results[k].element_type(),
                               results[k].Bits(choice.index),
                               tuple[k].any_nan) != tuple[k])
              return false;
          }
          return true;
        });
    if (!is_one) AddFailure(choice.index, 1, &judgement);
  }
  return judgement;
}

std::string ChoiceRelation::Explain(std::span<const Tensor> results) const {
  const int64_t index = Judge(results).first_failed;
  const auto choice = std::ranges::find(choices_, index, &TupleChoice::index);
  return fmt::format(
      "the results at {} do not belong together\n  returned: {}\n  allowed: {}",
      IndexText(results, index),
      TextOf(results, TupleAt(results, index, false)),
      TextOf(results, choice->tuples));
}

}  // namespace assay
