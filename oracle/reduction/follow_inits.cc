// An associative function has one result over a sequence, whatever the tree.
// What is open is where in the sequence the initial value stands, and how often
// it does: the results are followed from term to term.
#include <algorithm>
#include <deque>

#include "oracle/reduction/reducer.h"

namespace assay {
namespace {

// Initial values among more terms than these are not followed.
constexpr int64_t kMostFollowed = 1 << 10;

// A Beginning is what the first terms of a row, and initial values among them,
// may become.
struct Beginning {
  Tuple value;
  int64_t inits;  // among the terms
};

// The beginnings of a row, each value with the fewest initial values that give
// it; with each number of them, if that number matters.
class Beginnings {
 public:
  // More values than these are not followed.
  static constexpr size_t kMost = TreeSet::kMost;

  explicit Beginnings(bool number_matters) : number_matters_(number_matters) {}

  // Returns whether the beginning is new.
  bool Add(const Beginning& beginning) {
    const auto found = std::ranges::find_if(all_, [&](const Beginning& other) {
      return other.value == beginning.value &&
             (!number_matters_ || other.inits == beginning.inits);
    });
    if (found == all_.end()) {
      all_.push_back(beginning);
      return true;
    }
    if (found->inits <= beginning.inits) return false;
    found->inits = beginning.inits;
    return true;
  }
  const std::vector<Beginning>& all() const { return all_; }
  bool AreTooMany() const { return all_.size() > kMost; }

 private:
  bool number_matters_;
  std::vector<Beginning> all_;
};

struct Step {
  size_t row;
  int64_t inits;
  TreeSet results;
};

}  // namespace

bool Reducer::MayFollowInits(int64_t length) const {
  return length <= kMostFollowed && InitsFor(length).most != InitCount::kAny;
}

std::vector<TreeSet> Reducer::ResultsWithInits(const std::vector<Row>& rows) {
  const size_t length = rows[0].size() - 1;
  const InitCount count = InitsFor(static_cast<int64_t>(length));
  const Beginnings none(count.least > 0);
  std::vector<Beginnings> beginnings(rows.size(), none);
  std::vector<bool> is_lost(rows.size());
  TreeFolder folder(&body_, types_);
  // Takes the results of steps into `into`, and returns those that are new, by
  // row.
  const auto take = [&](std::deque<Step>& steps,
                        std::vector<Beginnings>& into) {
    folder.Run();
    std::vector<std::vector<Beginning>> added(rows.size());
    for (const Step& step : steps) {
      if (step.results.kind != Possible::Kind::kRanges)
        is_lost[step.row] = true;
      for (const Tuple& tuple : step.results.tuples) {
        const Beginning beginning = {tuple, step.inits};
        if (into[step.row].Add(beginning)) added[step.row].push_back(beginning);
      }
      if (into[step.row].AreTooMany()) is_lost[step.row] = true;
    }
    steps.clear();
    return added;
  };
  std::deque<Step> steps;
  for (size_t i = 0; i <= length; ++i) {
    // Initial values stand in front of the term, or behind the last one.
    std::vector<std::vector<Beginning>> added(rows.size());
    for (size_t row = 0; row < rows.size(); ++row) {
      if (i > 0) added[row] = beginnings[row].all();
      const Beginning init = {rows[row].back(), 1};
      if (i == 0 && beginnings[row].Add(init)) added[row] = {init};
    }
    for (bool goes_on = true; goes_on;) {
      for (size_t row = 0; row < rows.size(); ++row) {
        for (const Beginning& from : added[row]) {
          if (is_lost[row] || from.inits >= count.most) continue;
          steps.push_back({row, from.inits + 1, {}});
          folder.Add(from.value, rows[row].back(), &steps.back().results);
        }
      }
      goes_on = !steps.empty();
      added = take(steps, beginnings);
    }
    if (i == length) break;
    std::vector<Beginnings> longer(rows.size(), none);
    for (size_t row = 0; row < rows.size(); ++row) {
      const Tuple& term = rows[row][i];
      if (i == 0) longer[row].Add({term, 0});
      for (const Beginning& from : beginnings[row].all()) {
        if (is_lost[row]) continue;
        steps.push_back({row, from.inits, {}});
        folder.Add(from.value, term, &steps.back().results);
      }
    }
    take(steps, longer);
    beginnings = std::move(longer);
  }
  std::vector<TreeSet> results(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    if (is_lost[row]) results[row].kind = Possible::Kind::kUndecided;
    for (const Beginning& whole : beginnings[row].all()) {
      if (whole.inits >= count.least) results[row].Add(whole.value);
    }
  }
  return results;
}

void Reducer::FollowInits(const std::vector<Row>& rows,
                          const std::vector<int64_t>& numbers,
                          Reduction* reduction) {
  if (rows.empty()) return;
  const std::vector<TreeSet> sets = ResultsWithInits(rows);
  for (size_t i = 0; i < sets.size(); ++i)
    SetResults(numbers[i], sets[i], reduction);
}

void Reducer::JoinComponents(const std::vector<Scalars>& terms, int64_t rows,
                             int64_t length, Reduction* reduction) {
  if (inits_.empty() || !MayFollowInits(length)) return;
  std::vector<Row> joint;
  std::vector<int64_t> numbers;
  for (int64_t row = 0; row < rows; ++row) {
    int several = 0;
    bool are_finite = true;
    for (const Scalars& results : reduction->results) {
      several += results.StateAt(row) == Scalars::State::kSeveral;
      are_finite &= results.At(row).IsFinite();
    }
    if (several < 2 || !are_finite || !HasOneTree(terms, row, length)) continue;
    joint.push_back(RowOf(terms, row, length));
    numbers.push_back(row);
  }
  if (joint.empty()) return;
  const std::vector<TreeSet> sets = ResultsWithInits(joint);
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].kind == Possible::Kind::kRanges)
      SetResults(numbers[i], sets[i], reduction);
  }
}

}  // namespace assay
