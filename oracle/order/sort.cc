// The slices of a sort have one answer if the comparator orders their elements
// and no two are equal, or is_stable says what becomes of these. Otherwise an
// element may be any of those that are equal, and all of them together are a
// permutation (relation.h).
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "oracle/elementwise/elementwise.h"
#include "oracle/region.h"
#include "oracle/region_laws.h"
#include "oracle/relation.h"

namespace assay {
namespace {

// So many elements are sorted at a time.
constexpr int64_t kChunk = 1 << 18;
// All pairs of so many elements are compared where the comparator is not shown
// to be an order.
constexpr int64_t kMostPairwise = 64;

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

// Says of pairs of elements which is less.
class Comparator {
 public:
  enum Answer : uint8_t { kNotLess, kLess, kUnknown };
  Comparator(const Function& function, const OpCall& call)
      : region_(function, call) {}

  // `columns` has the elements by input.
  void SetElements(std::vector<Tensor> columns) {
    columns_ = std::move(columns);
  }
  // From now on the function gets its arguments the other way round.
  void Exchange() { is_exchanged_ = true; }
  // Returns whether each element of `lhs` is less than that of `rhs`.
  std::vector<Answer> AreLess(const std::vector<int64_t>& lhs,
                              const std::vector<int64_t>& rhs) {
    if (lhs.empty()) return {};
    std::vector<Scalars> arguments;
    for (const Tensor& column : columns_) {
      arguments.push_back(Elements(column, is_exchanged_ ? rhs : lhs));
      arguments.push_back(Elements(column, is_exchanged_ ? lhs : rhs));
    }
    const Scalars less = region_.Apply(arguments)[0];
    std::vector<Answer> answers(lhs.size());
    for (size_t i = 0; i < answers.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      answers[i] = less.StateAt(at) != Scalars::State::kKnown ? kUnknown
                   : less.values().Bits(at) != 0              ? kLess
                                                              : kNotLess;
    }
    return answers;
  }
  const std::vector<OpMarks>& marks() const { return region_.marks(); }

 private:
  static Scalars Elements(const Tensor& column,
                          const std::vector<int64_t>& places) {
    Tensor elements(TensorType({std::ssize(places)}, column.element_type()));
    WithWord(column.element_type(), [&]<class Word>(Word) {
      const auto* from = reinterpret_cast<const Word*>(column.data());
      auto* to = reinterpret_cast<Word*>(elements.data());
      for (size_t i = 0; i < places.size(); ++i) to[i] = from[places[i]];
    });
    return Scalars(std::move(elements));
  }

