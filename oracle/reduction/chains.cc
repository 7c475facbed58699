#include "oracle/reduction/chains.h"

#include <algorithm>
#include <cstring>

#include "oracle/reduction/column_rows.h"
#include "oracle/reduction/components.h"
#include "oracle/reduction/integer_bounds.h"

namespace assay {
namespace {

// All orders of Chainer::kFewUpdates updates have so many results, or fewer.
constexpr size_t kMostOfFew = 720;
// An element that is set to one of more updates than these is not decided.
constexpr int64_t kMostToChoose = 1 << 10;
// So many applications, which try all orders of few updates, are made sooner
// than a law is looked for.
constexpr int64_t kFewApplications = 1 << 11;

int64_t BeginOf(const Updates& updates, int64_t element) {
  return element == 0 ? 0 : updates.ends[static_cast<size_t>(element - 1)];
}

int64_t CountOf(const Updates& updates, int64_t element) {
  return updates.ends[static_cast<size_t>(element)] - BeginOf(updates, element);
}

Tuple TupleOf(const std::vector<Scalars>& columns, int64_t i) {
  Tuple tuple;
  for (const Scalars& column : columns) tuple.push_back(ValueAt(column, i));
  return tuple;
}

Scalars ElementsAt(const Scalars& column, const std::vector<int64_t>& places) {
  Scalars elements = Uninitialised(column.type(), std::ssize(places));
  for (size_t i = 0; i < places.size(); ++i)
    elements.Set(static_cast<int64_t>(i), column.At(places[i]));
  return elements;
}

// Returns whether values of numbers are in order with others of their type.
bool IsOfNumbers(const Scalars& column, int64_t i) {
  return IsInteger(column.type()) ||
         IsOrderedNumber(column.type(), column.values().Bits(i));
}

}  // namespace

Chainer::Chainer(const Function& computation, const OpCall& call)
    : function_(computation),
      call_(call),
      rules_(call.policy),
      any_tree_(call.policy.Get("scatter_order") == "any_tree"),
      computation_(computation, call),
      component_functions_(ComponentsOf(computation)) {
  for (const Function& component : component_functions_)
    components_.push_back(std::make_unique<Chainer>(component, call));
  for (size_t k = 0; k < computation.results.size(); ++k) {
    types_.push_back(computation.results[k].type.tensor().element_type);
    reads_element_ |= Reads(computation, k);
  }
  const OpSpec* whole = WholeOp(computation);
  if (whole != nullptr && !whole->monoid.empty()) monoid_ = whole;
}

std::vector<OpMarks> Chainer::marks() const {
  std::vector<OpMarks> marks = computation_.marks();
  for (const auto& component : components_) {
    for (const OpMarks& of : component->marks()) AddMarks(of, &marks);
  }
  return marks;
}

bool Chainer::IsFloatMonoid() const {
  return monoid_ != nullptr && monoid_->monoid != "exact" &&
         (IsFloat(types_[0]) || IsComplex(types_[0]));
}

bool Chainer::HasOtherNodes() const {
  return IsFloatMonoid() && (rules_.wider || rules_.flushes || any_tree_);
}

bool Chainer::IsIntegerSumOrProduct() const {
  return monoid_ != nullptr && monoid_->monoid != "exact" &&
         IsInteger(types_[0]);
}

bool Chainer::MayOverflow(const Updates& updates, int64_t element) const {
  IntegerBounds bounds(monoid_->monoid == "sum");
  bounds.Add(ValueOf(types_[0], updates.elements[0].values().Bits(element)));
  for (int64_t i = BeginOf(updates, element);
       i < updates.ends[static_cast<size_t>(element)]; ++i)
    bounds.Add(ValueOf(types_[0], updates.updates[0].values().Bits(i)));
  return !bounds.AreIn(types_[0]);
}

bool Chainer::TriesOrdersFirst(const Updates& updates) const {
  int64_t applications = 0;
  for (int64_t element = 0; element < std::ssize(updates.ends); ++element) {
    const int64_t count = CountOf(updates, element);
    if (count > 1 && count <= kFewUpdates) applications += count << (count - 1);
  }
  return applications <= kFewApplications;
}

bool Chainer::OrderDoesNotMatter(const Updates& updates, int64_t element,
                                 bool tries_orders_first) {
  const int64_t count = CountOf(updates, element);
  if (count == 1) return true;
  // Where an overflow may be anything, sums that have none are the same in
  // every order.
  if (IsIntegerSumOrProduct() && !MayOverflow(updates, element)) return true;
  // Where a function reads the update alone, the last update decides, and a few
  // updates have their orders tried.
  const bool is_tried = reads_element_
                            ? tries_orders_first && count <= kFewUpdates
                            : count <= kMostToChoose;
  if (!commutes_ && is_tried) return false;
  if (!commutes_) commutes_ = ShownToCommuteInChains(function_, call_);
  if (*commutes_ != Shown::kOfNumbers) return *commutes_ == Shown::kAlways;
  for (size_t k = 0; k < types_.size(); ++k) {
    if (!IsOfNumbers(updates.elements[k], element)) return false;
    for (int64_t i = BeginOf(updates, element);
         i < updates.ends[static_cast<size_t>(element)]; ++i) {
      if (!IsOfNumbers(updates.updates[k], i)) return false;
    }
  }
  return true;
}

bool Chainer::AreKnown(const Updates& updates, int64_t element) const {
  const auto is_known = [](const Scalars& column, int64_t i) {
    return column.StateAt(i) != Scalars::State::kSeveral;
  };
  for (size_t k = 0; k < types_.size(); ++k) {
    if (!is_known(updates.elements[k], element)) return false;
    for (int64_t i = BeginOf(updates, element);
         i < updates.ends[static_cast<size_t>(element)]; ++i) {
      if (!is_known(updates.updates[k], i)) return false;
    }
  }
  return true;
}

Reduction Chainer::Apply(const Updates& updates) {
  const int64_t size = std::ssize(updates.ends);
  Reduction reduction;
  reduction.reasons.resize(static_cast<size_t>(size));
  for (const ElementType type : types_) {
    Tensor values(TensorType({size}, type));
    std::memset(values.data(), 0, static_cast<size_t>(values.byte_size()));
    reduction.results.emplace_back(std::move(values));
  }
  std::vector<int64_t> in_order, few, chosen, by_component;
  const bool is_float = IsFloatMonoid();
  const bool tries_orders_first = TriesOrdersFirst(updates);
  const bool has_others = std::ranges::any_of(
      components_,
      [](const auto& component) { return component->HasOtherNodes(); });
  for (int64_t element = 0; element < size; ++element) {
    const int64_t count = CountOf(updates, element);
    if (!AreKnown(updates, element)) {
      // The function says of one update what its values give.
      if (count == 1) {
        in_order.push_back(element);
      } else {
        for (Scalars& results : reduction.results)
          results.Set(element, Possible::Undecided());
      }
    } else if (is_float && (rules_.wider || rules_.flushes ||
                            count > kFewUpdates || (any_tree_ && count > 1))) {
      Bound(updates, element, &reduction);
    } else if (has_others) {
      by_component.push_back(element);
    } else if (OrderDoesNotMatter(updates, element, tries_orders_first)) {
      in_order.push_back(element);
    } else if (!reads_element_) {
      chosen.push_back(element);
    } else if (count <= kFewUpdates) {
      few.push_back(element);
    } else if (IsIntegerSumOrProduct()) {
      reduction.results[0].Set(element, Possible::Open());
    } else if (!components_.empty()) {
      by_component.push_back(element);
    } else {
      for (Scalars& results : reduction.results)
        results.Set(element, Possible::Undecided());
    }
  }
  ApplyInOrder(updates, in_order, &reduction);
  TryAllOrders(updates, few, &reduction);
  TakeAnyLast(updates, chosen, &reduction);
  if (!by_component.empty())
    ApplyToComponents(updates, by_component, &reduction);
  return reduction;
}

void Chainer::ApplyInOrder(const Updates& updates,
                           const std::vector<int64_t>& elements,
                           Reduction* reduction) {
  if (elements.empty()) return;
  for (const int64_t element : elements) {
    for (size_t k = 0; k < types_.size(); ++k)
      reduction->results[k].Set(element, updates.elements[k].At(element));
  }
  std::vector<int64_t> updated = elements;
  for (int64_t n = 0; !updated.empty(); ++n) {
    std::vector<int64_t> places;
    for (const int64_t element : updated)
      places.push_back(BeginOf(updates, element) + n);
    std::vector<Scalars> arguments;
    for (const Scalars& results : reduction->results)
      arguments.push_back(ElementsAt(results, updated));
    for (const Scalars& column : updates.updates)
      arguments.push_back(ElementsAt(column, places));
    const std::vector<Scalars> results = computation_.Apply(arguments);
    for (size_t k = 0; k < results.size(); ++k) {
      for (size_t i = 0; i < updated.size(); ++i)
        reduction->results[k].Set(updated[i],
                                  results[k].At(static_cast<int64_t>(i)));
    }
    std::erase_if(updated, [&](int64_t element) {
      return CountOf(updates, element) <= n + 1;
    });
  }
}

void Chainer::SetResults(int64_t element, const TreeSet& set,
                         Reduction* reduction) {
  if (set.kind != Possible::Kind::kRanges) {
    const Possible all = set.kind == Possible::Kind::kOpen
                             ? Possible::Open()
                             : Possible::Undecided();
    for (Scalars& results : reduction->results) results.Set(element, all);
    return;
  }
  if (set.tuples.size() > 1)
    reduction->reasons[static_cast<size_t>(element)] |= Reduction::kOrder;
  for (size_t k = 0; k < types_.size(); ++k) {
    Possible possible;
    for (const Tuple& tuple : set.tuples) {
      Possible one = Possible::Value(tuple[k].bits);
      one.any_nan = tuple[k].any_nan;
      possible.Add(types_[k], one, set.most);
    }
    reduction->results[k].Set(element, possible);
  }
  if (types_.size() > 1 && set.tuples.size() > 1)
    reduction->choices.push_back({element, set.tuples});
}

void Chainer::TryAllOrders(const Updates& updates,
                           const std::vector<int64_t>& elements,
                           Reduction* reduction) {
  TreeFolder folder(&computation_, types_);
  for (int64_t count = 2; count <= kFewUpdates; ++count) {
    std::vector<std::vector<Tuple>> leaves;
    std::vector<int64_t> numbers;
    for (const int64_t element : elements) {
      if (CountOf(updates, element) != count) continue;
      numbers.push_back(element);
      std::vector<Tuple>& row = leaves.emplace_back();
      row.push_back(TupleOf(updates.elements, element));
      for (int64_t i = 0; i < count; ++i)
        row.push_back(TupleOf(updates.updates, BeginOf(updates, element) + i));
    }
    if (leaves.empty()) continue;
    const TreeParts parts = TreeParts::Chains(count + 1);
    const auto sets = SetsOfTrees(parts, leaves, &folder, kMostOfFew);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const TreeSet& set = sets[i][parts.root()];
      if (set.kind == Possible::Kind::kUndecided && IsFloatMonoid()) {
        Bound(updates, numbers[i], reduction);
      } else {
        SetResults(numbers[i], set, reduction);
      }
    }
  }
}

