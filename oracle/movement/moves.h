// The skeleton of ops that move elements: each element of the result is an
// element of an operand, and the text says which.
//
//   class Places {
//    public:
//     explicit Places(const Op& op);  // or const OpCall&
//     static constexpr ClauseNumber kValue = "S1", kNan = "S4";
//     Source operator()(auto& clause, const Index& result_index);
//   };
//
// One such class says values, marks of clauses and sources: kValue is the
// clause by which the element is moved, kNan the one for the bits of a NaN.
// Where the text has a clause for each operand, they are a list, kValues.
//
// Where operands say which element it is, such as start_indices,
// `AddIndices(result_index, &sources)` adds their elements that do. Where the
// text leaves more open than that, `Decide(clause, moved)` has the last word.
#ifndef ASSAY_ORACLE_MOVEMENT_MOVES_H_
#define ASSAY_ORACLE_MOVEMENT_MOVES_H_

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "oracle/elementwise/elementwise.h"

namespace assay {

// Return a sum and a product that wrap: where a clause is broken on purpose, an
// index is not clamped and may be any.
inline int64_t Plus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
inline int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

// Sets `index[d]` of each dimension of a result, for an element's position.
inline void IndexAt(const Shape& shape, int64_t position, Index* index) {
  for (size_t d = shape.size(); d-- > 0;) {
    (*index)[d] = position % shape[d];
    position /= shape[d];
  }
}

// Returns the numbers of an attribute that is a list of them.
inline std::vector<int64_t> NumbersOf(const Op& op, std::string_view name) {
  const Tensor& tensor = std::get<Tensor>(op.FindAttribute(name)->value);
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    numbers.push_back(static_cast<int64_t>(tensor.Bits(i)));
  return numbers;
}

// Returns the clause by which an element of this operand is moved.
template <class Places>
ClauseNumber ValueClauseOf(size_t operand) {
  if constexpr (requires { Places::kValues; }) {
    return Places::kValues[operand];
  } else {
    return Places::kValue;
  }
}

template <class Places>
Places PlacesOf(const OpCall& op) {
  if constexpr (std::is_constructible_v<Places, const OpCall&>) {
    return Places(op);
  } else {
    return Places(op.op);
  }
}

// Returns the value of an element of a tensor of integers, which may be one of
// 64 bits without a sign.
inline __int128 IntegerAt(const Tensor& tensor, int64_t i) {
  return ValueOf(tensor.element_type(), tensor.Bits(i));
}

// Where sizes at run time do not fit the result, or a clause is broken on
// purpose, an element may be outside of an operand of `size` elements: returns
// one within it, or nullopt if the operand has none.
inline std::optional<Source> WithinOperand(Source source, int64_t size) {
  if (size == 0) return std::nullopt;
  source.element = std::clamp<int64_t>(source.element, 0, size - 1);
  return source;
}

// Precondition: the operands that are moved have the element type of the
// result.
template <class Places>
Evaluation Moves(const OpCall& op) {
  const Shape& shape = op.ResultType().shape;
  const ElementType type = op.ResultType().element_type;
  return VisitElementType(type, [&]<class T>() {
    std::vector<const typename T::Bits*> elements;
    for (const Tensor& input : op.inputs)
      elements.push_back(input.element_type() == type ? input.As<T>()
                                                      : nullptr);
    Places places = PlacesOf<Places>(op);
    Index index(shape.size());
    Evaluation evaluation =
        ForEachElement<T>(op, [&](auto& clause, int64_t i) -> Allowed<T> {
          IndexAt(shape, i, &index);
          const Source source = places(clause, index);
          const auto within =
              WithinOperand(source, op.inputs[source.operand].size());
          const auto bits = within ? elements[source.operand][within->element]
                                   : typename T::Bits();
          T moved =
              clause(ValueClauseOf<Places>(source.operand), T::FromBits(bits));
          if (IsNan(moved)) moved = clause(Places::kNan, moved);
          if constexpr (requires { places.Decide(clause, moved); }) {
            return places.Decide(clause, moved);
          } else {
            return moved;
          }
        });
    KeepNans(op, &evaluation);
    return evaluation;
  });
}

template <class Places>
Sources SourcesOfMove(const OpCall& op, int64_t index) {
  const Shape& shape = op.ResultType().shape;
  Index result_index(shape.size());
  IndexAt(shape, index, &result_index);
  NoMarks clause;
  Places places = PlacesOf<Places>(op);
  // Who asks for rows of large tensors has their types alone.
  const Source source = places(clause, result_index);
  const auto first = WithinOperand(
      source, *ElementCount(op.op.inputs[source.operand].type.tensor().shape));
  if (!first) return {};
  Sources sources = {*first};
  if constexpr (requires { places.AddIndices(result_index, &sources); })
    places.AddIndices(result_index, &sources);
  return sources;
}

}  // namespace assay

#endif  // ASSAY_ORACLE_MOVEMENT_MOVES_H_
