#include "oracle/reduction/in_order_trees.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace assay {
namespace {

// So many rows are worked on together, or fewer if they have many parts.
constexpr int64_t kRowsAtATime = 256;
constexpr int64_t kPartsAtATime = 1 << 18;
// So many pairs of results are looked at before a part is known to have too
// many of them.
constexpr size_t kPairsAtATime = 2 * InOrderTrees::kMost;
// The function is not applied more often than about this.
constexpr int64_t kMostApplications = 1 << 20;
// So many pairs of results are put together.
constexpr int64_t kMostSteps = 1 << 24;
// What was looked up is forgotten when it is more than this.
constexpr size_t kMostKept = 1 << 20;

// Returns a hash of a hash and what comes next: the mixing of SplitMix64.
uint64_t Mixed(uint64_t hash, uint64_t next) {
  hash = hash * 0x9E3779B97F4A7C15 + next;
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
  return hash ^ (hash >> 27);
}

}  // namespace

size_t InOrderTrees::Hash::operator()(const Pair& pair) const {
  return Mixed(pair.first, pair.second);
}

size_t InOrderTrees::Hash::operator()(const Tuple& tuple) const {
  uint64_t hash = tuple.size();
  for (const TupleValue& value : tuple) {
    hash = Mixed(hash, static_cast<uint64_t>(value.bits) + value.any_nan);
    hash = Mixed(hash, static_cast<uint64_t>(value.bits >> 64));
  }
  return hash;
}

size_t InOrderTrees::Hash::operator()(const Part& part) const {
  auto hash = static_cast<uint64_t>(part.kind);
  for (const Counted& of : part.results)
    hash = Mixed(Mixed(hash, of.tuple), static_cast<uint64_t>(of.inits));
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
  unions_.clear();
  with_inits_.clear();
}