void Chainer::TakeAnyLast(const Updates& updates,
                          const std::vector<int64_t>& elements,
                          Reduction* reduction) {
  TreeFolder folder(&computation_, types_);
  TreeSet empty;
  empty.most = kMostToChoose;
  std::vector<TreeSet> sets(elements.size(), empty);
  for (size_t i = 0; i < elements.size(); ++i) {
    const int64_t element = elements[i];
    if (CountOf(updates, element) > kMostToChoose) {
      sets[i].kind = Possible::Kind::kUndecided;
      continue;
    }
    for (int64_t n = 0; n < CountOf(updates, element); ++n)
      folder.Add(TupleOf(updates.elements, element),
                 TupleOf(updates.updates, BeginOf(updates, element) + n),
                 &sets[i]);
  }
  folder.Run();
  for (size_t i = 0; i < elements.size(); ++i)
    SetResults(elements[i], sets[i], reduction);
}

void Chainer::Bound(const Updates& updates, int64_t element,
                    Reduction* reduction) const {
  const int64_t count = CountOf(updates, element);
  Tensor terms(TensorType({count + 1}, types_[0]));
  terms.SetBits(0, updates.elements[0].values().Bits(element));
  for (int64_t i = 0; i < count; ++i)
    terms.SetBits(
        i + 1, updates.updates[0].values().Bits(BeginOf(updates, element) + i));
  const Possible possible = BoundedSumOrProduct(
      monoid_->monoid == "sum", terms, 0, count + 1, 0, {0, 0}, rules_);
  if (!possible.IsFinite() || possible.ranges.size() > 1)
    reduction->reasons[static_cast<size_t>(element)] |= Reduction::kOrder;
  reduction->results[0].Set(element, possible);
}

void Chainer::ApplyToComponents(const Updates& updates,
                                const std::vector<int64_t>& elements,
                                Reduction* reduction) {
  std::vector<int64_t> places;
  Updates of_elements;
  for (const int64_t element : elements) {
    for (int64_t n = 0; n < CountOf(updates, element); ++n)
      places.push_back(BeginOf(updates, element) + n);
    of_elements.ends.push_back(std::ssize(places));
  }
  for (size_t k = 0; k < components_.size(); ++k) {
    of_elements.elements = {ElementsAt(updates.elements[k], elements)};
    of_elements.updates = {ElementsAt(updates.updates[k], places)};
    const Reduction component = components_[k]->Apply(of_elements);
    for (size_t i = 0; i < elements.size(); ++i) {
      reduction->results[k].Set(
          elements[i], component.results[0].At(static_cast<int64_t>(i)));
      reduction->reasons[static_cast<size_t>(elements[i])] |=
          component.reasons[i];
    }
  }
}

}  // namespace assay
