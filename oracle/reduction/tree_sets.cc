#include "oracle/reduction/tree_sets.h"

#include <algorithm>
#include <bit>

namespace assay {
namespace {

// So many applications are made side by side.
constexpr size_t kAtATime = 1 << 14;
// A row that needs more applications than these is given up.
constexpr int64_t kMostApplications = 1 << 18;

}  // namespace

Scalars ColumnOf(ElementType type, const std::vector<TupleValue>& values) {
  Tensor tensor(TensorType({std::ssize(values)}, type));
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), values[i].bits);
  Scalars column(std::move(tensor));
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].any_nan) continue;
    Possible nan = Possible::Value(values[i].bits);
    nan.any_nan = true;
    column.Set(static_cast<int64_t>(i), nan);
  }
  return column;
}

void TreeSet::Add(const Tuple& tuple) {
  if (kind != Possible::Kind::kRanges ||
      std::ranges::find(tuples, tuple) != tuples.end())
    return;
  tuples.push_back(tuple);
  if (tuples.size() > most) kind = Possible::Kind::kUndecided;
}

void Worsen(Possible::Kind by, Possible::Kind* kind) {
  if (by != Possible::Kind::kRanges && *kind != Possible::Kind::kUndecided)
    *kind = by;
}

TreeParts TreeParts::InOrder(int64_t terms) {
  TreeParts result;
  // By its first term and its length: the number of a part.
  std::vector<std::vector<size_t>> number(
      static_cast<size_t>(terms),
      std::vector<size_t>(static_cast<size_t>(terms + 1)));
  for (size_t length = 1; length <= number.size(); ++length) {
    for (size_t begin = 0; begin + length <= number.size(); ++begin) {
      Part part;
      if (length == 1) part.term = static_cast<int64_t>(begin);
      for (size_t left = 1; left < length; ++left)
        part.splits.emplace_back(number[begin][left],
                                 number[begin + left][length - left]);
      number[begin][length] = result.parts_.size();
      result.parts_.push_back(std::move(part));
    }
  }
  result.root_ = number[0][number.size()];
  return result;
}

TreeParts TreeParts::AnyOrder(int64_t terms) {
  TreeParts result;
  const uint32_t all = (1u << terms) - 1;
  std::vector<size_t> number(all + 1);
  for (int leaves = 1; leaves <= terms; ++leaves) {
    for (uint32_t mask = 1; mask <= all; ++mask) {
      if (std::popcount(mask) != leaves) continue;
      Part part;
      if (leaves == 1) part.term = std::countr_zero(mask);
      // The part with the first term stands on the left.
      const uint32_t first = mask & -mask;
      for (uint32_t left = (mask - 1) & mask; left > 0;
           left = (left - 1) & mask) {
        if ((left & first) != 0)
          part.splits.emplace_back(number[left], number[mask & ~left]);
      }
      number[mask] = result.parts_.size();
      result.parts_.push_back(std::move(part));
    }
  }
  result.root_ = number[all];
  return result;
}

TreeParts TreeParts::Chains(int64_t terms) {
  TreeParts result;
  for (int64_t term = 0; term < terms; ++term) {
    Part& leaf = result.parts_.emplace_back();
    leaf.term = term;
  }
  const uint32_t all = (1u << (terms - 1)) - 1;
  std::vector<size_t> number(all + 1);
  for (int links = 1; links < terms; ++links) {
    for (uint32_t mask = 1; mask <= all; ++mask) {
      if (std::popcount(mask) != links) continue;
      Part part;
      for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const int last = std::countr_zero(rest);
        part.splits.emplace_back(number[mask & ~(1u << last)],
                                 static_cast<size_t>(last) + 1);
      }
      number[mask] = result.parts_.size();
      result.parts_.push_back(std::move(part));
    }
  }
  result.root_ = number[all];
  return result;
}

void TreeFolder::Add(const Tuple& lhs, const Tuple& rhs, TreeSet* into) {
  waiting_.push_back({lhs, rhs, into});
  if (waiting_.size() >= kAtATime) Run();
}

void TreeFolder::Run() {
  if (waiting_.empty()) return;
  applications_ += std::ssize(waiting_);
  std::vector<Scalars> arguments;
  for (const bool is_rhs : {false, true}) {
    for (size_t k = 0; k < types_.size(); ++k) {
      std::vector<TupleValue> values;
      values.reserve(waiting_.size());
      for (const Application& a : waiting_)
        values.push_back((is_rhs ? a.rhs : a.lhs)[k]);
      arguments.push_back(ColumnOf(types_[k], values));
    }
  }
  const std::vector<Scalars> results = body_.Apply(arguments);
  for (size_t i = 0; i < waiting_.size(); ++i) {
    TreeSet& into = *waiting_[i].into;
    std::vector<Tuple> tuples(1);
    for (size_t k = 0; k < types_.size(); ++k) {
      const auto at = static_cast<int64_t>(i);
      const Possible possible = results[k].At(at);
      if (possible.kind != Possible::Kind::kRanges) {
        Worsen(possible.kind, &into.kind);
        break;
      }
      if (!possible.IsFinite()) {
        into.kind = Possible::Kind::kUndecided;
        break;
      }
      std::vector<Tuple> longer;
      for (const Tuple& tuple : tuples) {
        for (const Possible::Range& range : possible.ranges) {
          longer.push_back(tuple);
          longer.back().push_back(
              CanonicalValue(types_[k], range.lo, possible.any_nan));
        }
      }
      tuples = std::move(longer);
    }
    for (const Tuple& tuple : tuples) {
      if (tuple.size() == types_.size()) into.Add(tuple);
    }
  }
  waiting_.clear();
}

std::vector<std::vector<TreeSet>> SetsOfTrees(
    const TreeParts& parts, const std::vector<std::vector<Tuple>>& leaves,
    TreeFolder* folder, size_t most) {
  TreeSet empty;
  empty.most = most;
  std::vector<std::vector<TreeSet>> sets(
      leaves.size(), std::vector<TreeSet>(parts.parts().size(), empty));
  std::vector<int64_t> applications(leaves.size());
  for (size_t p = 0; p < parts.parts().size(); ++p) {
    const TreeParts::Part& part = parts.parts()[p];
    for (size_t row = 0; row < leaves.size(); ++row) {
      TreeSet& set = sets[row][p];
      if (part.term >= 0) set.Add(leaves[row][static_cast<size_t>(part.term)]);
      for (const auto& [left, right] : part.splits) {
        const TreeSet &lhs = sets[row][left], &rhs = sets[row][right];
        for (const TreeSet* side : {&lhs, &rhs}) Worsen(side->kind, &set.kind);
        if (set.kind != Possible::Kind::kRanges) continue;
        applications[row] += std::ssize(lhs.tuples) * std::ssize(rhs.tuples);
        if (applications[row] > kMostApplications) {
          set.kind = Possible::Kind::kUndecided;
          continue;
        }
        for (const Tuple& a : lhs.tuples) {
          for (const Tuple& b : rhs.tuples) folder->Add(a, b, &set);
        }
      }
    }
    folder->Run();
  }
  return sets;
}

}  // namespace assay
