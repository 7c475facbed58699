#include "oracle/elementwise/encoding.h"
#include "oracle/movement/moves.h"
#include "oracle/movement/runtime_shape.h"

namespace assay {
namespace {

// `constant(output_index[iota_dimension], element_type(output))`
class Counted {
 public:
  explicit Counted(const Policy& policy)
      : any_(policy.Get("iota_unrepresentable") == "any"), encoded_(policy) {}

  template <class T>
  Allowed<T> Element(auto& clause, int64_t index) const {
    if constexpr (IsComplexType<T>) {
      using Part = typename T::Part;
      const Allowed<Part> real = Element<Part>(clause, index);
      Allowed<T> parts(T(real.value, Part::Zero(false)));
      if (real.any) parts.flags |= Expectation::kRealOpen;
      return parts;
    } else if constexpr (IsFloatType<T>) {
      const Rounded<T> nearest =
          T::Round(false, static_cast<uint64_t>(index), 0);
      if (nearest.exact && nearest.unencodable == Unencodable::kNot)
        return clause("S1", nearest.value);
      if (any_) return clause("S2", Allowed<T>(kAny));
      return encoded_(clause, clause("S2", nearest));
    } else {
      const T wrapped = T::Wrap(index);
      if (__int128{wrapped.value()} == index) return clause("S1", wrapped);
      return clause("S2", any_ ? Allowed<T>(kAny) : Allowed<T>(wrapped));
    }
  }

 private:
  bool any_;
  Encoding encoded_;
};

// Counts, and lets `decide(clause, element)` have the last word on an element.
template <class Decide>
Evaluation Count(const OpCall& op, Decide decide) {
  const Shape& shape = op.ResultType().shape;
  const auto dimension = static_cast<size_t>(
      std::get<Tensor>(op.FindAttribute("iota_dimension")->value).Bits(0));
  const int64_t stride = RowMajorStrides(shape)[dimension];
  const Counted iota(op.policy);
  return VisitKinds<kIntegers | kFloats | kComplexes>(
      op.ResultType().element_type, [&]<class T>() {
        return ForEachElement<T>(
            op, [&](auto& clause, int64_t i) -> Allowed<T> {
              const int64_t output_index = i / stride % shape[dimension];
              return decide(clause,
                            iota.template Element<T>(clause, output_index));
            });
      });
}

}  // namespace

Evaluation Iota(const OpCall& op) {
  return Count(op, [](auto&, auto element) { return element; });
}

Sources IotaSources(const OpCall&, size_t, int64_t) { return {}; }

Evaluation DynamicIota(const OpCall& op) {
  const RunTimeShape shape = RunTimeShape::OfResult(op, "output_shape");
  return Count(op, [&](auto& clause, auto element) {
    return shape.Decide(clause, "S4", element);
  });
}

Sources DynamicIotaSources(const OpCall& op, size_t, int64_t) {
  Sources sources;
  RunTimeShape::AddSources(op, 0, &sources);
  return sources;
}

}  // namespace assay
