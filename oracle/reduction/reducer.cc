#include "oracle/reduction/reducer.h"

#include <algorithm>
#include <cstring>

#include "oracle/reduction/components.h"

namespace assay {
namespace {

// Returns the op that is all of a function of two arguments, which it has as
// its operands.
const OpSpec* WholeOp(const Function& function) {
  if (function.body.size() != 1 || function.inputs.size() != 2) return nullptr;
  const Op& op = function.body[0];
  if (op.inputs.size() != 2 || op.outputs.size() != 1 ||
      function.results[0].name != op.outputs[0].value)
    return nullptr;
  const std::string &a = function.inputs[0].name, &b = function.inputs[1].name;
  const std::string &x = op.inputs[0].value, &y = op.inputs[1].value;
  return (x == a && y == b) || (x == b && y == a) ? FindOp(op.op) : nullptr;
}

// Copies elements first, first + step, .. of each row of `from`, so many, to
// the rows of `to`, from `at` on.
void CopyRows(const Scalars& from, int64_t from_length, int64_t first,
              int64_t step, int64_t rows, int64_t count, int64_t to_length,
              int64_t at, Scalars* to) {
  Tensor values = to->values();
  WithWord(from.type(), [&]<class Word>(Word) {
    const auto* source = reinterpret_cast<const Word*>(from.values().data());
    auto* target = reinterpret_cast<Word*>(values.data());
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t i = 0; i < count; ++i)
        target[row * to_length + at + i] =
            source[row * from_length + first + step * i];
    }
  });
  if (from.AllKnown()) return;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t source = row * from_length + first + step * i;
      if (from.StateAt(source) != Scalars::State::kKnown)
        to->Set(row * to_length + at + i, from.At(source));
    }
  }
}

Scalars Uninitialised(ElementType type, int64_t size) {
  return Scalars(Tensor(TensorType({size}, type)));
}

TupleValue ValueAt(const Scalars& column, int64_t i) {
  return CanonicalValue(column.type(), column.values().Bits(i),
                        column.StateAt(i) == Scalars::State::kAnyNan);
}

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

InitCount Reducer::InitsFor(int64_t length) const {
  const std::string& value = call_.policy.Get("reduction_init");
  if (value == "once") return {1, 1};
  const int64_t least = length == 0 ? 1 : 0;
  if (value == "any") return {least, InitCount::kAny};
  return {least, std::max<int64_t>(length, 1)};
}

void Reducer::SetAll(int64_t row, const Possible& possible,
                     Reduction* reduction) const {
  for (Scalars& results : reduction->results) results.Set(row, possible);
}

std::vector<Reducer::Row> Reducer::RowsOf(const std::vector<Scalars>& terms,
                                          int64_t rows, int64_t length) const {
  std::vector<Row> result(static_cast<size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) {
    Row& leaves = result[static_cast<size_t>(row)];
    for (int64_t i = 0; i < length; ++i) {
      Tuple tuple;
      for (const Scalars& column : terms)
        tuple.push_back(ValueAt(column, row * length + i));
      leaves.push_back(std::move(tuple));
    }
    leaves.push_back(init_);
  }
  return result;
}

Reduction Reducer::ReduceComponents(const std::vector<Scalars>& terms,
                                    int64_t rows, int64_t length,
                                    const std::vector<Scalars>& inits) {
  Reduction reduction;
  reduction.reasons.resize(static_cast<size_t>(rows));
  for (size_t k = 0; k < components_.size(); ++k) {
    Reduction component =
        components_[k]->Reduce({terms[k]}, rows, length, {inits[k]});
    reduction.results.push_back(std::move(component.results[0]));
    for (size_t row = 0; row < reduction.reasons.size(); ++row)
      reduction.reasons[row] |= component.reasons[row];
  }
  return reduction;
}

