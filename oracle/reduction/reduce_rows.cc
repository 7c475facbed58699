// The ways in which a Reducer decides rows of terms.
#include <algorithm>
#include <map>

#include "oracle/reduction/in_order_trees.h"
#include "oracle/reduction/integer_bounds.h"
#include "oracle/reduction/reducer.h"

namespace assay {
namespace {

// An exact result has so many values by the number of its initial values, over
// all rows, or is a range.
constexpr int64_t kMostOfARow = 1024;
constexpr int64_t kMostOfAllRows = 1 << 20;
// More initial values than these are not followed.
constexpr int64_t kMostInits = 1 << 16;
// Rows with more pairs of parts than these do not have all of their trees
// enumerated.
constexpr int64_t kMostPairs = 1 << 24;

bool IsSame(const Possible& a, const Possible& b) {
  return a.kind == b.kind && a.any_nan == b.any_nan && a.ranges == b.ranges;
}

}  // namespace

void Reducer::ReduceExactly(const std::vector<Scalars>& terms, int64_t rows,
                            int64_t length, Reduction* reduction) {
  reduction->results = Fold(terms, rows, length);
  for (uint8_t& reasons : reduction->reasons)
    reasons = length > 1 ? Reduction::kNode : 0;
  AddInits(InitsFor(length), reduction);
  if (monoid_->monoid != "exact")
    OpenOverflows(terms[0], rows, length, reduction);
}

// The function commutes, so that only the number of initial values matters:
// results r, r * init, (r * init) * init, .. of which one that is met again
// begins a circle.
void Reducer::AddInits(InitCount count, Reduction* reduction) {
  if (inits_.empty()) return;
  Scalars& results = reduction->results[0];
  const ElementType type = types_[0];
  const int64_t rows = results.size();
  const auto with_init = [&](const Scalars& values) {
    const Scalars init =
        Scalars::Repeated(type, inits_[0].At(0), values.size());
    return body_.Apply({values, init})[0];
  };
  Scalars with = with_init(results);
  struct Orbit {
    int64_t row;
    Possible first, last, all;
  };
  std::vector<Orbit> orbits;
  for (int64_t row = 0; row < rows; ++row) {
    const Possible first = results.At(row), next = with.At(row);
    if (IsSame(first, next)) continue;
    reduction->reasons[static_cast<size_t>(row)] |=
        Reduction::kInit | Reduction::kNode;
    Possible all = next;
    if (count.least == 0) all.Add(type, first);
    orbits.push_back({row, first, next, all});
  }
  const auto most_values = static_cast<size_t>(std::clamp<int64_t>(
      kMostOfAllRows / std::max<int64_t>(std::ssize(orbits), 1),
      int64_t{Possible::kMost}, kMostOfARow));
  std::vector<Orbit> moving = orbits;
  const int64_t most = std::min(count.most, kMostInits);
  for (int64_t t = 2; t <= most && !moving.empty(); ++t) {
    Scalars last(Tensor(TensorType({std::ssize(moving)}, type)));
    for (size_t i = 0; i < moving.size(); ++i)
      last.Set(static_cast<int64_t>(i), moving[i].last);
    with = with_init(last);
    std::vector<Orbit> still;
    for (size_t i = 0; i < moving.size(); ++i) {
      Orbit& orbit = moving[i];
      orbit.last = with.At(static_cast<int64_t>(i));
      const bool is_met =
          orbit.last.kind != Possible::Kind::kRanges ||
          IsSame(orbit.last, orbit.first) ||
          (orbit.all.IsFinite() &&
           std::ranges::find(orbit.all.ranges, orbit.last.ranges[0]) !=
               orbit.all.ranges.end());
      orbit.all.Add(type, orbit.last, most_values);
      if (is_met) {
        results.Set(orbit.row, orbit.all);
      } else {
        still.push_back(std::move(orbit));
      }
    }
    moving = std::move(still);
  }
  for (const Orbit& orbit : moving) {
    if (count.most == InitCount::kAny) {
      results.Set(orbit.row, Possible::Open());
    } else {
      results.Set(orbit.row,
                  count.most > most ? Possible::Undecided() : orbit.all);
    }
  }
}

// Where policy integer_overflow accepts anything, so it does for a node beyond
// the type: no order has one if even the magnitudes have none.
void Reducer::OpenOverflows(const Scalars& terms, int64_t rows, int64_t length,
                            Reduction* reduction) const {
  const ElementType type = types_[0];
  if (!IsInteger(type) || call_.policy.Get("integer_overflow") != "any") return;
  const bool is_sum = monoid_->monoid == "sum";
  const __int128 identity = is_sum ? 0 : 1;
  const __int128 init =
      inits_.empty() ? identity : ValueOf(type, init_[0].bits);
  const bool is_identity = init == identity;
  const int64_t inits =
      is_identity ? 0 : std::min(InitsFor(length).most, kMostInits);
  for (int64_t row = 0; row < rows; ++row) {
    IntegerBounds bounds(is_sum);
    for (int64_t i = row * length; i < (row + 1) * length; ++i)
      bounds.Add(ValueOf(type, terms.values().Bits(i)));
    for (int64_t t = 0; t < inits; ++t) bounds.Add(init);
    if (length + inits > 1 && !bounds.AreIn(type))
      SetAll(row, Possible::Open(), reduction);
  }
}

void Reducer::ReduceFew(const std::vector<Row>& rows, int64_t length,
                        Reduction* reduction) {
  TreeFolder folder(&body_, types_);
  const bool any_order =
      IsFloatMonoid() && call_.policy.Get("reduction_order") == "any";
  const TreeParts parts =
      any_order ? TreeParts::AnyOrder(length) : TreeParts::InOrder(length);
  const auto sets = SetsOfTrees(parts, rows, &folder);
  std::vector<std::vector<TupleValue>> nodes(types_.size());
  std::vector<int64_t> ends;
  for (const std::vector<TreeSet>& of_row : sets) {
    for (const TreeSet& set : of_row) {
      for (const Tuple& tuple : set.tuples) {
        for (size_t k = 0; k < types_.size(); ++k) nodes[k].push_back(tuple[k]);
      }
    }
    ends.push_back(std::ssize(nodes[0]));
  }
  std::vector<Scalars> columns;
  for (size_t k = 0; k < types_.size(); ++k)
    columns.push_back(ColumnOf(types_[k], nodes[k]));
  const std::vector<bool> are_left = RowsAreLeft(columns, ends);
  std::vector<Row> others;
  std::vector<int64_t> numbers;
  for (size_t row = 0; row < rows.size(); ++row) {
    const auto number = static_cast<int64_t>(row);
    const TreeSet& root = sets[row][parts.root()];
    uint8_t& reasons = reduction->reasons[row];
    if (length > 1) reasons |= Reduction::kNode;
    if (root.tuples.size() != 1)
      reasons |= Reduction::kOrder | (IsFloatMonoid() ? Reduction::kType : 0);
    if (!are_left[row]) reasons |= Reduction::kInit | Reduction::kNode;
    if (are_left[row] && root.kind != Possible::Kind::kUndecided) {
      SetResults(number, root, reduction);
    } else if (any_order) {
      SetAll(number,
             !are_left[row] && InitsFor(length).most == InitCount::kAny
                 ? Possible::Open()
                 : Bounded(rows[row]),
             reduction);
    } else {
      others.push_back(rows[row]);
      numbers.push_back(number);
    }
  }
  EnumerateTrees(others, numbers, length, reduction);
}

void Reducer::EnumerateTrees(const std::vector<Row>& rows,
                             const std::vector<int64_t>& numbers,
                             int64_t length, Reduction* reduction) {
  if (rows.empty()) return;
  const InitCount count = InitsFor(length);
  InOrderTrees trees(&body_, types_, count);
  const std::vector<InOrderTrees::Results> found = trees.Of(rows);
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto& [all, inits_matter] = found[i];
    if (inits_matter)
      reduction->reasons[static_cast<size_t>(numbers[i])] |= Reduction::kInit;
    if (all.kind != Possible::Kind::kUndecided) {
      SetResults(numbers[i], all, reduction);
    } else if (inits_matter && count.most == InitCount::kAny) {
      SetAll(numbers[i], Possible::Open(), reduction);
    } else {
      SetAll(numbers[i],
             IsFloatMonoid() ? Bounded(rows[i]) : Possible::Undecided(),
             reduction);
    }
  }
}

