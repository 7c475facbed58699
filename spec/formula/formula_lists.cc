// These functions of the notation are about lists of numbers.
#include <algorithm>
#include <optional>
#include <vector>

#include "spec/formula/formula_node.h"
#include "spec/formula/functions.h"

namespace assay::functions {

using List = Value::List;
using Undefined = Value::Undefined;

namespace {

// Ranges are of dimensions, or along a dimension that has parameters.
constexpr int64_t kLongestRange = int64_t{1} << 20;

void AddElements(const List& list, List* elements) {
  for (const Value& element : list) {
    if (const List* row = element.As<List>()) {
      AddElements(*row, elements);
    } else {
      elements->push_back(element);
    }
  }
}

}  // namespace

Value Range(const std::vector<Value>& a) {
  const int64_t* size = a[0].As<int64_t>();
  if (size == nullptr || *size < 0 || *size > kLongestRange)
    return Undefined{"range of something that is no number of elements"};
  List list;
  for (int64_t i = 0; i < *size; ++i) list.push_back(i);
  return list;
}

Value SameFunction(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr) return Undefined{"same() of something that is no list"};
  // Equality is transitive, except that a `?` is compatible with every size.
  Truth all = Truth::kTrue;
  for (const Value& element : *list)
    all = And(all, TruthOf(Compare("=", list->front(), element)));
  if (all == Truth::kTrue || all == Truth::kFalse) return ToValue(all);
  for (size_t i = 1; all != Truth::kFalse && i < list->size(); ++i) {
    for (size_t k = 1; k < i; ++k)
      all = And(all, TruthOf(Compare("=", (*list)[k], (*list)[i])));
  }
  return ToValue(all);
}

Value Max(const std::vector<Value>& a) {
  const std::optional<__int128> bound = IntegerOf(a[1]);
  const List* list = a[0].As<List>();
  if (list == nullptr || !bound)
    return Undefined{"max() takes a list of numbers and a number"};
  List result;
  for (const Value& element : *list) {
    const std::optional<__int128> number = IntegerOf(element);
    result.push_back(number ? OfInteger(std::max(*number, *bound)) : element);
  }
  return result;
}

Value Sum(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr) return Undefined{"sum() of something that is no list"};
  if (const std::optional<Value> undecided = FindUndecided(*list))
    return *undecided;
  __int128 sum = 0;
  for (const Value& element : *list) {
    const std::optional<__int128> number = IntegerOf(element);
    if (!number) return Undefined{"sum() of what is no number"};
    if (__builtin_add_overflow(sum, *number, &sum))
      return Undefined{"a sum of the formula overflows 128 bits"};
  }
  return OfInteger(sum);
}

// product(list): what the text writes reduce(list, init_values=1,
// dimensions=[0], body=lambda x, y: x * y).
Value Product(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr)
    return Undefined{"product() of something that is no list"};
  if (const std::optional<Value> undecided = FindUndecided(*list))
    return *undecided;
  __int128 product = 1;
  for (const Value& element : *list) {
    const std::optional<__int128> number = IntegerOf(element);
    if (!number) return Undefined{"product() of what is no number"};
    if (__builtin_mul_overflow(product, *number, &product))
      return Undefined{"a product of the formula overflows 128 bits"};
  }
  return OfInteger(product);
}

// without(shape, dimensions): "except that the dimension sizes corresponding to
// `dimensions` are not included".
Value Without(const std::vector<Value>& a) {
  const List *shape = a[0].As<List>(), *dimensions = a[1].As<List>();
  if (shape == nullptr || dimensions == nullptr)
    return Undefined{"without() takes a shape and a list of dimensions"};
  std::vector<bool> is_left_out(shape->size());
  for (const Value& element : *dimensions) {
    const int64_t* dimension = element.As<int64_t>();
    if (dimension == nullptr || *dimension < 0 ||
        *dimension >= static_cast<int64_t>(shape->size()))
      return Undefined{"without() of a dimension that the shape lacks"};
    is_left_out[static_cast<size_t>(*dimension)] = true;
  }
  List rest;
  for (size_t d = 0; d < shape->size(); ++d) {
    if (!is_left_out[d]) rest.push_back((*shape)[d]);
  }
  return rest;
}

// arranged(sizes, dimensions): the list L with L[dimensions[i]] = sizes[i].
Value Arranged(const std::vector<Value>& a) {
  const List *sizes = a[0].As<List>(), *dimensions = a[1].As<List>();
  if (sizes == nullptr || dimensions == nullptr ||
      sizes->size() != dimensions->size())
    return Undefined{"arranged() takes two lists of the same length"};
  std::vector<std::optional<Value>> places(sizes->size());
  for (size_t i = 0; i < sizes->size(); ++i) {
    const int64_t* place = (*dimensions)[i].As<int64_t>();
    if (place == nullptr || *place < 0 ||
        *place >= static_cast<int64_t>(places.size()) ||
        places[static_cast<size_t>(*place)])
      return Undefined{"arranged() by what is no permutation"};
    places[static_cast<size_t>(*place)] = (*sizes)[i];
  }
  List arranged;
  for (std::optional<Value>& value : places)
    arranged.push_back(*std::move(value));
  return arranged;
}

Value IsSorted(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr)
    return Undefined{"is_sorted of something that is no list"};
  Truth all = Truth::kTrue;
  for (size_t i = 1; i < list->size(); ++i)
    all = And(all, TruthOf(Compare("<=", (*list)[i - 1], (*list)[i])));
  return ToValue(all);
}

Value IsUnique(const std::vector<Value>& a) {
  const List* list = a[0].As<List>();
  if (list == nullptr)
    return Undefined{"is_unique of something that is no list"};
  // Elements of a tensor constant of several dimensions are those of its rows.
  List elements;
  AddElements(*list, &elements);
  std::vector<int64_t> numbers;
  for (const Value& element : elements) {
    if (const int64_t* number = element.As<int64_t>())
      numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  if (std::ranges::adjacent_find(numbers) != numbers.end()) return false;
  if (numbers.size() == elements.size()) return true;
  Truth all = Truth::kTrue;
  for (size_t i = 0; all != Truth::kFalse && i < elements.size(); ++i) {
    for (size_t k = 0; k < i; ++k)
      all = And(all, TruthOf(Compare("!=", elements[k], elements[i])));
  }
  return ToValue(all);
}

}  // namespace assay::functions
