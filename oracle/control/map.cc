#include <algorithm>
#include <cstring>
#include <vector>

#include "oracle/elementwise/elementwise.h"
#include "oracle/region.h"

namespace assay {
namespace {

// The computation is applied to so many elements side by side: a few columns of
// them fit the processor's cache.
constexpr int64_t kChunk = 1 << 14;

// Returns the elements [begin, end) of a tensor as a column.
Scalars ColumnOf(const Tensor& tensor, int64_t begin, int64_t end) {
  Tensor column(TensorType{{end - begin}, tensor.element_type()});
  const int64_t bytes = Info(tensor.element_type()).bytes;
  std::memcpy(column.data(), tensor.data() + begin * bytes,
              static_cast<size_t>(column.byte_size()));
  return Scalars(std::move(column));
}

}  // namespace

Evaluation Map(const OpCall& op) {
  Region computation(op.op.Regions("computation")[0], op);
  Evaluation evaluation;
  Expectation& result = evaluation.outputs.emplace_back(op.ResultType());
  const bool keeps_nans = op.policy.Get("nan_payload_in_movement") == "keep";
  ResultOfScalars possible(keeps_nans, &result);
  const size_t inputs = op.op.Inputs("inputs").size();
  const int64_t end = op.End(result.lo.size());
  VisitElementType(op.ResultType().element_type, [&]<class T>() {
    WithMarks(op, &evaluation, [&](auto& clause) {
      for (int64_t begin = op.Begin(); begin < end; begin += kChunk) {
        std::vector<Scalars> arguments;
        for (size_t k = 0; k < inputs; ++k)
          arguments.push_back(
              ColumnOf(op.inputs[k], begin, std::min(begin + kChunk, end)));
        const Scalars scalars = computation.Apply(arguments)[0];
        for (int64_t i = 0; i < scalars.size(); ++i) {
          T value = clause("S1", T::FromBits(scalars.values().As<T>()[i]));
          if (IsNan(value) && scalars.StateAt(i) == Scalars::State::kKnown)
            value = clause("S2", value);
          result.lo.As<T>()[begin + i] = value.ToBits();
        }
        possible.Add(begin, scalars);
      }
    });
  });
  evaluation.undecided = possible.Finish();
  evaluation.region_marks = computation.marks();
  return evaluation;
}

Sources MapSources(const OpCall& op, size_t output, int64_t index) {
  return ElementwiseSources(op, output, index);
}

}  // namespace assay
