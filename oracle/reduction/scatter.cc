#include <algorithm>
#include <memory>
#include <vector>

#include "oracle/movement/index_promises.h"
#include "oracle/movement/moves.h"
#include "oracle/reduction/chains.h"
#include "oracle/reduction/converted.h"

namespace assay {
namespace {

// The index of the result that an update goes to, with the names of the text.
class ScatterPlaces {
 public:
  explicit ScatterPlaces(const OpCall& op)
      : inputs_(op.op.Inputs("inputs")[0].type.tensor().shape),
        updates_(op.op.Inputs("updates")[0].type.tensor().shape),
        scatter_indices_(op.Input("scatter_indices")),
        strides_(RowMajorStrides(inputs_)),
        index_strides_(RowMajorStrides(scatter_indices_.type().shape)),
        update_window_dims_(NumbersOf(op.op, "update_window_dims")),
        input_batching_dims_(NumbersOf(op.op, "input_batching_dims")),
        scatter_indices_batching_dims_(
            NumbersOf(op.op, "scatter_indices_batching_dims")),
        scatter_dims_to_operand_dims_(
            NumbersOf(op.op, "scatter_dims_to_operand_dims")),
        index_vector_dim_(NumbersOf(op.op, "index_vector_dim")[0]) {
    for (int64_t d = 0; d < std::ssize(updates_); ++d) {
      if (PlaceIn(update_window_dims_, d) < 0)
        update_scatter_dims_.push_back(d);
    }
    const std::vector<int64_t> inserted =
        NumbersOf(op.op, "inserted_window_dims");
    for (int64_t d = 0; d < std::ssize(inputs_); ++d) {
      if (PlaceIn(inserted, d) < 0 && PlaceIn(input_batching_dims_, d) < 0)
        window_dims_.push_back(d);
    }
  }

  int64_t updates() const { return *ElementCount(updates_); }

  // Returns result_index for an update, as a position in the results, or -1 if
  // it is not in bounds.
  int64_t PositionOf(auto& clause, int64_t update) const {
    Index update_index(updates_.size());
    IndexAt(updates_, update, &update_index);
    const Index update_scatter_index = ScatterIndex(clause, update_index);
    Index result_index = FullStart(clause, update_scatter_index);
    for (int64_t d = 0; d < std::ssize(inputs_); ++d) {
      const int64_t i = PlaceIn(input_batching_dims_, d);
      result_index[static_cast<size_t>(d)] +=
          i < 0 ? clause("S9", int64_t{0})
                : clause("S8", BatchingIndex(update_scatter_index, i));
    }
    for (size_t n = 0; n < update_window_dims_.size(); ++n) {
      const int64_t update_window_index = clause(
          "S10", update_index[static_cast<size_t>(update_window_dims_[n])]);
      result_index[static_cast<size_t>(window_dims_[n])] +=
          clause("S11", update_window_index);
    }
    int64_t position = 0;
    bool is_in_bounds = true;
    for (size_t d = 0; d < inputs_.size(); ++d) {
      const int64_t index = clause("S12", result_index[d]);
      is_in_bounds &= 0 <= index && index < inputs_[d];
      position += std::clamp<int64_t>(index, 0, inputs_[d] - 1) * strides_[d];
    }
    is_in_bounds = is_in_bounds ? clause("S16", true) : clause("S20", false);
    return is_in_bounds ? position : -1;
  }

  // Returns full_start_index for an update.
  Index StartOf(int64_t update) const {
    NoMarks clause;
    Index update_index(updates_.size());
    IndexAt(updates_, update, &update_index);
    return FullStart(clause, ScatterIndex(clause, update_index));
  }

 private:
  static int64_t PlaceIn(const std::vector<int64_t>& numbers, int64_t number) {
    const auto at = std::ranges::find(numbers, number);
    return at == numbers.end() ? -1 : at - numbers.begin();
  }

  Index ScatterIndex(auto& clause, const Index& update_index) const {
    Index update_scatter_index;
    for (const int64_t d : update_scatter_dims_) {
      // A clause that is broken on purpose may name a dimension too many.
      const int64_t dim =
          std::min(clause("S2", d), std::ssize(update_index) - 1);
      update_scatter_index.push_back(
          clause("S3", update_index[static_cast<size_t>(dim)]));
    }
    return update_scatter_index;
  }

