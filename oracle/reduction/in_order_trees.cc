#include "oracle/reduction/in_order_trees.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "absl/hash/hash.h"

namespace assay {
namespace {

// So many rows are worked on together, or fewer if they have many parts.
constexpr int64_t kRowsAtATime = 256;
constexpr int64_t kPartsAtATime = 1 << 18;
// What was looked up is forgotten when it is more than this.
constexpr size_t kMostKept = 1 << 20;

void Worsen(Possible::Kind by, Possible::Kind* kind) {
  if (by != Possible::Kind::kRanges && *kind != Possible::Kind::kUndecided)
    *kind = by;
}

}  // namespace

size_t InOrderTrees::HashTuple::operator()(const Tuple& tuple) const {
  size_t hash = tuple.size();
  for (const TupleValue& value : tuple) {
    hash = absl::HashOf(hash, static_cast<uint64_t>(value.bits),
                        static_cast<uint64_t>(value.bits >> 64), value.any_nan);
  }
  return hash;
}

int64_t InOrderTrees::PairsOf(int64_t rows, int64_t terms) {
  const double pairs = static_cast<double>(rows) * static_cast<double>(terms) *
                       static_cast<double>(terms) * static_cast<double>(terms) /
                       6;
  return pairs < 1e18 ? static_cast<int64_t>(pairs)
                      : std::numeric_limits<int64_t>::max();
}

InOrderTrees::Number InOrderTrees::NumberOf(const Tuple& tuple) {
  const auto [found, is_new] =
      tuple_numbers_.try_emplace(tuple, static_cast<Number>(tuples_.size()));
  if (is_new) tuples_.push_back(tuple);
  return found->second;
}

InOrderTrees::Number InOrderTrees::NumberOf(Part part) {
  if (part.results.size() > kMost) part.kind = Possible::Kind::kUndecided;
  if (part.kind != Possible::Kind::kRanges) part.results.clear();
  const auto [found, is_new] =
      part_numbers_.try_emplace(part, static_cast<Number>(parts_.size()));
  if (is_new) parts_.push_back(std::move(part));
  return found->second;
}

void InOrderTrees::Forget() {
  tuple_numbers_.clear();
  tuples_.clear();
  part_numbers_.clear();
  parts_.clear();
  nodes_.clear();
  together_.clear();
  with_inits_.clear();
}

void InOrderTrees::AddTo(Number tuple, int64_t inits, Part* part) const {
  std::vector<Counted>& results = part->results;
  const Counted added = {tuple, inits};
  const bool number_matters = inits_.least > 0;
  auto found = std::ranges::lower_bound(
      results, number_matters ? added : Counted{tuple, 0});
  if (found == results.end() || found->tuple != tuple ||
      (number_matters && found->inits != inits)) {
    results.insert(found, added);
  } else if (!number_matters) {
    found->inits = std::min(found->inits, inits);
  }
}

void InOrderTrees::ApplyTo(const std::vector<Pair>& pairs) {
  std::vector<Pair> applied;
  for (const Pair& pair : pairs) {
    if (nodes_.try_emplace(pair).second) applied.push_back(pair);
  }
  std::deque<TreeSet> sets(applied.size());
  for (size_t i = 0; i < applied.size(); ++i)
    folder_.Add(tuples_[applied[i].first], tuples_[applied[i].second],
                &sets[i]);
  folder_.Run();
  for (size_t i = 0; i < applied.size(); ++i) {
    Node node = {sets[i].kind, {}};
    for (const Tuple& tuple : sets[i].tuples)
      node.tuples.push_back(NumberOf(tuple));
    nodes_[applied[i]] = std::move(node);
  }
}

InOrderTrees::Part InOrderTrees::Put(const Part& left,
                                     const Part& right) const {
  Part whole;
  Worsen(left.kind, &whole.kind);
  Worsen(right.kind, &whole.kind);
  if (whole.kind != Possible::Kind::kRanges) return whole;
  for (const Counted& lhs : left.results) {
    for (const Counted& rhs : right.results) {
      if (lhs.inits + rhs.inits > inits_.most) continue;
      const Node& node = nodes_.at({lhs.tuple, rhs.tuple});
      Worsen(node.kind, &whole.kind);
      for (const Number tuple : node.tuples)
        AddTo(tuple, lhs.inits + rhs.inits, &whole);
      if (whole.results.size() > kMost) whole.kind = Possible::Kind::kUndecided;
      if (whole.kind != Possible::Kind::kRanges) return whole;
    }
  }
  return whole;
}

void InOrderTrees::PutTogether(const std::vector<Pair>& pairs) {
  std::vector<Pair> put, applied;
  for (const Pair& pair : pairs) {
    if (!together_.try_emplace(pair).second) continue;
    put.push_back(pair);
    for (const Counted& lhs : parts_[pair.first].results) {
      for (const Counted& rhs : parts_[pair.second].results) {
        if (lhs.inits + rhs.inits <= inits_.most)
          applied.emplace_back(lhs.tuple, rhs.tuple);
      }
    }
  }
  ApplyTo(applied);
  for (const Pair& pair : put)
    together_[pair] = NumberOf(Put(parts_[pair.first], parts_[pair.second]));
}

InOrderTrees::Number InOrderTrees::UnionOf(std::vector<Number> parts) {
  std::ranges::sort(parts);
  parts.erase(std::ranges::unique(parts).begin(), parts.end());
  if (parts.size() == 1) return parts[0];
  Part all;
  for (const Number part : parts) {
    Worsen(parts_[part].kind, &all.kind);
    for (const Counted& of : parts_[part].results)
      AddTo(of.tuple, of.inits, &all);
    if (all.results.size() > kMost) all.kind = Possible::Kind::kUndecided;
    if (all.kind == Possible::Kind::kUndecided) break;
  }
  return NumberOf(std::move(all));
}

void InOrderTrees::AddInits(std::vector<Number>* parts) {
  // Each part, as it was and as it grows.
  absl::flat_hash_map<Number, Number> growing;
  for (const Number part : *parts) {
    if (!with_inits_.contains(part)) growing[part] = part;
  }
  while (!growing.empty()) {
    std::vector<Pair> pairs;
    for (const auto& [was, is] : growing) {
      pairs.emplace_back(is, only_inits_);
      pairs.emplace_back(only_inits_, is);
    }
    PutTogether(pairs);
    absl::flat_hash_map<Number, Number> still;
    for (const auto& [was, is] : growing) {
      const Number more = UnionOf({is, together_.at({is, only_inits_}),
                                   together_.at({only_inits_, is})});
      if (more == is) {
        with_inits_[was] = is;
      } else {
        still[was] = more;
      }
    }
    growing = std::move(still);
  }
  for (Number& part : *parts) part = with_inits_.at(part);
}

std::vector<InOrderTrees::Number> InOrderTrees::WholeOf(
    const std::vector<std::vector<Number>>& rows,
    std::vector<std::vector<Number>>* tuples) {
  const size_t terms = rows[0].size();
  // The parts of a row by their first gap and the number of their terms.
  std::vector<std::vector<std::vector<Number>>> parts(
      terms, std::vector<std::vector<Number>>(terms + 1));
  std::vector<Pair> pairs;
  for (size_t length = 1; length <= terms; ++length) {
    std::vector<Number> longer;
    for (size_t begin = 0; begin + length <= terms; ++begin) {
      pairs.clear();
      for (size_t row = 0; row < rows.size() && length > 1; ++row) {
        for (size_t left = 1; left < length; ++left)
          pairs.emplace_back(parts[begin][left][row],
                             parts[begin + left][length - left][row]);
      }
      PutTogether(pairs);
      for (size_t row = 0; row < rows.size(); ++row) {
        if (length == 1) {
          Part term;
          AddTo(rows[row][begin], 0, &term);
          longer.push_back(NumberOf(std::move(term)));
          continue;
        }
        std::vector<Number> made;
        for (size_t split = 0; split + 1 < length; ++split)
          made.push_back(together_.at(pairs[row * (length - 1) + split]));
        longer.push_back(UnionOf(std::move(made)));
      }
    }
    if (has_inits_) AddInits(&longer);
    for (size_t begin = 0; begin + length <= terms; ++begin)
      parts[begin][length].assign(
          longer.begin() + static_cast<int64_t>(begin * rows.size()),
          longer.begin() + static_cast<int64_t>((begin + 1) * rows.size()));
  }
  for (size_t row = 0; tuples != nullptr && row < rows.size(); ++row) {
    for (const auto& of_begin : parts) {
      for (const std::vector<Number>& of_length : of_begin) {
        if (of_length.empty()) continue;
        for (const Counted& of : parts_[of_length[row]].results)
          (*tuples)[row].push_back(of.tuple);
      }
    }
    std::ranges::sort((*tuples)[row]);
    const auto rest = std::ranges::unique((*tuples)[row]);
    (*tuples)[row].erase(rest.begin(), rest.end());
  }
  return parts[0][terms];
}

TreeSet InOrderTrees::SetOf(Number part, int64_t least) const {
  TreeSet set;
  set.most = kMost;
  set.kind = parts_[part].kind;
  for (const Counted& of : parts_[part].results) {
    if (of.inits >= least) set.Add(tuples_[of.tuple]);
  }
  return set;
}

std::vector<InOrderTrees::Results> InOrderTrees::Of(
    const std::vector<std::vector<Tuple>>& rows) {
  std::vector<Results> results(rows.size());
  if (rows.empty()) return results;
  const size_t terms = rows[0].size() - 1;
  const auto parts = static_cast<int64_t>(terms * (terms + 1) / 2);
  const auto at_a_time = static_cast<size_t>(
      std::clamp<int64_t>(kPartsAtATime / parts, 1, kRowsAtATime));
  for (size_t begin = 0; begin < rows.size(); begin += at_a_time) {
    if (nodes_.size() + together_.size() > kMostKept) Forget();
    const size_t few = std::min(at_a_time, rows.size() - begin);
    std::vector<std::vector<Number>> leaves(few);
    for (size_t i = 0; i < few; ++i) {
      for (size_t term = 0; term < terms; ++term)
        leaves[i].push_back(NumberOf(rows[begin + i][term]));
    }
    std::vector<std::vector<Number>> tuples(few);
    has_inits_ = false;
    std::vector<Number> whole = WholeOf(leaves, &tuples);
    for (size_t i = 0; i < few; ++i) {
      results[begin + i].without_inits = SetOf(whole[i], 0);
      results[begin + i].all = results[begin + i].without_inits;
    }
    if (inits_.most == 0) continue;
    init_ = NumberOf(rows[begin].back());
    std::vector<Pair> pairs = {{init_, init_}};
    for (const std::vector<Number>& of_row : tuples) {
      for (const Number tuple : of_row) {
        pairs.emplace_back(tuple, init_);
        pairs.emplace_back(init_, tuple);
      }
    }
    ApplyTo(pairs);
    const auto is_left = [&](Number tuple) {
      for (const Pair& pair : {Pair{tuple, init_}, Pair{init_, tuple}}) {
        const Node& node = nodes_.at(pair);
        if (node.kind != Possible::Kind::kRanges || node.tuples.size() != 1 ||
            node.tuples[0] != tuple)
          return false;
      }
      return true;
    };
    std::vector<size_t> numbers;
    std::vector<std::vector<Number>> others;
    for (size_t i = 0; i < few; ++i) {
      if (is_left(init_) && std::ranges::all_of(tuples[i], is_left)) continue;
      results[begin + i].inits_matter = true;
      numbers.push_back(begin + i);
      others.push_back(std::move(leaves[i]));
    }
    if (others.empty()) continue;
    Part only_init;
    AddTo(init_, 1, &only_init);
    only_inits_ = NumberOf(std::move(only_init));
    for (Number grown = only_inits_;; only_inits_ = grown) {
      PutTogether({{only_inits_, only_inits_}});
      grown = UnionOf({only_inits_, together_.at({only_inits_, only_inits_})});
      if (grown == only_inits_) break;
    }
    has_inits_ = true;
    whole = WholeOf(others, nullptr);
    for (size_t i = 0; i < numbers.size(); ++i)
      results[numbers[i]].all = SetOf(whole[i], inits_.least);
  }
  return results;
}

}  // namespace assay
