#include <algorithm>
#include <vector>

#include "oracle/reduction/converted.h"
#include "oracle/reduction/reduced_rows.h"
#include "oracle/reduction/sliding_windows.h"

namespace assay {
namespace {

// So many terms are reduced at a time; a window that has more by itself is not
// decided beyond the second limit.
constexpr int64_t kWindowTermsAtATime = 1 << 18;
constexpr int64_t kMostTermsOfAWindow = 1 << 22;

constexpr WindowClauses kClausesOfWindows = {"S3", "S4", "S5"};

SlidingWindows WindowsOfReduceWindow(const Op& op) {
  return SlidingWindows(op, op.inputs[0].type.tensor().shape,
                        op.outputs[0].type.tensor().shape, true);
}

Reduction UndecidedRows(const Op& op, int64_t rows) {
  Reduction reduction;
  reduction.reasons.resize(static_cast<size_t>(rows), Reduction::kNode);
  for (const Op::Result& result : op.outputs)
    reduction.results.push_back(Scalars::Repeated(
        result.type.tensor().element_type, Possible::Undecided(), rows));
  return reduction;
}

}  // namespace

Evaluation ReduceWindow(const OpCall& op) {
  const Function& body = op.op.Regions("body")[0];
  const size_t count = op.op.outputs.size();
  const SlidingWindows windows = WindowsOfReduceWindow(op.op);
  Reducer reducer(body, op);
  Evaluation evaluation;
  ReducedRows reduced(op, &evaluation);
  const int64_t end = op.End(evaluation.outputs[0].lo.size());
  const int64_t length = windows.Length().value_or(kMostTermsOfAWindow + 1);
  const int64_t rows_at_a_time =
      std::max<int64_t>(kWindowTermsAtATime / length, 1);
  WithMarks(op, &evaluation, [&](auto& clause) {
    const auto in_type_of_body = [&](Scalars column, size_t argument) {
      return Converted(std::move(column),
                       body.inputs[argument].type.tensor().element_type, op,
                       &evaluation.region_marks);
    };
    // Returns the terms of some windows, of which the places are known.
    const auto terms_of = [&](size_t k, const std::vector<int64_t>& places) {
      const Tensor &from = op.inputs[k], &padding = op.inputs[count + k];
      return VisitElementType(from.element_type(), [&]<class T>() {
        Tensor values(TensorType({std::ssize(places)}, from.element_type()));
        auto* out = values.As<T>();
        for (const int64_t place : places)
          *out++ = place == SlidingWindows::kPadding ? padding.As<T>()[0]
                                                     : from.As<T>()[place];
        return in_type_of_body(Scalars(std::move(values)), k);
      });
    };
    for (int64_t begin = op.Begin(); begin < end; begin += rows_at_a_time) {
      const int64_t rows = std::min(rows_at_a_time, end - begin);
      Reduction reduction;
      if (length > kMostTermsOfAWindow) {
        reduction = UndecidedRows(op.op, rows);
      } else {
        std::vector<int64_t> places;
        places.reserve(static_cast<size_t>(rows * length));
        const int64_t last = op.inputs[0].size() - 1;
        for (int64_t window = begin; window < begin + rows; ++window) {
          windows.ForEachPlace(kClausesOfWindows, clause, window,
                               [&](int64_t place) {
                                 // A clause that is broken on purpose may point
                                 // beyond the operand.
                                 places.push_back(std::clamp<int64_t>(
                                     clause("S2", place), int64_t{-1}, last));
                               });
        }
        std::vector<Scalars> terms, inits;
        for (size_t k = 0; k < count; ++k) {
          terms.push_back(terms_of(k, places));
          const Tensor& init = op.inputs[count + k];
          inits.push_back(in_type_of_body(
              Scalars::Repeated(init.element_type(),
                                Possible::Value(init.Bits(0)), 1),
              count + k));
        }
        reduction = reducer.Reduce(terms, rows, length, inits);
      }
      reduced.Take(
          begin, reduction,
          [&]<class T>(uint8_t reasons, T value, bool is_known) -> Allowed<T> {
            value = clause("S1", value);
            if (reasons & Reduction::kOrder) value = clause("S6", value);
            if (reasons & Reduction::kInit) value = clause("S7", value);
            if (reasons & Reduction::kType) value = clause("S8", value);
            if (is_known && IsNan(value)) value = clause("S9", value);
            return value;
          });
    }
  });
  reduced.Finish(reducer.marks());
  return evaluation;
}

Sources ReduceWindowSources(const OpCall& op, size_t, int64_t index) {
  const SlidingWindows windows = WindowsOfReduceWindow(op.op);
  const size_t count = op.op.outputs.size();
  Sources sources;
  NoMarks clause;
  for (size_t k = 0; k < count; ++k) {
    windows.ForEachPlace(kClausesOfWindows, clause, index, [&](int64_t place) {
      if (place != SlidingWindows::kPadding) sources.push_back({k, place});
    });
  }
  for (size_t k = 0; k < count; ++k) sources.push_back({count + k, 0});
  return sources;
}

}  // namespace assay
