// The results of map, reduce and sort, as the specification has them: one
// application of the function after the other.
#include <algorithm>
#include <utility>

#include "backends/broken/kernel/regions.h"
#include "backends/calls/attributes.h"
#include "backends/calls/dims_view.h"

namespace assay::broken {
namespace {

using Numbers = std::vector<int64_t>;

bool IsIn(const Numbers& list, int64_t number) {
  return std::ranges::find(list, number) != list.end();
}

Tuple ElementsAt(const std::vector<Elements>& tensors, int64_t position) {
  Tuple tuple;
  for (const Elements& tensor : tensors) tuple.push_back(tensor.At(position));
  return tuple;
}

void SetElements(FunctionCall* call, int64_t position, const Tuple& tuple) {
  if (tuple.size() != call->outputs.size()) call->Fail("number of operands");
  for (size_t k = 0; k < tuple.size() && !call->IsDone(); ++k) {
    if (HasType(tuple[k], call->outputs[k].type))
      call->outputs[k].Set(position, tuple[k]);
    else
      call->Fail("result type");
  }
}

// Returns whether all outputs have the shape.
bool HaveShape(FunctionCall* call, const Numbers& shape) {
  for (const Elements& output : call->outputs) {
    if (output.shape != shape) call->Fail("mix of operand shapes");
  }
  return !call->IsDone();
}

}  // namespace

Tuple Bind(const FunctionCall& call, const Tuple& elements) {
  Tuple arguments = elements;
  arguments.insert(arguments.end(), call.captures.begin(), call.captures.end());
  return arguments;
}

// ------------------------------------------------------------------------- Map

void RunMap(FunctionCall* call) {
  const Hooks& hooks = ActiveHooks();
  const Numbers& shape = call->inputs[0].shape;
  if (!HaveShape(call, shape)) return;
  const int64_t count = calls::CountOf(shape);
  for (int64_t i = 0; i < count && !call->IsDone(); ++i) {
    const Tuple arguments = hooks.bind(*call, ElementsAt(call->inputs, i));
    SetElements(call, i, hooks.apply(*call, call->function(), arguments));
  }
}

// ---------------------------------------------------------------------- Reduce

Numbers TermsAlong(const Reduction& reduction, const Numbers& dimensions,
                   int64_t result) {
  const Numbers strides = calls::RowMajor(reduction.shape);
  int64_t first = 0;
  for (size_t d = strides.size(); d-- > 0;) {
    if (IsIn(reduction.dimensions, static_cast<int64_t>(d))) continue;
    first += result % reduction.shape[d] * strides[d];
    result /= reduction.shape[d];
  }
  Numbers positions = {first};
  for (const int64_t number : dimensions) {
    const auto d = static_cast<size_t>(number);
    Numbers longer;
    for (const int64_t position : positions) {
      for (int64_t i = 0; i < reduction.shape[d]; ++i)
        longer.push_back(position + i * strides[d]);
    }
    positions = std::move(longer);
  }
  return positions;
}

Numbers TermsOf(const Reduction& reduction, int64_t result) {
  Numbers ascending = reduction.dimensions;
  std::ranges::sort(ascending);
  return TermsAlong(reduction, ascending, result);
}

Tuple InTypesOfResults(const FunctionCall& call, const Tuple& tuple) {
  Tuple converted;
  for (size_t k = 0; k < tuple.size(); ++k)
    converted.push_back(ConvertedTo(call, call.outputs[k].type, tuple[k]));
  return converted;
}

Tuple ApplyToPair(const FunctionCall& call, const Tuple& lhs,
                  const Tuple& rhs) {
  Tuple elements = lhs;
  elements.insert(elements.end(), rhs.begin(), rhs.end());
  const Hooks& hooks = ActiveHooks();
  return hooks.apply(call, call.function(), hooks.bind(call, elements));
}

Tuple Fold(const FunctionCall& call, const std::vector<Tuple>& terms,
           const Tuple& init) {
  Tuple result = InTypesOfResults(call, init);
  for (const Tuple& term : terms)
    result = ApplyToPair(call, result, InTypesOfResults(call, term));
  return result;
}

void RunReduce(FunctionCall* call) {
  const std::vector<Elements>& inputs = call->inputs;
  const auto dimensions = calls::ListOf(call->call, "dimensions");
  Reduction reduction = {inputs[0].shape, dimensions.value_or(Numbers{-1})};
  const auto rank = static_cast<int64_t>(reduction.shape.size());
  for (const int64_t d : reduction.dimensions) {
    if (d < 0 || d >= rank || std::ranges::count(reduction.dimensions, d) != 1)
      return call->Fail("attribute value");
  }
  Numbers kept;
  for (int64_t d = 0; d < rank; ++d) {
    if (!IsIn(reduction.dimensions, d))
      kept.push_back(reduction.shape[static_cast<size_t>(d)]);
  }
  if (inputs.size() != call->init_values.size() ||
      inputs.size() != call->outputs.size())
    return call->Fail("number of operands");
  if (std::ranges::any_of(call->init_values, [](const Elements& init) {
        return !init.shape.empty();
      }))
    return call->Fail("mix of operand shapes");
  if (!HaveShape(call, kept)) return;
  const Tuple init = ElementsAt(call->init_values, 0);
  const int64_t count = calls::CountOf(kept);
  for (int64_t i = 0; i < count && !call->IsDone(); ++i) {
    std::vector<Tuple> terms;
    for (const int64_t position : ActiveHooks().terms(reduction, i))
      terms.push_back(ElementsAt(inputs, position));
    SetElements(call, i, ActiveHooks().fold(*call, terms, init));
  }
}

// ------------------------------------------------------------------------ Sort

int64_t Along(int64_t dimension, int64_t rank) {
  return dimension < 0 ? dimension + rank : dimension;
}

bool IsLess(const FunctionCall& call, const Tuple& lhs, const Tuple& rhs) {
  Tuple elements;
  for (size_t k = 0; k < lhs.size(); ++k) {
    elements.push_back(lhs[k]);
    elements.push_back(rhs[k]);
  }
  const Hooks& hooks = ActiveHooks();
  const Tuple results =
      hooks.apply(call, call.function(), hooks.bind(call, elements));
  if (call.IsDone()) return false;
  if (results.size() != 1 || results[0].type.code != ASSAY_DL_BOOL)
    call.Fail("a comparator of another type");
  return results[0].bytes[0] != 0;
}

// Merges ever longer runs, which is stable, and loses no element whatever the
// comparator says.
void Sort(const FunctionCall& call, std::vector<Tuple>* rows) {
  const size_t count = rows->size();
  for (size_t length = 1; length < count; length *= 2) {
    std::vector<Tuple> merged;
    for (size_t begin = 0; begin < count; begin += 2 * length) {
      const size_t middle = std::min(begin + length, count),
                   end = std::min(middle + length, count);
      size_t first = begin, second = middle;
      while (first < middle || second < end) {
        const bool takes_second =
            first == middle ||
            (second < end &&
             ActiveHooks().less(call, (*rows)[second], (*rows)[first]));
        merged.push_back((*rows)[takes_second ? second++ : first++]);
      }
    }
    *rows = std::move(merged);
  }
}

void RunSort(FunctionCall* call) {
  const Hooks& hooks = ActiveHooks();
  const Numbers& shape = call->inputs[0].shape;
  const auto rank = static_cast<int64_t>(shape.size());
  const bool has_dimension =
      calls::FindAttribute(call->call, "dimension") != nullptr;
  const auto number = calls::NumberOf(call->call, "dimension");
  const int64_t dimension = hooks.along(number.value_or(-1), rank);
  if (has_dimension != number.has_value() || dimension < 0 || dimension >= rank)
    return call->Fail("attribute value");
  if (call->inputs.size() != call->outputs.size())
    return call->Fail("number of operands");
  if (!HaveShape(call, shape)) return;
  const int64_t count = calls::CountOf(shape);
  const auto d = static_cast<size_t>(dimension);
  const int64_t step = calls::RowMajor(shape)[d];
  for (int64_t first = 0; first < count && !call->IsDone(); ++first) {
    if (first / step % shape[d] != 0) continue;
    std::vector<Tuple> rows;
    for (int64_t i = 0; i < shape[d]; ++i)
      rows.push_back(ElementsAt(call->inputs, first + i * step));
    hooks.sort(*call, &rows);
    for (int64_t i = 0; i < shape[d]; ++i)
      SetElements(call, first + i * step, rows[static_cast<size_t>(i)]);
  }
}

}  // namespace assay::broken
