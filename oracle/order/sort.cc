// The slices of a sort have one answer if the comparator orders their elements
// and no two are equal, or is_stable says what becomes of these. Otherwise an
// element may be any of those that are equal, and all of them together are a
// permutation (relation.h).
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "oracle/elementwise/elementwise.h"
#include "oracle/order/slice_order.h"
#include "oracle/region.h"
#include "oracle/region_laws.h"
#include "oracle/relation.h"

namespace assay {
namespace {

// So many elements are sorted at a time.
constexpr int64_t kChunk = 1 << 18;

// The elements of slices along a dimension.
class Slices {
 public:
  Slices(const Shape& shape, int64_t dimension)
      : shape_(shape), dimension_(static_cast<size_t>(dimension)) {
    step_ = RowMajorStrides(shape)[dimension_];
  }
  int64_t length() const { return shape_[dimension_]; }
  int64_t At(int64_t slice, int64_t i) const {
    return slice / step_ * step_ * length() + slice % step_ + i * step_;
  }
  int64_t SliceOf(int64_t position) const {
    return position / (step_ * length()) * step_ + position % step_;
  }

 private:
  const Shape& shape_;
  size_t dimension_;
  int64_t step_;
};

// Sorts the slices of a call.
class Sorter {
 public:
  explicit Sorter(const OpCall& op)
      : op_(op),
        comparator_(op.op.Regions("comparator")[0], op),
        keeps_nans_(op.policy.Get("nan_payload_in_movement") == "keep"),
        count_(op.op.outputs.size()) {
    const auto flag = [&](const char* name) {
      return std::get<Tensor>(op.FindAttribute(name)->value).Bits(0);
    };
    is_stable_ = flag("is_stable") != 0 ||
                 op.policy.Get("sort_equal_elements") == "stable";
    says_stable_ = flag("is_stable") != 0;
    dimension_ = static_cast<int64_t>(flag("dimension"));
    for (size_t k = 0; k < count_; ++k) {
      Tensor values(op.inputs[k].type());
      std::memset(values.data(), 0, static_cast<size_t>(values.byte_size()));
      evaluation_.outputs.emplace_back(values.type());
      evaluation_.outputs[k].lo = evaluation_.outputs[k].hi = values;
      Tensor column(TensorType({values.size()}, values.element_type()));
      std::memset(column.data(), 0, static_cast<size_t>(column.byte_size()));
      results_.emplace_back(std::move(column));
    }
  }

  Evaluation Sorted() {
    if (op_.inputs[0].size() > 0) {
      WithMarks(op_, &evaluation_, [&](auto& clause) { SortAll(clause); });
    }
    for (size_t k = 0; k < count_; ++k) {
      ResultOfScalars result(keeps_nans_, &evaluation_.outputs[k]);
      result.Add(0, results_[k]);
      evaluation_.undecided += result.Finish();
    }
    evaluation_.region_marks = comparator_.marks();
    if (!groups_.empty())
      evaluation_.relation = std::make_shared<PermutationRelation>(
          std::move(groups_), keeps_nans_);
    return std::move(evaluation_);
  }

 private:
  template <class Clause>
  void SortAll(Clause& clause) {
    const Shape& shape = op_.inputs[0].type().shape;
    const auto rank = static_cast<int64_t>(shape.size());
    int64_t dimension = dimension_;
    if (dimension < 0) dimension = clause("S2", rank + dimension);
    dimension = clause("S5", dimension);
    // A clause that is broken on purpose may name a dimension too many.
    const Slices slices(shape, std::min(dimension, rank - 1));
    std::vector<int64_t> numbers;
    for (int64_t i = op_.Begin(); i < op_.End(op_.inputs[0].size()); ++i) {
      const int64_t slice = slices.SliceOf(i);
      if (slices.At(slice, 0) == i || op_.elements) numbers.push_back(slice);
    }
    const int64_t at_a_time = std::max<int64_t>(kChunk / slices.length(), 1);
    for (size_t begin = 0; begin < numbers.size();
         begin += static_cast<size_t>(at_a_time)) {
      const size_t end =
          std::min(begin + static_cast<size_t>(at_a_time), numbers.size());
      SortSlices(clause, slices,
                 {numbers.begin() + static_cast<int64_t>(begin),
                  numbers.begin() + static_cast<int64_t>(end)});
    }
  }

