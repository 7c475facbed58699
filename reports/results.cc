// The store keeps numbers instead of texts.
#include "reports/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace assay {

uint32_t TextPool::Number(std::string_view text) {
  const auto it = numbers_.find(text);
  if (it != numbers_.end()) return it->second;
  const uint32_t number = static_cast<uint32_t>(texts_.size());
  texts_.emplace_back(text);
  // Each text also takes memory for its string and its place in the map.
  bytes_ += static_cast<int64_t>(text.size()) + 96;
  numbers_.emplace(texts_.back(), number);
  return number;
}

uint32_t ListPool::Number(const std::vector<std::string>& list) {
  std::string joined;
  for (const std::string& text : list) {
    joined += text;
    joined += '\0';
  }
  const uint32_t number = joined_.Number(joined);
  if (number == lists_.size()) lists_.push_back(list);
  return number;
}

void Results::Append(const Verdict& verdict) {
  std::vector<std::string> also;
  for (const Outcome outcome : verdict.also) also.push_back(Name(outcome));
  if (!verdict.repeats.empty()) repeats_[records_.size()] = verdict.repeats;
  if (verdict.accuracy) accuracies_[records_.size()] = *verdict.accuracy;
  if (verdict.chunks) chunks_[records_.size()] = *verdict.chunks;
  records_.push_back({.index = verdict.index,
                      .elements = verdict.elements,
                      .open = verdict.open,
                      .unchecked_literals = verdict.unchecked_literals,
                      .layout_dependent = verdict.layout_dependent,
                      .distinct_tuples = verdict.distinct_tuples,
                      .aliased = verdict.aliased,
                      .not_repeated = verdict.not_repeated,
                      .reordered = verdict.reordered,
                      .packed = verdict.packed,
                      .error = verdict.error_ulps.value_or(
                          std::numeric_limits<double>::quiet_NaN()),
                      .case_name = texts_.Number(verdict.case_name),
                      .op = texts_.Number(verdict.op),
                      .type = texts_.Number(verdict.type),
                      .result_type = texts_.Number(verdict.result_type),
                      .backend = texts_.Number(verdict.backend),
                      .basis = texts_.Number(verdict.basis),
                      .message = texts_.Number(verdict.message),
                      .replay = texts_.Number(verdict.replay),
                      .variant = texts_.Number(verdict.variant),
                      .clauses = lists_.Number(verdict.clauses),
                      .violated = lists_.Number(verdict.violated),
                      .covered = lists_.Number(verdict.covered),
                      .layouts = lists_.Number(verdict.layouts),
                      .flush = lists_.Number(verdict.flush),
                      .also = lists_.Number(also),
                      .outcome = verdict.outcome});
}

int64_t Results::bytes() const {
  const size_t others = repeats_.size() * 256 + chunks_.size() * 128 +
                        accuracies_.size() * (sizeof(Accuracy) + 64);
  return static_cast<int64_t>(records_.capacity() * sizeof(Record) + others) +
         texts_.bytes() + lists_.bytes();
}

void Results::Get(size_t i, Verdict* verdict) const {
  const Record& record = records_[i];
  verdict->index = record.index;
  verdict->elements = record.elements;
  verdict->open = record.open;
  verdict->unchecked_literals = record.unchecked_literals;
  verdict->layout_dependent = record.layout_dependent;
  verdict->distinct_tuples = record.distinct_tuples;
  verdict->aliased = record.aliased;
  verdict->not_repeated = record.not_repeated;
  verdict->reordered = record.reordered;
  verdict->packed = record.packed;
  verdict->error_ulps.reset();
  if (!std::isnan(record.error)) verdict->error_ulps = record.error;
  verdict->case_name = texts_[record.case_name];
  verdict->op = texts_[record.op];
  verdict->type = texts_[record.type];
  verdict->result_type = texts_[record.result_type];
  verdict->backend = texts_[record.backend];
  verdict->basis = texts_[record.basis];
  verdict->message = texts_[record.message];
  verdict->replay = texts_[record.replay];
  verdict->variant = texts_[record.variant];
  verdict->clauses = lists_[record.clauses];
  verdict->violated = lists_[record.violated];
  verdict->covered = lists_[record.covered];
  verdict->layouts = lists_[record.layouts];
  verdict->flush = lists_[record.flush];
  verdict->also.clear();
  for (const std::string& name : lists_[record.also])
    verdict->also.push_back(*FindOutcome(name));
  verdict->outcome = record.outcome;
  verdict->accuracy.reset();
  if (const auto it = accuracies_.find(i); it != accuracies_.end())
    verdict->accuracy = it->second;
  verdict->chunks.reset();
  if (const auto it = chunks_.find(i); it != chunks_.end())
    verdict->chunks = it->second;
  verdict->repeats.clear();
  if (const auto it = repeats_.find(i); it != repeats_.end())
    verdict->repeats = it->second;
}

void Results::ForEach(const std::function<void(const Verdict&)>& each) const {
  Verdict verdict;
  for (size_t i = 0; i < records_.size(); ++i) {
    Get(i, &verdict);
    each(verdict);
  }
}

const std::string& Results::BackendOf(size_t i) const {
  return texts_[records_[i].backend];
}

const std::string& Results::CaseOf(size_t i) const {
  return texts_[records_[i].case_name];
}

}  // namespace assay