Possible Reducer::Bounded(const Row& row) const {
  // The initial value stands behind the terms.
  const int64_t length = std::ssize(row) - 1;
  Tensor terms(TensorType({length}, types_[0]));
  for (int64_t i = 0; i < length; ++i)
    terms.SetBits(i, row[static_cast<size_t>(i)][0].bits);
  return Bounded(terms, 0, length);
}

Possible Reducer::Bounded(const Tensor& terms, int64_t begin,
                          int64_t length) const {
  return BoundedSumOrProduct(monoid_->monoid == "sum", terms, begin, length,
                             inits_.empty() ? 0 : init_[0].bits,
                             InitsFor(length), rules_);
}

void Reducer::ReduceFloats(const Scalars& terms, int64_t rows, int64_t length,
                           Reduction* reduction) const {
  for (int64_t row = 0; row < rows; ++row) {
    const Possible possible = Bounded(terms.values(), row * length, length);
    uint8_t& reasons = reduction->reasons[static_cast<size_t>(row)];
    if (length > 1) reasons |= Reduction::kNode;
    if (!possible.IsFinite() || possible.ranges.size() > 1)
      reasons |= Reduction::kOrder | Reduction::kType;
    SetAll(row, possible, reduction);
  }
}

bool Reducer::HasOneTree(const std::vector<Scalars>& terms, int64_t row,
                         int64_t length) {
  if (IsExact()) return true;
  if (!components_.empty()) {
    for (size_t k = 0; k < components_.size(); ++k) {
      if (!components_[k]->HasOneTree({terms[k]}, row, length)) return false;
    }
    return true;
  }
  if (!associative_) associative_ = ShownAssociative(function_, call_);
  if (*associative_ != Shown::kOfNumbers)
    return *associative_ == Shown::kAlways;
  for (size_t k = 0; k < terms.size(); ++k) {
    if (IsInteger(types_[k])) continue;
    if (!inits_.empty() &&
        !IsOrderedNumber(types_[k], inits_[k].values().Bits(0)))
      return false;
    for (int64_t i = row * length; i < (row + 1) * length; ++i) {
      if (!IsOrderedNumber(types_[k], terms[k].values().Bits(i))) return false;
    }
  }
  return true;
}