  Index FullStart(auto& clause, const Index& update_scatter_index) const {
    Index full_start_index(inputs_.size());
    for (int64_t d = 0; d < std::ssize(inputs_); ++d) {
      const int64_t d_start = PlaceIn(scatter_dims_to_operand_dims_, d);
      full_start_index[static_cast<size_t>(d)] =
          d_start < 0
              ? clause("S7", int64_t{0})
              : clause("S6", StartAt(clause, update_scatter_index, d_start));
    }
    return full_start_index;
  }

  // Returns element `d_start` of
  // `scatter_indices[si0, ..., :, ..., siN]`. Numbers that are no index of any
  // tensor become one that is far outside.
  int64_t StartAt(auto& clause, const Index& update_scatter_index,
                  int64_t d_start) const {
    int64_t place = 0;
    size_t n = 0;
    for (int64_t d = 0; d < std::ssize(index_strides_); ++d) {
      const int64_t index =
          d == index_vector_dim_ ? d_start : update_scatter_index[n++];
      place += index * index_strides_[static_cast<size_t>(d)];
    }
    place = index_vector_dim_ < std::ssize(index_strides_)
                ? clause("S4", place)
                : clause("S5", place);
    constexpr __int128 kFar = __int128{1} << 61;
    return static_cast<int64_t>(std::clamp(
        IntegerAt(scatter_indices_,
                  std::clamp<int64_t>(place, 0, scatter_indices_.size() - 1)),
        -kFar, kFar));
  }

  // Returns update_scatter_index[d_start - (d_start < index_vector_dim ? 0 :
  // 1)].
  int64_t BatchingIndex(const Index& update_scatter_index, int64_t i) const {
    const int64_t d_start =
        scatter_indices_batching_dims_[static_cast<size_t>(i)];
    return update_scatter_index[static_cast<size_t>(
        d_start - (d_start < index_vector_dim_ ? 0 : 1))];
  }

  const Shape &inputs_, &updates_;
  const Tensor& scatter_indices_;
  Strides strides_, index_strides_;
  std::vector<int64_t> update_window_dims_, input_batching_dims_,
      scatter_indices_batching_dims_, scatter_dims_to_operand_dims_;
  int64_t index_vector_dim_;
  std::vector<int64_t> update_scatter_dims_;
  std::vector<int64_t> window_dims_;  // those that update_window_dims are of
};

// The updates of the elements of a range of the results.
struct Targets {
  std::vector<int64_t> elements;  // those that have updates, in their order
  std::vector<int64_t> ends;      // by element: where its updates end
  std::vector<int64_t> updates;   // by element, in the order of their index
};

Targets TargetsOf(const std::vector<int64_t>& positions, ElementRange range) {
  std::vector<int64_t> counts(static_cast<size_t>(range.end - range.begin));
  const auto is_in = [&](int64_t position) {
    return range.begin <= position && position < range.end;
  };
  for (const int64_t position : positions) {
    if (is_in(position)) ++counts[static_cast<size_t>(position - range.begin)];
  }
  Targets targets;
  std::vector<int64_t> next(counts.size());
  int64_t end = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    next[i] = end;
    end += counts[i];
    if (counts[i] == 0) continue;
    targets.elements.push_back(range.begin + static_cast<int64_t>(i));
    targets.ends.push_back(end);
  }
  targets.updates.resize(static_cast<size_t>(end));
  for (size_t update = 0; update < positions.size(); ++update) {
    if (!is_in(positions[update])) continue;
    int64_t& at = next[static_cast<size_t>(positions[update] - range.begin)];
    targets.updates[static_cast<size_t>(at++)] = static_cast<int64_t>(update);
  }
  return targets;
}

class Scatterer {
 public:
  explicit Scatterer(const OpCall& op)
      : op_(op),
        computation_(op.op.Regions("update_computation")[0]),
        count_(op.op.outputs.size()),
        places_(op),
        promises_(op),
        says_unique_(IsTrue(op, "unique_indices")),
        chainer_(computation_, op),
        keeps_nans_(op.policy.Get("nan_payload_in_movement") == "keep") {
    for (const Op::Result& result : op.op.outputs)
      evaluation_.outputs.emplace_back(result.type);
    range_ = {op.Begin(), op.End(evaluation_.outputs[0].lo.size())};
  }

