#include "oracle/reduction/reducer.h"

#include <algorithm>
#include <cstring>

#include "oracle/reduction/column_rows.h"
#include "oracle/reduction/components.h"

namespace assay {
namespace {

// So many terms are folded at a time. They and what comes of them fit a cache.
constexpr int64_t kFoldedAtATime = 1 << 13;

}  // namespace

Reducer::Reducer(const Function& body, const OpCall& call)
    : function_(body),
      call_(call),
      rules_(call.policy),
      body_(body, call),
      component_functions_(ComponentsOf(body)) {
  for (const Function& component : component_functions_)
    components_.push_back(std::make_unique<Reducer>(component, call));
  for (const TypedName& result : body.results)
    types_.push_back(result.type.tensor().element_type);
  const OpSpec* whole = WholeOp(body);
  if (whole != nullptr && !whole->monoid.empty()) monoid_ = whole;
}

std::vector<OpMarks> Reducer::marks() const {
  std::vector<OpMarks> marks = body_.marks();
  for (const auto& component : components_) {
    for (const OpMarks& of : component->marks()) AddMarks(of, &marks);
  }
  return marks;
}

bool Reducer::IsExact() const {
  if (monoid_ == nullptr || IsComplex(types_[0])) return false;
  return monoid_->monoid == "exact" || !IsFloat(types_[0]);
}

bool Reducer::IsFloatMonoid() const {
  return monoid_ != nullptr && !IsExact() && monoid_->monoid != "exact";
}

bool Reducer::HasOtherNodes() const {
  return IsFloatMonoid() && (rules_.wider || rules_.flushes ||
                             call_.policy.Get("reduction_order") == "any");
}

InitCount Reducer::InitsFor(int64_t length) const {
  if (inits_.empty()) return {0, 0};
  const std::string& value = call_.policy.Get("reduction_init");
  if (value == "once") return {1, 1};
  const int64_t least = length == 0 ? 1 : 0;
  if (value == "any") return {least, InitCount::kAny};
  if (value == "at_most_terms_and_one") return {least, length + 1};
  return {least, std::max<int64_t>(length, 1)};
}

void Reducer::SetAll(int64_t row, const Possible& possible,
                     Reduction* reduction) const {
  for (Scalars& results : reduction->results) results.Set(row, possible);
}

Reducer::Row Reducer::RowOf(const std::vector<Scalars>& terms, int64_t row,
                            int64_t length) const {
  Row leaves;
  for (int64_t i = row * length; i < (row + 1) * length; ++i) {
    Tuple tuple;
    for (const Scalars& column : terms) tuple.push_back(ValueAt(column, i));
    leaves.push_back(std::move(tuple));
  }
  leaves.push_back(init_);
  return leaves;
}

Reduction Reducer::ReduceComponents(const std::vector<Scalars>& terms,
                                    int64_t rows, int64_t length) {
  Reduction reduction;
  reduction.reasons.resize(static_cast<size_t>(rows));
  for (size_t k = 0; k < components_.size(); ++k) {
    const std::vector<Scalars> inits = components_[k]->inits_;
    Reduction component =
        components_[k]->Reduce({terms[k]}, rows, length, inits);
    reduction.results.push_back(std::move(component.results[0]));
    for (size_t row = 0; row < reduction.reasons.size(); ++row)
      reduction.reasons[row] |= component.reasons[row];
  }
  JoinComponents(terms, rows, length, &reduction);
  return reduction;
}

void Reducer::DecideByComponents(const std::vector<Scalars>& terms,
                                 int64_t rows, int64_t length,
                                 Reduction* reduction) {
  std::vector<int64_t> undecided;
  for (int64_t row = 0; row < rows; ++row) {
    if (std::ranges::any_of(reduction->results, [&](const Scalars& results) {
          return results.StateAt(row) == Scalars::State::kSeveral &&
                 results.At(row).kind == Possible::Kind::kUndecided;
        }))
      undecided.push_back(row);
  }
  if (undecided.empty()) return;
  const int64_t count = std::ssize(undecided);
  std::vector<Scalars> of_rows;
  for (const Scalars& column : terms) {
    of_rows.push_back(Uninitialised(column.type(), count * length));
    for (int64_t i = 0; i < count; ++i)
      CopyRows(column, {undecided[static_cast<size_t>(i)] * length, length}, 1,
               length, {i * length, length}, &of_rows.back());
  }
  Reduction decided = ReduceComponents(of_rows, count, length);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row = undecided[static_cast<size_t>(i)];
    for (size_t k = 0; k < types_.size(); ++k)
      reduction->results[k].Set(row, decided.results[k].At(i));
    reduction->reasons[static_cast<size_t>(row)] |=
        decided.reasons[static_cast<size_t>(i)];
  }
  for (TupleChoice& choice : decided.choices)
    reduction->choices.push_back({undecided[static_cast<size_t>(choice.index)],
                                  std::move(choice.tuples)});
}

