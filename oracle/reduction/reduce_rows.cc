// The ways in which a Reducer decides rows of terms.
#include <algorithm>
#include <map>

#include "oracle/reduction/reducer.h"

namespace assay {
namespace {

// An exact result has so many values by the number of its initial values, over
// all rows, or is a range.
constexpr int64_t kMostOfARow = 1024;
constexpr int64_t kMostOfAllRows = 1 << 20;
// More initial values than these are not followed.
constexpr int64_t kMostInits = 1 << 16;
// Trees of more leaves have too many parts.
constexpr int64_t kMostLeaves = 11;

// Returns whether a value is a number that has its place in the order of its
// type.
bool IsOrdered(ElementType type, ElementBits bits) {
  if (HasNan(type, bits)) return false;
  if (!IsComplex(type)) return true;
  const ElementType part = PartType(type);
  for (int p = 0; p < PartCount(type); ++p) {
    if (PartOf(type, bits, p) == FormatOf(part).sign_bit()) return false;
  }
  return true;
}

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
  // A magnitude of 2^64 is beyond every type.
  constexpr __int128 kBeyond = __int128{1} << 64;
  const __int128 init = ValueOf(type, init_[0].bits);
  const bool is_identity = init == (is_sum ? 0 : 1);
  const int64_t inits =
      is_identity ? 0 : std::min(InitsFor(length).most, kMostInits);
  for (int64_t row = 0; row < rows; ++row) {
    __int128 above = is_sum ? 0 : 1, below = is_sum ? 0 : -1;
    const auto add = [&](__int128 value) {
      if (is_sum) {
        (value > 0 ? above : below) += value;
      } else if (value != 0) {
        using Unsigned = unsigned __int128;
        const auto product = static_cast<Unsigned>(above) *
                             static_cast<Unsigned>(value < 0 ? -value : value);
        above = above == kBeyond || product >= Unsigned{kBeyond}
                    ? kBeyond
                    : static_cast<__int128>(product);
        below = -above;
      }
      above = std::min(above, kBeyond);
      below = std::max(below, -kBeyond);
    };
    for (int64_t i = row * length; i < (row + 1) * length; ++i)
      add(ValueOf(type, terms.values().Bits(i)));
    for (int64_t t = 0; t < inits; ++t) add(init);
    if (length + inits > 1 &&
        (above > MaxValue(type) ||
         (below < MinValue(type) && !IsUnsignedInteger(type))))
      SetAll(row, Possible::Open(), reduction);
  }
}

void Reducer::ReduceFew(const std::vector<Scalars>& terms,
                        const std::vector<Row>& rows, int64_t length,
                        Reduction* reduction) {
  const InitCount count = InitsFor(length);
  TreeFolder folder(&body_, types_);
  const bool any_order =
      IsFloatMonoid() && call_.policy.Get("reduction_order") == "any";
  const TreeParts parts =
      any_order ? TreeParts::AnyOrder(length) : TreeParts::InOrder(length, 0);
  const size_t root = parts.roots()[0];
  const auto sets = SetsOfTrees(parts, rows, &folder);
  std::vector<std::vector<TupleValue>> nodes(types_.size());
  std::vector<int64_t> ends;
  for (size_t row = 0; row < rows.size(); ++row) {
    for (const TreeSet& set : sets[row]) {
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
  std::vector<Row> others, followed;
  std::vector<int64_t> numbers, followed_numbers;
  for (size_t row = 0; row < rows.size(); ++row) {
    const auto number = static_cast<int64_t>(row);
    uint8_t& reasons = reduction->reasons[row];
    if (length > 1) reasons |= Reduction::kNode;
    if (sets[row][root].tuples.size() != 1)
      reasons |= Reduction::kOrder | (IsFloatMonoid() ? Reduction::kType : 0);
    if (are_left[row]) {
      SetResults(number, {&sets[row][root]}, reduction);
      continue;
    }
    reasons |= Reduction::kInit | Reduction::kNode;
    if (count.most == InitCount::kAny) {
      SetAll(number, Possible::Open(), reduction);
    } else if (length + count.most > kMostLeaves && !IsFloatMonoid() &&
               HasOneTree(terms, number, length)) {
      followed.push_back(rows[row]);
      followed_numbers.push_back(number);
    } else if (length + count.most > kMostLeaves || any_order) {
      SetAll(number,
             IsFloatMonoid() ? Bounded(rows[row]) : Possible::Undecided(),
             reduction);
    } else {
      others.push_back(rows[row]);
      numbers.push_back(number);
    }
  }
  FollowInits(followed, followed_numbers, reduction);
  if (others.empty()) return;
  const TreeParts with = TreeParts::InOrder(length, count.most);
  const auto all = SetsOfTrees(with, others, &folder);
  for (size_t i = 0; i < others.size(); ++i) {
    std::vector<const TreeSet*> results;
    bool is_decided = true;
    for (int64_t t = count.least; t <= count.most; ++t) {
      results.push_back(&all[i][with.roots()[static_cast<size_t>(t)]]);
      is_decided &= results.back()->kind != Possible::Kind::kUndecided;
    }
    is_decided &= UnionOf(results).kind != Possible::Kind::kUndecided;
    if (!is_decided && IsFloatMonoid()) {
      SetAll(numbers[i], Bounded(others[i]), reduction);
    } else {
      SetResults(numbers[i], results, reduction);
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
  const ElementType type = types_[0];
  const InitCount count = InitsFor(length);
  const bool is_sum = monoid_->monoid == "sum";
  const auto of_part = [&](int part) {
    const Terms of = {terms, begin, length, part};
    const ElementBits init = PartOf(type, init_[0].bits, part);
    return is_sum ? BoundedSum(of, init, count, rules_)
                  : BoundedProduct(of, init, count, rules_);
  };
  if (!IsComplex(type)) return of_part(0);
  if (!is_sum) return Possible::Undecided();
  // Complex addition is addition of the parts.
  const Possible real = of_part(0), imag = of_part(1);
  for (const Possible* part : {&real, &imag}) {
    if (part->kind != Possible::Kind::kRanges) return *part;
  }
  Possible possible;
  possible.any_nan = real.any_nan || imag.any_nan;
  const int shift = Info(PartType(type)).bits;
  for (const Possible::Range& x : real.ranges) {
    for (const Possible::Range& y : imag.ranges) {
      Possible both;
      both.any_nan = possible.any_nan;
      both.ranges = {{y.lo << shift | x.lo, y.hi << shift | x.hi}};
      possible.Add(type, both);
    }
  }
  return possible;
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
    if (!IsOrdered(types_[k], inits_[k].values().Bits(0))) return false;
    for (int64_t i = row * length; i < (row + 1) * length; ++i) {
      if (!IsOrdered(types_[k], terms[k].values().Bits(i))) return false;
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
  std::vector<Row> followed;
  std::vector<int64_t> numbers;
  for (int64_t row = 0; row < rows; ++row) {
    const auto number = static_cast<size_t>(row);
    if (has_one_tree[number] && are_left[number]) continue;
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
}

}  // namespace assay