  Evaluation Scattered() {
    WithMarks(op_, &evaluation_, [&](auto& clause) {
      std::vector<int64_t> positions;
      for (int64_t update = 0; update < places_.updates(); ++update)
        positions.push_back(places_.PositionOf(
            clause, std::min(clause("S1", update), places_.updates() - 1)));
      CheckPromises(positions);
      TakeInputs();
      Update(clause, TargetsOf(positions, range_));
      for (size_t k = 0; k < count_; ++k) {
        VisitElementType(results_[k].type(),
                         [&]<class T>() { Write<T>(clause, k); });
      }
    });
    for (size_t k = 0; k < count_; ++k) {
      ResultOfScalars result(keeps_nans_, &evaluation_.outputs[k]);
      result.Add(range_.begin, results_[k]);
      evaluation_.undecided += result.Finish();
    }
    if (!choices_.empty())
      evaluation_.relation =
          std::make_shared<ChoiceRelation>(std::move(choices_));
    for (const OpMarks& of : chainer_.marks())
      AddMarks(of, &evaluation_.region_marks);
    return std::move(evaluation_);
  }

 private:
  struct State {
    bool is_updated = false, has_several = false, has_order = false;
  };

  void CheckPromises(const std::vector<int64_t>& positions) {
    Index last;
    for (int64_t update = 0;
         promises_.says_sorted && update < places_.updates(); ++update) {
      Index start = places_.StartOf(update);
      if (update > 0 && start < last) promises_.is_broken = true;
      last = std::move(start);
    }
    if (!says_unique_) return;
    std::vector<int64_t> sorted = positions;
    std::ranges::sort(sorted);
    are_repeated_ = std::adjacent_find(std::ranges::lower_bound(sorted, 0),
                                       sorted.end()) != sorted.end();
  }

  // Returns elements of an operand, as a column of the type that the
  // computation has for them.
  template <class F>
  Scalars Column(size_t operand, size_t argument, int64_t size, F position) {
    const Tensor& from = op_.inputs[operand];
    Scalars column = VisitElementType(from.element_type(), [&]<class T>() {
      Tensor values(TensorType({size}, from.element_type()));
      for (int64_t i = 0; i < size; ++i) {
        // A clause that is broken on purpose may point beyond the operand.
        values.As<T>()[i] = from.As<T>()[position(i)];
      }
      return Scalars(std::move(values));
    });
    return Converted(std::move(column),
                     computation_.inputs[argument].type.tensor().element_type,
                     op_, &evaluation_.region_marks);
  }

  void TakeInputs() {
    const int64_t size = range_.end - range_.begin;
    for (size_t k = 0; k < count_; ++k)
      results_.push_back(
          Column(k, k, size, [&](int64_t i) { return range_.begin + i; }));
    states_.resize(static_cast<size_t>(size));
  }

  template <class Clause>
  void Update(Clause& clause, const Targets& targets) {
    if (targets.elements.empty()) return;
    Updates updates;
    updates.ends = targets.ends;
    for (size_t k = 0; k < count_; ++k) {
      const size_t operand = count_ + 1 + k, argument = count_ + k;
      Scalars column = Column(
          operand, argument, std::ssize(targets.updates),
          [&](int64_t i) { return targets.updates[static_cast<size_t>(i)]; });
      if (column.type() != op_.inputs[operand].element_type())
        column = OfClause(clause, std::move(column));
      updates.updates.push_back(std::move(column));
      Scalars& elements = updates.elements.emplace_back(Tensor(
          TensorType({std::ssize(targets.elements)}, results_[k].type())));
      for (size_t i = 0; i < targets.elements.size(); ++i)
        elements.Set(static_cast<int64_t>(i),
                     results_[k].At(targets.elements[i] - range_.begin));
    }
    const Reduction updated = chainer_.Apply(updates);
    for (size_t i = 0; i < targets.elements.size(); ++i) {
      const int64_t element = targets.elements[i] - range_.begin;
      State& state = states_[static_cast<size_t>(element)];
      state.is_updated = true;
      state.has_several =
          updates.ends[i] - (i > 0 ? updates.ends[i - 1] : 0) > 1;
      state.has_order = (updated.reasons[i] & Reduction::kOrder) != 0;
      for (size_t k = 0; k < count_; ++k)
        results_[k].Set(element,
                        updated.results[k].At(static_cast<int64_t>(i)));
    }
    for (const TupleChoice& choice : updated.choices)
      choices_.push_back(
          {targets.elements[static_cast<size_t>(choice.index)], choice.tuples});
  }