Reduction Reducer::Reduce(const std::vector<Scalars>& terms, int64_t rows,
                          int64_t length, const std::vector<Scalars>& inits) {
  if (length > kFewTerms && !components_.empty())
    return ReduceComponents(terms, rows, length, inits);
  inits_ = inits;
  init_.clear();
  bool init_is_known = true;
  for (const Scalars& init : inits) {
    init_.push_back(ValueAt(init, 0));
    init_is_known &= init.StateAt(0) != Scalars::State::kSeveral;
  }
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
    const bool is_left = InitsFor(0).most == 1 || AreLeft({{}})[0];
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
    ReduceFew(RowsOf(terms, rows, length), length, &reduction);
  } else {
    ReduceByProof(terms, RowsOf(terms, rows, length), length, &reduction);
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

std::vector<Scalars> Reducer::Fold(std::vector<Scalars> terms, int64_t rows,
                                   int64_t length) {
  for (size_t k = 0; k < terms.size() && length == 1; ++k) {
    Scalars copy = Uninitialised(types_[k], rows);
    CopyRows(terms[k], 1, 0, 1, rows, 1, 1, 0, &copy);
    terms[k] = std::move(copy);
  }
  while (length > 1) {
    const int64_t pairs = length / 2, next = length - pairs;
    std::vector<Scalars> arguments;
    for (const int64_t side : {0, 1}) {
      for (const Scalars& column : terms) {
        arguments.push_back(Uninitialised(column.type(), rows * pairs));
        CopyRows(column, length, side, 2, rows, pairs, pairs, 0,
                 &arguments.back());
      }
    }
    std::vector<Scalars> results = body_.Apply(arguments);
    for (size_t k = 0; k < terms.size() && next > pairs; ++k) {
      Scalars longer = Uninitialised(types_[k], rows * next);
      CopyRows(results[k], pairs, 0, 1, rows, pairs, next, 0, &longer);
      CopyRows(terms[k], length, length - 1, 1, rows, 1, next, pairs, &longer);
      results[k] = std::move(longer);
    }
    terms = std::move(results);
    length = next;
  }
  return terms;
}

std::vector<bool> Reducer::AreLeft(
    const std::vector<std::vector<Tuple>>& values) {
  TreeFolder folder(&body_, types_);
  struct Question {
    size_t row;
    const Tuple* value;
    TreeSet result;
  };
  std::vector<Question> questions;
  for (size_t row = 0; row < values.size(); ++row) {
    for (const Tuple& value : values[row]) {
      questions.push_back({row, &value, {}});
      questions.push_back({row, &value, {}});
    }
    questions.push_back({row, &init_, {}});
  }
  for (size_t q = 0; q < questions.size(); ++q) {
    Question& question = questions[q];
    if (q % 2 == 0) {
      folder.Add(*question.value, init_, &question.result);
    } else {
      folder.Add(init_, *question.value, &question.result);
    }
  }
  folder.Run();
  std::vector<bool> are_left(values.size(), true);
  for (const Question& question : questions) {
    const TreeSet& result = question.result;
    if (result.kind != Possible::Kind::kRanges || result.tuples.size() != 1 ||
        result.tuples[0] != *question.value)
      are_left[question.row] = false;
  }
  return are_left;
}

void Reducer::SetResults(int64_t row, const std::vector<const TreeSet*>& sets,
                         Reduction* reduction) const {
  for (const TreeSet* set : sets) {
    if (set->kind == Possible::Kind::kRanges) continue;
    SetAll(row,
           set->kind == Possible::Kind::kOpen ? Possible::Open()
                                              : Possible::Undecided(),
           reduction);
    return;
  }
  if (types_.size() > 1) {
    TreeSet all;
    for (const TreeSet* set : sets) {
      for (const Tuple& tuple : set->tuples) all.Add(tuple);
    }
    // More tuples than a set has are judged one result at a time.
    if (all.kind == Possible::Kind::kRanges && all.tuples.size() > 1)
      reduction->choices.push_back({row, std::move(all.tuples)});
  }
  for (size_t k = 0; k < types_.size(); ++k) {
    Possible possible;
    for (const TreeSet* set : sets) {
      for (const Tuple& tuple : set->tuples) {
        Possible one = Possible::Value(tuple[k].bits);
        one.any_nan = tuple[k].any_nan;
        possible.Add(types_[k], one, TreeSet::kMost);
      }
    }
    reduction->results[k].Set(row, possible);
  }
}

}  // namespace assay