bool InOrderTrees::AddTo(Number tuple, int64_t inits, Part* part) const {
  std::vector<Counted>& results = part->results;
  const Counted added = {tuple, inits};
  const bool number_matters = inits_.least > 0;
  const auto found = std::ranges::lower_bound(
      results, number_matters ? added : Counted{tuple, 0});
  if (found == results.end() || found->tuple != tuple ||
      (number_matters && found->inits != inits)) {
    results.insert(found, added);
  } else if (!number_matters) {
    found->inits = std::min(found->inits, inits);
  }
  if (results.size() > kMost) part->kind = Possible::Kind::kUndecided;
  return part->kind == Possible::Kind::kRanges;
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

void InOrderTrees::PutTogether(const std::vector<Pair>& pairs) {
  struct Whole {
    Pair pair;
    size_t next;  // of the pairs of results
    Part part;
  };
  std::vector<Whole> wholes, still;
  for (const Pair& pair : pairs) {
    if (together_.try_emplace(pair).second) wholes.push_back({pair, 0, {}});
  }
  for (; !wholes.empty(); wholes = std::move(still)) {
    const auto for_each = [&](Whole& whole, const auto& f) {
      const std::vector<Counted>&lhs = parts_[whole.pair.first].results,
            &rhs = parts_[whole.pair.second].results;
      const size_t end =
          std::min(whole.next + kPairsAtATime, lhs.size() * rhs.size());
      for (size_t i = whole.next; i < end; ++i) {
        const Counted &a = lhs[i / rhs.size()], &b = rhs[i % rhs.size()];
        if (a.inits + b.inits <= inits_.most &&
            !f(Pair{a.tuple, b.tuple}, a.inits + b.inits))
          break;
      }
      return end;
    };
    const bool goes_on =
        folder_.applications() <= kMostApplications && steps_ <= kMostSteps;
    std::vector<Pair> applied;
    for (Whole& whole : wholes) {
      for (const Number side : {whole.pair.first, whole.pair.second})
        Worsen(parts_[side].kind, &whole.part.kind);
      if (!goes_on) whole.part.kind = Possible::Kind::kUndecided;
      if (whole.part.kind != Possible::Kind::kRanges) continue;
      for_each(whole, [&](const Pair& pair, int64_t) {
        applied.push_back(pair);
        return true;
      });
    }
    ApplyTo(applied);
    still.clear();
    for (Whole& whole : wholes) {
      size_t end = 0;
      if (whole.part.kind == Possible::Kind::kRanges) {
        end = for_each(whole, [&](const Pair& pair, int64_t inits) {
          const Node& node = nodes_.at(pair);
          ++steps_;
          Worsen(node.kind, &whole.part.kind);
          for (const Number tuple : node.tuples)
            AddTo(tuple, inits, &whole.part);
          return whole.part.kind == Possible::Kind::kRanges;
        });
      }
      whole.next = end;
      const size_t count = parts_[whole.pair.first].results.size() *
                           parts_[whole.pair.second].results.size();
      if (whole.part.kind == Possible::Kind::kRanges && end < count) {
        still.push_back(std::move(whole));
      } else {
        together_[whole.pair] = NumberOf(std::move(whole.part));
      }
    }
  }
}

InOrderTrees::Number InOrderTrees::UnionOf(Number a, Number b) {
  if (a == b) return a;
  const auto [found, is_new] = unions_.try_emplace(std::minmax(a, b));
  if (!is_new) return found->second;
  Part all = parts_[a];
  Worsen(parts_[b].kind, &all.kind);
  for (const Counted& of : parts_[b].results) {
    if (all.kind != Possible::Kind::kRanges) break;
    AddTo(of.tuple, of.inits, &all);
  }
  return found->second = NumberOf(std::move(all));
}

void InOrderTrees::AddInits(const std::vector<Number>& parts) {
  // Each part, as it was and as it grows.
  std::unordered_map<Number, Number> growing, still;
  for (const Number part : parts) {
    if (!with_inits_.contains(part)) growing[part] = part;
  }
  for (; !growing.empty(); growing = std::move(still)) {
    std::vector<Pair> pairs;
    for (const auto& [was, is] : growing) {
      pairs.emplace_back(is, only_inits_);
      pairs.emplace_back(only_inits_, is);
    }
    PutTogether(pairs);
    still.clear();
    for (const auto& [was, is] : growing) {
      const Number more = UnionOf(UnionOf(is, together_.at({is, only_inits_})),
                                  together_.at({only_inits_, is}));
      if (more == is || !IsRanges(more)) {
        with_inits_[was] = more;
      } else {
        still[was] = more;
      }
    }
  }
}

void InOrderTrees::SetOnlyInits(const Tuple& init) {
  Part only_init;
  AddTo(NumberOf(init), 1, &only_init);
  only_inits_ = NumberOf(std::move(only_init));
  for (Number grown = only_inits_;; only_inits_ = grown) {
    PutTogether({{only_inits_, only_inits_}});
    grown = UnionOf(only_inits_, together_.at({only_inits_, only_inits_}));
    if (grown == only_inits_) break;
  }
}

std::vector<InOrderTrees::Number> InOrderTrees::Joined(const PartsOfRows& parts,
                                                       size_t begin,
                                                       size_t length,
                                                       std::vector<Row>* rows) {
  std::vector<Number> joined(rows->size());
  const auto for_each_row = [&](const auto& f) {
    for (size_t row = 0; row < rows->size(); ++row) {
      if (!(*rows)[row].end) f(row);
    }
  };
  if (length == 1) {
    for_each_row([&](size_t row) {
      Part term;
      AddTo((*rows)[row].terms[begin], 0, &term);
      joined[row] = NumberOf(std::move(term));
    });
  }
  // Rows are given up as soon as they have too many results.
  std::vector<Pair> pairs(rows->size());
  for (size_t left = 1; left < length; ++left) {
    std::vector<Pair> put;
    for_each_row([&](size_t row) {
      pairs[row] = {parts[begin][left][row],
                    parts[begin + left][length - left][row]};
      put.push_back(pairs[row]);
    });
    PutTogether(put);
    for_each_row([&](size_t row) {
      const Number made = together_.at(pairs[row]);
      joined[row] = left == 1 ? made : UnionOf(joined[row], made);
      if (!IsRanges(joined[row])) (*rows)[row].end = joined[row];
    });
  }
  if (inits_.most == 0) return joined;
  std::vector<Number> with;
  for_each_row([&](size_t row) { with.push_back(joined[row]); });
  AddInits(with);
  for_each_row([&](size_t row) {
    const Number more = with_inits_.at(joined[row]);
    (*rows)[row].inits_matter |= more != joined[row];
    joined[row] = more;
    if (!IsRanges(more)) (*rows)[row].end = more;
  });
  return joined;
}

std::vector<InOrderTrees::Number> InOrderTrees::WholeOf(
    std::vector<Row>* rows) {
  const size_t terms = (*rows)[0].terms.size();
  PartsOfRows parts(terms, std::vector<std::vector<Number>>(terms + 1));
  for (size_t length = 1; length <= terms; ++length) {
    for (size_t begin = 0; begin + length <= terms; ++begin)
      parts[begin][length] = Joined(parts, begin, length, rows);
  }
  return parts[0][terms];
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
    std::vector<Row> few(std::min(at_a_time, rows.size() - begin));
    for (size_t i = 0; i < few.size(); ++i) {
      for (size_t term = 0; term < terms; ++term)
        few[i].terms.push_back(NumberOf(rows[begin + i][term]));
    }
    if (inits_.most > 0) SetOnlyInits(rows[begin].back());
    const std::vector<Number> wholes = WholeOf(&few);
    for (size_t i = 0; i < few.size(); ++i) {
      const Part& whole = parts_[few[i].end.value_or(wholes[i])];
      TreeSet& all = results[begin + i].all;
      all.most = kMost;
      all.kind = whole.kind;
      for (const Counted& of : whole.results) {
        if (of.inits >= inits_.least) all.Add(tuples_[of.tuple]);
      }
      results[begin + i].inits_matter = few[i].inits_matter;
    }
  }
  return results;
}

}  // namespace assay