  // Returns updates that were converted to another type.
  template <class Clause>
  static Scalars OfClause(Clause& clause, Scalars column) {
    VisitElementType(column.type(), [&]<class T>() {
      for (int64_t i = 0; i < column.size(); ++i) {
        const T value = T::FromBits(column.values().As<T>()[i]);
        const T converted = clause("S17", value);
        if (converted.ToBits() != value.ToBits())
          column.Set(i, Possible::Value(converted.ToBits()));
      }
    });
    return column;
  }

  template <class T, class Clause>
  void Write(Clause& clause, size_t k) {
    Expectation& output = evaluation_.outputs[k];
    const int64_t size = output.lo.size();
    for (int64_t i = range_.begin; i < range_.end; ++i)
      output.lo.As<T>()[i] = results_[k].values().As<T>()[i - range_.begin];
    for (int64_t i = range_.begin; i < range_.end; ++i) {
      const State& state = states_[static_cast<size_t>(i - range_.begin)];
      const T before =
          T::FromBits(results_[k].values().As<T>()[i - range_.begin]);
      T value = clause("S13", before);
      if (state.is_updated) {
        value = clause("S18", value);
        if (state.has_several) value = clause("S15", value);
        if (state.has_order) value = clause("S14", value);
      } else {
        value = clause("S21", value);
      }
      if (IsNan(value) &&
          results_[k].StateAt(i - range_.begin) == Scalars::State::kKnown)
        value = clause("S26", value);
      const Allowed<T> allowed = UnderPromises<T>(clause, value);
      if (allowed.any) {
        results_[k].Set(i - range_.begin, Possible::Open());
        continue;
      }
      const int64_t place = state.is_updated ? clause("S19", i) : i;
      output.lo.As<T>()[std::min(place, size - 1)] = allowed.value.ToBits();
    }
  }

  template <class T, class Clause>
  Allowed<T> UnderPromises(Clause& clause, T value) const {
    Allowed<T> allowed(value);
    if (promises_.says_sorted)
      allowed = promises_.is_broken ? clause("S22", promises_.Unkept(allowed))
                                    : Allowed<T>(clause("S23", value));
    if (says_unique_ && !allowed.any)
      allowed = are_repeated_ ? clause("S25", promises_.Unkept(allowed))
                              : Allowed<T>(clause("S24", allowed.value));
    return allowed;
  }

  const OpCall& op_;
  const Function& computation_;
  const size_t count_;
  ScatterPlaces places_;
  IndexPromises promises_;
  bool says_unique_, are_repeated_ = false;
  Chainer chainer_;
  const bool keeps_nans_;
  ElementRange range_;
  Evaluation evaluation_;
  std::vector<Scalars> results_;
  std::vector<State> states_;
  std::vector<TupleChoice> choices_;
};

}  // namespace

Evaluation Scatter(const OpCall& op) { return Scatterer(op).Scattered(); }

// An element rests on the input and on the updates at its index, of all
// operands, and on the indices, which say that there are no others.
Sources ScatterSources(const OpCall& op, size_t, int64_t index) {
  const size_t count = op.op.outputs.size();
  const ScatterPlaces places(op);
  NoMarks clause;
  Sources sources;
  for (size_t k = 0; k < count; ++k) sources.push_back({k, index});
  for (int64_t update = 0; update < places.updates(); ++update) {
    if (places.PositionOf(clause, update) != index) continue;
    for (size_t k = 0; k < count; ++k)
      sources.push_back({count + 1 + k, update});
  }
  for (int64_t i = 0; i < op.inputs[count].size(); ++i)
    sources.push_back({count, i});
  return sources;
}

}  // namespace assay