Reduction Reducer::Reduce(const std::vector<Scalars>& terms, int64_t rows,
                          int64_t length, const std::vector<Scalars>& inits) {
  inits_ = inits;
  // What is asked of a component needs its initial value, whoever reduces.
  for (size_t k = 0; k < components_.size(); ++k) {
    components_[k]->inits_.clear();
    if (!inits.empty()) components_[k]->inits_ = {inits[k]};
  }
  init_.clear();
  bool init_is_known = true;
  for (const Scalars& init : inits) {
    init_.push_back(ValueAt(init, 0));
    init_is_known &= init.StateAt(0) != Scalars::State::kSeveral;
  }
  // A policy may let a sum have other trees and roundings than a function that
  // holds it beside others, so that each component is reduced by itself.
  const bool has_others = std::ranges::any_of(
      components_,
      [](const auto& component) { return component->HasOtherNodes(); });
  if (!components_.empty() &&
      (length > kFewTerms || (length > 0 && has_others)))
    return ReduceComponents(terms, rows, length);
  Reduction reduction;
  reduction.reasons.resize(static_cast<size_t>(rows));
  for (const ElementType type : types_) {
    Tensor values(TensorType({rows}, type));
    std::memset(values.data(), 0, static_cast<size_t>(values.byte_size()));
    reduction.results.emplace_back(std::move(values));
  }
  if (rows == 0) return reduction;
  if (length == 0) {
    for (uint8_t& reasons : reduction.reasons) reasons = Reduction::kInit;
    const bool is_left = InitsFor(0).most == 1 || RowsAreLeft(terms, {0})[0];
    for (int64_t row = 0; row < rows; ++row) {
      for (size_t k = 0; k < types_.size(); ++k)
        reduction.results[k].Set(row,
                                 is_left ? inits[k].At(0) : Possible::Open());
    }
    return reduction;
  }
  if (IsExact()) {
    ReduceExactly(terms, rows, length, &reduction);
  } else if (IsFloatMonoid() &&
             (length > kFewTerms || rules_.wider || rules_.flushes)) {
    ReduceFloats(terms[0], rows, length, &reduction);
  } else if (length <= kFewTerms) {
    std::vector<Row> all;
    for (int64_t row = 0; row < rows; ++row)
      all.push_back(RowOf(terms, row, length));
    ReduceFew(all, length, &reduction);
    if (!components_.empty())
      DecideByComponents(terms, rows, length, &reduction);
  } else {
    ReduceByProof(terms, rows, length, &reduction);
  }
  // Trees are made of leaves that have one value each.
  for (int64_t row = 0; row < rows; ++row) {
    bool is_known = init_is_known;
    for (const Scalars& column : terms) {
      for (int64_t i = row * length;
           i < (row + 1) * length && !column.AllKnown(); ++i)
        is_known &= column.StateAt(i) != Scalars::State::kSeveral;
    }
    if (is_known) continue;
    SetAll(row, Possible::Undecided(), &reduction);
    std::erase_if(reduction.choices,
                  [&](const TupleChoice& c) { return c.index == row; });
  }
  return reduction;
}

std::vector<Scalars> Reducer::FoldFew(const std::vector<Scalars>& terms,
                                      int64_t begin, int64_t rows,
                                      int64_t length) {
  std::vector<Scalars> folded;
  for (const Scalars& column : terms) {
    folded.push_back(Uninitialised(column.type(), rows));
    if (length == 1)
      CopyRows(column, {begin, 1}, rows, 1, {0, 1}, &folded.back());
  }
  const std::vector<Scalars>* from = &terms;
  while (length > 1) {
    const int64_t pairs = length / 2, next = length - pairs;
    std::vector<Scalars> arguments;
    for (const int64_t side : {0, 1}) {
      for (const Scalars& column : *from) {
        arguments.push_back(Uninitialised(column.type(), rows * pairs));
        CopyRows(column, {begin + side, length, 2}, rows, pairs, {0, pairs},
                 &arguments.back());
      }
    }
    std::vector<Scalars> results = body_.Apply(arguments);
    for (size_t k = 0; k < results.size() && next > pairs; ++k) {
      Scalars longer = Uninitialised(types_[k], rows * next);
      CopyRows(results[k], {0, pairs}, rows, pairs, {0, next}, &longer);
      CopyRows((*from)[k], {begin + length - 1, length}, rows, 1, {pairs, next},
               &longer);
      results[k] = std::move(longer);
    }
    folded = std::move(results);
    from = &folded;
    begin = 0;
    length = next;
  }
  return folded;
}