  Region region_;
  std::vector<Tensor> columns_;
  bool is_exchanged_ = false;
};

// What is known of a slice: the comparator orders it, or does not, or that is
// not known.
enum class Order : uint8_t { kWeak, kNone, kUnknown };

// Returns whether answers about all pairs are those of a strict weak order.
// Precondition: all are known.
Order OrderOf(const std::vector<Comparator::Answer>& answers, size_t n) {
  std::vector<uint64_t> less(n), equal(n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if (answers[i * n + j] == Comparator::kLess) less[i] |= uint64_t{1} << j;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      const bool is_less = less[i] >> j & 1, is_greater = less[j] >> i & 1;
      if (is_less && is_greater) return Order::kNone;
      if (!is_less && !is_greater) equal[i] |= uint64_t{1} << j;
      // What is greater than j is greater than i.
      if (is_less && (less[j] & ~less[i]) != 0) return Order::kNone;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if ((equal[i] >> j & 1) && equal[i] != equal[j]) return Order::kNone;
    }
  }
  return Order::kWeak;
}

// Sorts rows of `length` elements side by side, by merging runs: an element of
// one run goes behind as many elements of the other as are less, or, from the
// right run, not greater. Returns the elements' places in their order, and sets
// the order of a row to kUnknown where the comparator contradicts itself.
std::vector<int64_t> StablySorted(Comparator* comparator, int64_t length,
                                  std::vector<Order>* orders) {
  const auto rows = std::ssize(*orders);
  std::vector<int64_t> sorted(static_cast<size_t>(rows * length));
  std::iota(sorted.begin(), sorted.end(), int64_t{0});
  struct Search {
    int64_t row, at, begin, end, first;  // of the other run
    int64_t behind;                      // elements of its own run
    bool is_left;
  };
  for (int64_t width = 1; width < length; width *= 2) {
    std::vector<Search> searches;
    for (int64_t row = 0; row < rows; ++row) {
      if ((*orders)[static_cast<size_t>(row)] != Order::kWeak) continue;
      for (int64_t begin = 0; begin < length; begin += 2 * width) {
        const int64_t middle = std::min(begin + width, length);
        const int64_t end = std::min(middle + width, length);
        const int64_t base = row * length;
        for (int64_t i = begin; i < middle; ++i)
          searches.push_back({row, base + i, base + middle, base + end,
                              base + middle, i - begin, true});
        for (int64_t i = middle; i < end; ++i)
          searches.push_back({row, base + i, base + begin, base + middle,
                              base + begin, i - middle, false});
      }
    }
    for (bool is_searching = true; is_searching;) {
      std::vector<int64_t> lhs, rhs;
      std::vector<size_t> asked;
      for (size_t s = 0; s < searches.size(); ++s) {
        const Search& search = searches[s];
        if (search.begin == search.end) continue;
        const int64_t own = sorted[static_cast<size_t>(search.at)];
        const int64_t other = sorted[static_cast<size_t>(
            search.begin + (search.end - search.begin) / 2)];
        lhs.push_back(search.is_left ? other : own);
        rhs.push_back(search.is_left ? own : other);
        asked.push_back(s);
      }
      const auto answers = comparator->AreLess(lhs, rhs);
      for (size_t q = 0; q < asked.size(); ++q) {
        Search& search = searches[asked[q]];
        const int64_t middle = search.begin + (search.end - search.begin) / 2;
        if (answers[q] == Comparator::kUnknown)
          (*orders)[static_cast<size_t>(search.row)] = Order::kUnknown;
        if ((answers[q] == Comparator::kLess) == search.is_left) {
          search.begin = middle + 1;
        } else {
          search.end = middle;
        }
      }
      is_searching = !asked.empty();
    }
    std::vector<int64_t> merged(sorted.size(), -1);
    for (const Search& search : searches) {
      const int64_t run_begin =
          search.is_left ? search.at - search.behind : search.first;
      merged[static_cast<size_t>(run_begin + search.behind + search.begin -
                                 search.first)] =
          sorted[static_cast<size_t>(search.at)];
    }
    for (size_t i = 0; i < merged.size(); ++i) {
      if (merged[i] >= 0) continue;
      Order& order = (*orders)[i / static_cast<size_t>(length)];
      if (order == Order::kWeak) order = Order::kUnknown;
    }
    for (size_t i = 0; i < merged.size(); ++i) {
      if ((*orders)[i / static_cast<size_t>(length)] == Order::kWeak)
        sorted[i] = merged[i];
    }
  }
  return sorted;
}

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
    std::vector<Order> orders = OrdersOf(columns, std::ssize(numbers), n);
    const std::vector<int64_t> sorted = StablySorted(&comparator_, n, &orders);
    std::vector<int64_t> lhs(sorted.begin(), sorted.end() - 1);
    std::vector<int64_t> rhs(sorted.begin() + 1, sorted.end());
    const auto less = comparator_.AreLess(lhs, rhs);
    for (size_t row = 0; row < numbers.size(); ++row) {
      const auto place = [&](int64_t i) { return slices.At(numbers[row], i); };
      const int64_t base = static_cast<int64_t>(row) * n;
      if (orders[row] != Order::kWeak) {
        LeaveOpen(clause, orders[row], columns, base, n, place);
        continue;
      }
      for (int64_t begin = 0, end = 0; begin < n; begin = end) {
        // A sorted element that is not less than the next one equals it.
        for (end = begin + 1;
             end < n &&
             less[static_cast<size_t>(base + end - 1)] != Comparator::kLess;
             ++end) {
        }
        WriteEquals(clause, columns, sorted, base, begin, end, n, place);
      }
    }
  }

  std::vector<Order> OrdersOf(const std::vector<Tensor>& columns, int64_t rows,
                              int64_t n) {
    // A few pairs are compared sooner than a proof is found.
    constexpr int64_t kFewPairs = 1 << 12;
    std::vector<Order> orders(static_cast<size_t>(rows), Order::kUnknown);
    const bool compares_first = n <= kMostPairwise && rows * n * n <= kFewPairs;
    if (compares_first) ComparePairs(n, &orders);
    const auto is_weak = [](Order order) { return order == Order::kWeak; };
    if (std::ranges::all_of(orders, is_weak)) return orders;
    if (!shown_)
      shown_ = ShownStrictWeakOrder(op_.op.Regions("comparator")[0], op_);
    for (int64_t row = 0; row < rows; ++row) {
      if (*shown_ == Shown::kAlways ||
          (*shown_ == Shown::kOfNumbers && !AnyNan(columns, row * n, n)))
        orders[static_cast<size_t>(row)] = Order::kWeak;
    }
    if (!compares_first && n <= kMostPairwise) ComparePairs(n, &orders);
    return orders;
  }

  // Compares all pairs of the slices whose order is not known. One answer that
  // is not known is enough to leave a slice, so that few pairs are asked first.
  void ComparePairs(int64_t n, std::vector<Order>* orders) {
    std::vector<size_t> asked;
    for (size_t row = 0; row < orders->size(); ++row) {
      if ((*orders)[row] == Order::kUnknown) asked.push_back(row);
    }
    std::vector<std::vector<Comparator::Answer>> of_row(orders->size());
    for (int64_t begin = 0, end = n; begin < n * n && !asked.empty();
         begin = end, end = std::min(3 * end, n * n)) {
      std::vector<int64_t> lhs, rhs;
      for (const size_t row : asked) {
        const int64_t base = static_cast<int64_t>(row) * n;
        for (int64_t pair = begin; pair < end; ++pair) {
          lhs.push_back(base + pair / n);
          rhs.push_back(base + pair % n);
        }
      }
      const auto answers = comparator_.AreLess(lhs, rhs);
      for (size_t q = 0; q < asked.size(); ++q) {
        const auto first =
            answers.begin() + static_cast<int64_t>(q) * (end - begin);
        of_row[asked[q]].insert(of_row[asked[q]].end(), first,
                                first + (end - begin));
      }
      std::erase_if(asked, [&](size_t row) {
        return std::ranges::find(of_row[row], Comparator::kUnknown) !=
               of_row[row].end();
      });
    }
    for (const size_t row : asked)
      (*orders)[row] = OrderOf(of_row[row], static_cast<size_t>(n));
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
  void LeaveOpen(Clause& clause, Order order,
                 const std::vector<Tensor>& columns, int64_t base, int64_t n,
                 Place place) {
    const bool is_open = order == Order::kNone;
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
  Comparator comparator_;
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
