// The results of an op that are reductions of rows of terms, each row by
// itself: what a Reducer says of them becomes the results of an evaluation.
#ifndef ASSAY_ORACLE_REDUCTION_REDUCED_ROWS_H_
#define ASSAY_ORACLE_REDUCTION_REDUCED_ROWS_H_

#include <memory>
#include <utility>
#include <vector>

#include "oracle/elementwise/elementwise.h"
#include "oracle/reduction/reducer.h"

namespace assay {

class ReducedRows {
 public:
  // The results of `op` are those of `evaluation`, and have their types.
  ReducedRows(const OpCall& op, Evaluation* evaluation)
      : evaluation_(*evaluation) {
    const bool keeps_nans = op.policy.Get("nan_payload_in_movement") == "keep";
    for (const Op::Result& result : op.op.outputs)
      evaluation_.outputs.emplace_back(result.type);
    for (Expectation& output : evaluation_.outputs)
      possible_.emplace_back(keeps_nans, &output);
  }

  // Takes the results of rows, which are the elements from `begin` on.
  // `decide(reasons, value, is_known)` returns the value, by the clauses that
  // decide it; or any value. Later rows come later.
  template <class Decide>
  void Take(int64_t begin, const Reduction& reduction, Decide decide) {
    for (size_t k = 0; k < reduction.results.size(); ++k) {
      Scalars results = reduction.results[k];
      VisitElementType(results.type(), [&]<class T>() {
        for (int64_t row = 0; row < results.size(); ++row) {
          const Allowed<T> allowed =
              decide(reduction.reasons[static_cast<size_t>(row)],
                     T::FromBits(results.values().template As<T>()[row]),
                     results.StateAt(row) == Scalars::State::kKnown);
          if (allowed.any) results.Set(row, Possible::Open());
          evaluation_.outputs[k].lo.template As<T>()[begin + row] =
              allowed.any ? results.values().template As<T>()[row]
                          : allowed.value.ToBits();
        }
      });
      possible_[k].Add(begin, results);
    }
    for (const TupleChoice& choice : reduction.choices)
      choices_.push_back({begin + choice.index, choice.tuples});
  }

  // Adds what is allowed beside the values, and the marks of the functions.
  void Finish(const std::vector<OpMarks>& marks) {
    if (!choices_.empty())
      evaluation_.relation =
          std::make_shared<ChoiceRelation>(std::move(choices_));
    for (ResultOfScalars& result : possible_)
      evaluation_.undecided += result.Finish();
    for (const OpMarks& of : marks) AddMarks(of, &evaluation_.region_marks);
  }

 private:
  Evaluation& evaluation_;
  std::vector<ResultOfScalars> possible_;
  std::vector<TupleChoice> choices_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_REDUCED_ROWS_H_