std::vector<Scalars> Reducer::Fold(const std::vector<Scalars>& terms,
                                   int64_t rows, int64_t length) {
  if (rows * length <= kFoldedAtATime) return FoldFew(terms, 0, rows, length);
  // Rows that are short are folded some at a time. Of long ones the parts are
  // folded first.
  const int64_t part = std::min(length, kFoldedAtATime);
  const int64_t parts = (length + part - 1) / part;
  const int64_t rows_at_a_time = parts > 1 ? 1 : kFoldedAtATime / part;
  std::vector<Scalars> folded;
  for (const Scalars& column : terms)
    folded.push_back(Uninitialised(column.type(), rows * parts));
  for (int64_t row = 0; row < rows; row += rows_at_a_time) {
    const int64_t few = std::min(rows_at_a_time, rows - row);
    for (int64_t p = 0; p < parts; ++p) {
      const std::vector<Scalars> results =
          FoldFew(terms, row * length + p * part, few,
                  std::min(part, length - p * part));
      for (size_t k = 0; k < results.size(); ++k)
        CopyRows(results[k], {0, few}, 1, few, {row * parts + p, few},
                 &folded[k]);
    }
  }
  return parts > 1 ? Fold(folded, rows, parts) : folded;
}

std::vector<uint8_t> Reducer::AreLeft(const std::vector<Scalars>& values) {
  const int64_t size = values[0].size();
  std::vector<uint8_t> are_left(static_cast<size_t>(size), 1);
  for (int64_t begin = 0; begin < size; begin += kFoldedAtATime) {
    const int64_t few = std::min(kFoldedAtATime, size - begin);
    std::vector<Scalars> lhs, rhs;
    for (size_t k = 0; k < values.size(); ++k) {
      lhs.push_back(Uninitialised(types_[k], few));
      CopyRows(values[k], {begin, few}, 1, few, {0, few}, &lhs.back());
      rhs.push_back(Scalars::Repeated(types_[k], inits_[k].At(0), few));
    }
    const std::vector<Scalars> tried = lhs;
    for (const bool init_is_first : {false, true}) {
      if (init_is_first) std::swap(lhs, rhs);
      std::vector<Scalars> arguments = lhs;
      arguments.insert(arguments.end(), rhs.begin(), rhs.end());
      const std::vector<Scalars> results = body_.Apply(arguments);
      for (size_t k = 0; k < results.size(); ++k) {
        for (int64_t i = 0; i < few; ++i)
          are_left[static_cast<size_t>(begin + i)] &=
              IsSameValue(results[k], tried[k], i);
      }
    }
  }
  return are_left;
}

std::vector<bool> Reducer::RowsAreLeft(const std::vector<Scalars>& values,
                                       const std::vector<int64_t>& ends) {
  if (inits_.empty()) return std::vector<bool>(ends.size(), true);
  if (AreLeft(inits_)[0] == 0) return std::vector<bool>(ends.size(), false);
  const std::vector<uint8_t> are_left = AreLeft(values);
  std::vector<bool> rows;
  int64_t begin = 0;
  for (const int64_t end : ends) {
    rows.push_back(std::find(are_left.begin() + begin, are_left.begin() + end,
                             0) == are_left.begin() + end);
    begin = end;
  }
  return rows;
}

void Reducer::SetResults(int64_t row, const TreeSet& set,
                         Reduction* reduction) const {
  if (set.kind != Possible::Kind::kRanges) {
    SetAll(row,
           set.kind == Possible::Kind::kOpen ? Possible::Open()
                                             : Possible::Undecided(),
           reduction);
    return;
  }
  for (size_t k = 0; k < types_.size(); ++k) {
    Possible possible;
    for (const Tuple& tuple : set.tuples) {
      Possible one = Possible::Value(tuple[k].bits);
      one.any_nan = tuple[k].any_nan;
      possible.Add(types_[k], one, set.most);
    }
    reduction->results[k].Set(row, possible);
  }
  if (types_.size() > 1 && set.tuples.size() > 1)
    reduction->choices.push_back({row, set.tuples});
}

}  // namespace assay