void Reducer::ReduceByProof(const std::vector<Scalars>& terms, int64_t rows,
                            int64_t length, Reduction* reduction) {
  for (uint8_t& reasons : reduction->reasons) reasons = Reduction::kNode;
  std::vector<bool> has_one_tree;
  for (int64_t row = 0; row < rows; ++row)
    has_one_tree.push_back(HasOneTree(terms, row, length));
  if (std::ranges::find(has_one_tree, true) != has_one_tree.end())
    reduction->results = Fold(terms, rows, length);
  std::vector<int64_t> ends;
  for (int64_t row = 0; row < rows; ++row) ends.push_back((row + 1) * length);
  const std::vector<bool> are_left = RowsAreLeft(terms, ends);
  std::vector<Row> followed, enumerated;
  std::vector<int64_t> numbers, enumerated_numbers;
  const bool may_enumerate =
      InOrderTrees::PairsOf(std::ranges::count(has_one_tree, false), length) <=
      kMostPairs;
  for (int64_t row = 0; row < rows; ++row) {
    const auto number = static_cast<size_t>(row);
    if (has_one_tree[number] && are_left[number]) continue;
    if (!has_one_tree[number] && may_enumerate) {
      reduction->reasons[number] |= Reduction::kOrder;
      enumerated.push_back(RowOf(terms, row, length));
      enumerated_numbers.push_back(row);
      continue;
    }
    if (!are_left[number]) reduction->reasons[number] |= Reduction::kInit;
    const bool is_open =
        !are_left[number] && InitsFor(length).most == InitCount::kAny;
    if (has_one_tree[number] && MayFollowInits(length)) {
      followed.push_back(RowOf(terms, row, length));
      numbers.push_back(row);
    } else {
      SetAll(row, is_open ? Possible::Open() : Possible::Undecided(),
             reduction);
    }
  }
  FollowInits(followed, numbers, reduction);
  EnumerateTrees(enumerated, enumerated_numbers, length, reduction);
}

}  // namespace assay