  template <class Clause>
  void SortSlices(Clause& clause, const Slices& slices,
                  const std::vector<int64_t>& numbers) {
    const int64_t n = slices.length();
    std::vector<int64_t> positions;
    for (const int64_t slice : numbers) {
      for (int64_t i = 0; i < n; ++i)
        positions.push_back(std::min(clause("S1", slices.At(slice, i)),
                                     op_.inputs[0].size() - 1));
    }
    std::vector<Tensor> columns;
    for (size_t k = 0; k < count_; ++k) {
      const Tensor& from = op_.inputs[k];
      Tensor column(TensorType({std::ssize(positions)}, from.element_type()));
      for (size_t i = 0; i < positions.size(); ++i)
        column.SetBits(static_cast<int64_t>(i), from.Bits(positions[i]));
      columns.push_back(std::move(column));
    }
    comparator_.SetElements(columns);
    if (!clause("S8", true)) comparator_.Exchange();
    std::vector<SliceOrder> orders = OrdersOf(columns, std::ssize(numbers), n);
    const std::vector<int64_t> sorted = StablySorted(&comparator_, n, &orders);
    std::vector<int64_t> lhs(sorted.begin(), sorted.end() - 1);
    std::vector<int64_t> rhs(sorted.begin() + 1, sorted.end());
    const auto less = comparator_.AreLess(lhs, rhs);
    for (size_t row = 0; row < numbers.size(); ++row) {
      const auto place = [&](int64_t i) { return slices.At(numbers[row], i); };
      const int64_t base = static_cast<int64_t>(row) * n;
      if (orders[row] != SliceOrder::kWeak) {
        LeaveOpen(clause, orders[row], columns, base, n, place);
        continue;
      }
      for (int64_t begin = 0, end = 0; begin < n; begin = end) {
        // A sorted element that is not less than the next one equals it.
        for (end = begin + 1;
             end < n && less[static_cast<size_t>(base + end - 1)] !=
                            SliceComparator::kLess;
             ++end) {
        }
        WriteEquals(clause, columns, sorted, base, begin, end, n, place);
      }
    }
  }

  std::vector<SliceOrder> OrdersOf(const std::vector<Tensor>& columns,
                                   int64_t rows, int64_t n) {
    // A few pairs are compared sooner than a proof is found.
    constexpr int64_t kFewPairs = 1 << 12;
    std::vector<SliceOrder> orders(static_cast<size_t>(rows),
                                   SliceOrder::kUnknown);
    const bool compares_first = n <= kMostPairwise && rows * n * n <= kFewPairs;
    if (compares_first) ComparePairs(&comparator_, n, &orders);
    const auto is_weak = [](SliceOrder order) {
      return order == SliceOrder::kWeak;
    };
    if (std::ranges::all_of(orders, is_weak)) return orders;
    if (!shown_)
      shown_ = ShownStrictWeakOrder(op_.op.Regions("comparator")[0], op_);
    for (int64_t row = 0; row < rows; ++row) {
      if (*shown_ == Shown::kAlways ||
          (*shown_ == Shown::kOfNumbers && !AnyNan(columns, row * n, n)))
        orders[static_cast<size_t>(row)] = SliceOrder::kWeak;
    }
    if (!compares_first && n <= kMostPairwise)
      ComparePairs(&comparator_, n, &orders);
    return orders;
  }

  // Returns whether a NaN is among the elements that the comparator reads.
  bool AnyNan(const std::vector<Tensor>& columns, int64_t begin,
              int64_t n) const {
    const Function& comparator = op_.op.Regions("comparator")[0];
    for (size_t k = 0; k < columns.size(); ++k) {
      if (!Reads(comparator, 2 * k) && !Reads(comparator, 2 * k + 1)) continue;
      const Tensor& column = columns[k];
      for (int64_t i = begin; i < begin + n; ++i) {
        if (HasNan(column.element_type(), column.Bits(i))) return true;
      }
    }
    return false;
  }

  Tuple TupleAt(const std::vector<Tensor>& columns, int64_t at) const {
    Tuple tuple;
    for (const Tensor& column : columns)
      tuple.push_back(
          CanonicalValue(column.element_type(), column.Bits(at), !keeps_nans_));
    return tuple;
  }

  // Writes the elements of a slice that is not sorted: they may be anything, or
  // are a permutation.
  template <class Clause, class Place>
  void LeaveOpen(Clause& clause, SliceOrder order,
                 const std::vector<Tensor>& columns, int64_t base, int64_t n,
                 Place place) {
    const bool is_open = order == SliceOrder::kNone;
    PermutedTuples group;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t source = clause("S7", true) ? i : 0;
      for (size_t k = 0; k < count_; ++k) {
        Write(k, place(i), columns[k].Bits(base + source));
        results_[k].Set(place(i),
                        is_open ? Possible::Open() : Possible::Undecided());
      }
      group.indices.push_back(place(i));
      group.tuples.push_back(TupleAt(columns, base + source));
    }
    if (op_.policy.Get("sort_without_order") == "permutation")
      groups_.push_back(std::move(group));
  }

  // Writes elements that are equal, at places from `begin` to `end` of their
  // slice.
  template <class Clause, class Place>
  void WriteEquals(Clause& clause, const std::vector<Tensor>& columns,
                   const std::vector<int64_t>& sorted, int64_t base,
                   int64_t begin, int64_t end, int64_t n, Place place) {
    const bool are_several = end - begin > 1;
    PermutedTuples group;
    std::vector<Possible> possible(count_);
    for (int64_t i = begin; i < end; ++i) {
      int64_t source =
          clause("S6", sorted[static_cast<size_t>(base + i)] - base);
      if (are_several)
        source = says_stable_ ? clause("S3", source) : clause("S9", source);
      const int64_t at = base + std::min(source, n - 1);
      for (size_t k = 0; k < count_; ++k) {
        ElementBits bits = columns[k].Bits(at);
        if (HasNan(columns[k].element_type(), bits))
          bits = WithNan(clause, k, bits);
        Write(k, place(i), bits);
        Possible one = Possible::Value(bits);
        one.any_nan = !keeps_nans_;
        possible[k].Add(columns[k].element_type(), one);
      }
      group.indices.push_back(place(i));
      group.tuples.push_back(TupleAt(columns, at));
    }
    if (is_stable_ || !are_several) return;
    const bool are_same = std::ranges::all_of(
        group.tuples, [&](const Tuple& t) { return t == group.tuples[0]; });
    if (are_same) return;
    for (const int64_t index : group.indices) {
      for (size_t k = 0; k < count_; ++k) {
        results_[k].Set(index, possible[k]);
        evaluation_.outputs[k].lo.SetBits(index,
                                          results_[k].values().Bits(index));
      }
    }
    groups_.push_back(std::move(group));
  }

  template <class Clause>
  ElementBits WithNan(Clause& clause, size_t k, ElementBits bits) {
    return VisitElementType(op_.inputs[k].element_type(), [&]<class T>() {
      return ElementBits{
          clause("S10", T::FromBits(static_cast<typename T::Bits>(bits)))
              .ToBits()};
    });
  }

  void Write(size_t k, int64_t index, ElementBits bits) {
    evaluation_.outputs[k].lo.SetBits(index, bits);
    results_[k].Set(index, Possible::Value(bits));
  }

  const OpCall& op_;
  SliceComparator comparator_;
  const bool keeps_nans_;
  const size_t count_;
  bool is_stable_, says_stable_;
  int64_t dimension_;
  std::optional<Shown> shown_;
  Evaluation evaluation_;
  std::vector<Scalars> results_;
  std::vector<PermutedTuples> groups_;
};

}  // namespace

Evaluation Sort(const OpCall& op) { return Sorter(op).Sorted(); }

Sources SortSources(const OpCall& op, size_t, int64_t index) {
  const Shape& shape = op.op.inputs[0].type.tensor().shape;
  auto dimension = static_cast<int64_t>(
      std::get<Tensor>(op.FindAttribute("dimension")->value).Bits(0));
  if (dimension < 0) dimension += static_cast<int64_t>(shape.size());
  const Slices slices(shape, dimension);
  const int64_t slice = slices.SliceOf(index);
  Sources sources;
  for (size_t k = 0; k < op.op.inputs.size(); ++k) {
    for (int64_t i = 0; i < slices.length(); ++i)
      sources.push_back({k, slices.At(slice, i)});
  }
  return sources;
}

}  // namespace assay
