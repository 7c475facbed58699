// Ops that take functions: map takes any function, reductions and scatter
// mostly one that forms a monoid, and sort mostly an order, since little is
// promised of others.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/proposals/contractions.h"
#include "fuzz/proposals/function_drawer.h"
#include "fuzz/proposals/proposals.h"

namespace assay {
namespace {

using Value = FunctionDrawer::Value;
using Values = std::vector<Value>;

// Any in-order tree over so many terms is right for any function, and judged.
constexpr int64_t kFewTerms = 6;
constexpr uint32_t kMostOperands = 3;

ElementType DrawType(Choices* choices) {
  return choices->Of(Topic::kAttributes, ElementTypes()).type;
}

// Returns "inputs.0".
std::string Numbered(const char* name, size_t k) {
  return std::string(name) + "." + std::to_string(k);
}

// One operand is most usual.
uint32_t DrawCount(Choices* choices) {
  return choices->OneIn(Topic::kShape, 3)
             ? 1 + choices->Below(Topic::kShape, kMostOperands)
             : 1;
}

// Adds operands of one input, the first of that type.
void AddOperands(const char* input, ElementType type, Choices* choices,
                 Op* op) {
  for (uint32_t k = 0, count = DrawCount(choices); k < count; ++k) {
    const bool is_other = k > 0 && choices->OneIn(Topic::kAttributes, 3);
    op->inputs.push_back({input,
                          Numbered(input, k),
                          {Shape{}, is_other ? DrawType(choices) : type}});
  }
}

std::vector<ElementType> TypesOf(std::span<const Op::Operand> operands) {
  std::vector<ElementType> types;
  for (const Op::Operand& operand : operands)
    types.push_back(operand.type.tensor().element_type);
  return types;
}

void AddTypesOfMap(ElementType type, Choices* choices, Op* op) {
  AddOperands("inputs", type, choices, op);
  op->outputs.push_back({"result", "result", {Shape{}, type}});
}

void AddFunctionOfMap(Choices* choices, Op* op) {
  FunctionDrawer function("computation", true, choices);
  const std::vector<ElementType> types = TypesOf(op->inputs);
  Values values;
  for (const ElementType type : types)
    values.push_back(function.AddArgument(type));
  if (choices->OneIn(Topic::kAttributes, 4))
    values.push_back(function.Capture(types[0]));
  for (uint32_t left = choices->Below(Topic::kAttributes, 5); left > 0; --left)
    values.push_back(function.DrawOp(values));
  const Value result = values.back();
  op->regions.push_back(std::move(function).Finish({result}));
  op->outputs[0].type.tensor().element_type = result.type.tensor().element_type;
}

// The body of a reduce or scatter has the types of the operands, and the
// arguments of one tuple follow those of the other.
class BodyDrawer {
 public:
  BodyDrawer(const std::vector<ElementType>& types, Choices* choices,
             const char* name = "body")
      : types_(types), choices_(*choices), function_(name, false, choices) {
    for (Values* tuple : {&lhs_, &rhs_}) {
      for (const ElementType type : types)
        tuple->push_back(function_.AddArgument(type));
    }
  }

  // Each result is that of a known monoid.
  Function DrawMonoids() && {
    Values results;
    for (size_t k = 0; k < types_.size(); ++k) {
      std::vector<const OpSpec*> monoids;
      for (const OpSpec* spec : OpsOn(types_[k], false)) {
        if (!spec->monoid.empty()) monoids.push_back(spec);
      }
      results.push_back(
          monoids.empty()
              ? lhs_[k]
              : function_.Add(choices_.Of(Topic::kAttributes, monoids)->id,
                              {lhs_[k], rhs_[k]}, types_[k]));
    }
    return std::move(function_).Finish(results);
  }

  Function DrawSecond() && { return std::move(function_).Finish(rhs_); }

  // The tuple that comes first or last, or that has the greatest or the least
  // first element.
  Function DrawChoice() && {
    if (choices_.OneIn(Topic::kAttributes, 3))
      return std::move(function_).Finish(
          choices_.OneIn(Topic::kAttributes, 2) ? lhs_ : rhs_);
    const Value predicate = function_.AddCompare(
        choices_.OneIn(Topic::kAttributes, 2) ? "GE" : "LE", lhs_[0], rhs_[0]);
    Values results;
    for (size_t k = 0; k < types_.size(); ++k)
      results.push_back(
          function_.Add("select", {predicate, lhs_[k], rhs_[k]}, types_[k]));
    return std::move(function_).Finish(results);
  }

  // The composition of affine maps, which does not commute. Precondition: the
  // first two types are one type of integers.
  Function DrawAffineMaps() && {
    const ElementType type = types_[0];
    const Value product = function_.Add("multiply", {rhs_[0], lhs_[1]}, type);
    Values results = {function_.Add("multiply", {lhs_[0], rhs_[0]}, type),
                      function_.Add("add", {product, rhs_[1]}, type)};
    for (size_t k = 2; k < types_.size(); ++k) results.push_back(lhs_[k]);
    return std::move(function_).Finish(results);
  }

  // Ops on arguments and captured values; each result depends on the tuples as
  // it may.
  Function DrawAny(bool captures) && {
    Values results;
    for (size_t k = 0; k < types_.size(); ++k) {
      Values values = {lhs_[k], rhs_[k]};
      if (captures) values.push_back(function_.Capture(types_[k]));
      const uint32_t count = 1 + choices_.Below(Topic::kAttributes, 2);
      for (uint32_t left = count; left > 0; --left) {
        Value value = function_.DrawOp(values);
        if (value.type == values[0].type) values.push_back(std::move(value));
      }
      results.push_back(values.back());
    }
    return std::move(function_).Finish(results);
  }

 private:
  const std::vector<ElementType>& types_;
  Choices& choices_;
  FunctionDrawer function_;
  Values lhs_, rhs_;
};

Function DrawBody(const std::vector<ElementType>& types, int64_t length,
                  Choices* choices, const char* name = "body") {
  BodyDrawer body(types, choices, name);
  switch (choices->Below(Topic::kAttributes, 6)) {
    case 2:
      return std::move(body).DrawChoice();
    case 3:
      if (types.size() < 2 || types[0] != types[1] || !IsInteger(types[0]))
        break;
      return std::move(body).DrawAffineMaps();
    case 4:
      if (length > kFewTerms) break;
      return std::move(body).DrawAny(choices->OneIn(Topic::kAttributes, 3));
    default:
      break;
  }
  return std::move(body).DrawMonoids();
}

// Returns a type that values of this one may be promoted to.
ElementType DrawPromoted(Choices* choices, ElementType type) {
  std::vector<ElementType> wider = {type};
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (info.kind == Info(type).kind && info.bits > Info(type).bits)
      wider.push_back(info.type);
  }
  return choices->OneIn(Topic::kAttributes, 6)
             ? choices->Of(Topic::kAttributes, wider)
             : type;
}

void AddTypesOfReduce(ElementType type, Choices* choices, Op* op) {
  AddOperands("inputs", type, choices, op);
  const std::vector<ElementType> types = TypesOf(op->inputs);
  for (size_t k = 0; k < types.size(); ++k)
    op->inputs.push_back(
        {"init_values", Numbered("init_values", k), {Shape{}, types[k]}});
  for (size_t k = 0; k < types.size(); ++k)
    op->outputs.push_back({"results",
                           Numbered("results", k),
                           {Shape{}, DrawPromoted(choices, types[k])}});
}

void AddFunctionOfReduce(Choices* choices, Op* op) {
  // So many elements are put together to one.
  const Tensor& dimensions =
      std::get<Tensor>(op->FindAttribute("dimensions")->value);
  int64_t length = 1;
  for (int64_t i = 0; i < dimensions.size(); ++i)
    length *= op->inputs[0].type.tensor().shape[static_cast<size_t>(
        dimensions.Bits(i))];
  std::vector<ElementType> types;
  for (const Op::Result& result : op->outputs)
    types.push_back(result.type.tensor().element_type);
  op->regions.push_back(DrawBody(types, length, choices));
}

// Returns how many elements a window has.
int64_t WindowSize(const Op& op) {
  const Tensor& dimensions =
      std::get<Tensor>(op.FindAttribute("window_dimensions")->value);
  Shape sizes;
  for (int64_t i = 0; i < dimensions.size(); ++i)
    sizes.push_back(static_cast<int64_t>(dimensions.Bits(i)));
  return ElementCount(sizes).value_or(INT64_MAX);
}

void AddFunctionOfReduceWindow(Choices* choices, Op* op) {
  std::vector<ElementType> types;
  for (const Op::Result& result : op->outputs)
    types.push_back(result.type.tensor().element_type);
  op->regions.push_back(DrawBody(types, WindowSize(*op), choices));
}

void AddTypesOfSelectAndScatter(ElementType type, Choices* choices, Op* op) {
  for (const char* name : {"operand", "source", "init_value"})
    op->inputs.push_back({name, name, {Shape{}, type}});
  op->outputs.push_back(
      {"result", "result", {Shape{}, DrawPromoted(choices, type)}});
}

// The greatest or the least element is selected, the first or the last one of
// them; or one that the places alone decide.
Function DrawSelect(ElementType type, Choices* choices) {
  FunctionDrawer function("select", false, choices);
  const Value a = function.AddArgument(type), b = function.AddArgument(type);
  constexpr const char* kDirections[] = {"GE", "GT", "LE", "LT", "EQ", "NE"};
  const bool is_odd = choices->OneIn(Topic::kAttributes, 12);
  const char* direction =
      kDirections[choices->Below(Topic::kAttributes, is_odd ? 6 : 4)];
  const bool is_total = choices->OneIn(Topic::kAttributes, 4);
  return std::move(function).Finish(
      {function.AddCompare(direction, a, b, is_total)});
}

void AddFunctionsOfSelectAndScatter(Choices* choices, Op* op) {
  const ElementType type = op->inputs[0].type.tensor().element_type;
  op->regions.push_back(DrawSelect(type, choices));
  const std::vector<ElementType> types = {
      op->outputs[0].type.tensor().element_type};
  // No more source values than windows an element is in go to it.
  Function scatter = DrawBody(types, WindowSize(*op), choices, "scatter");
  op->regions.push_back(std::move(scatter));
}

void AddTypesOfScatter(ElementType type, Choices* choices, Op* op) {
  AddOperands("inputs", type, choices, op);
  const std::vector<ElementType> types = TypesOf(op->inputs);
  std::vector<ElementType> integers;
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (IsInteger(info.type)) integers.push_back(info.type);
  }
  op->inputs.push_back({"scatter_indices",
                        "scatter_indices",
                        {Shape{}, choices->Of(Topic::kAttributes, integers)}});
  for (size_t k = 0; k < types.size(); ++k)
    op->inputs.push_back(
        {"updates", Numbered("updates", k), {Shape{}, types[k]}});
  for (size_t k = 0; k < types.size(); ++k)
    op->outputs.push_back({"results",
                           Numbered("results", k),
                           {Shape{}, DrawPromoted(choices, types[k])}});
  for (const char* name : {"indices_are_sorted", "unique_indices"}) {
    Tensor promise(TensorType{{}, ElementType::kI1});
    promise.SetBits(0, choices->OneIn(Topic::kAttributes, 8));
    op->attributes.push_back({name, std::move(promise)});
  }
}

// All orders of few updates are right for any function, and judged.
void AddFunctionOfScatter(Choices* choices, Op* op) {
  std::vector<ElementType> types;
  for (const Op::Result& result : op->outputs)
    types.push_back(result.type.tensor().element_type);
  const std::optional<int64_t> updates =
      ElementCount(op->Inputs("updates")[0].type.tensor().shape);
  BodyDrawer body(types, choices, "update_computation");
  switch (choices->Below(Topic::kAttributes, 8)) {
    case 3:
    case 4:
      op->regions.push_back(std::move(body).DrawSecond());
      return;
    case 5:
      op->regions.push_back(std::move(body).DrawChoice());
      return;
    case 6:
      if (updates > kFewTerms) break;
      op->regions.push_back(
          std::move(body).DrawAny(choices->OneIn(Topic::kAttributes, 3)));
      return;
    default:
      break;
  }
  op->regions.push_back(std::move(body).DrawMonoids());
}

// The arguments of one operand follow each other.
Function DrawComparator(const std::vector<ElementType>& types,
                        Choices* choices) {
  FunctionDrawer function("comparator", false, choices);
  Values lhs, rhs;
  for (const ElementType type : types) {
    lhs.push_back(function.AddArgument(type));
    rhs.push_back(function.AddArgument(type));
  }
  const bool is_total = choices->OneIn(Topic::kAttributes, 2);
  // LE and NE are no orders, and a sort may then return any permutation.
  const char* direction = choices->OneIn(Topic::kAttributes, 2) ? "GT" : "LT";
  if (choices->OneIn(Topic::kAttributes, 12))
    direction = choices->OneIn(Topic::kAttributes, 2) ? "NE" : "LE";
  const size_t key =
      choices->Below(Topic::kAttributes, static_cast<uint32_t>(types.size()));
  Value a = lhs[key], b = rhs[key];
  if (choices->OneIn(Topic::kAttributes, 4)) {
    // Keys are made of elements and of a captured value.
    const auto& ops = OpsOn(types[key], false);
    std::vector<const OpSpec*> binary;
    std::ranges::copy_if(
        ops, std::back_inserter(binary),
        [](const OpSpec* spec) { return spec->inputs.size() == 2; });
    if (!binary.empty()) {
      const std::string& id = choices->Of(Topic::kAttributes, binary)->id;
      const Value captured = function.Capture(types[key]);
      a = function.Add(id, {a, captured}, types[key]);
      b = function.Add(id, {b, captured}, types[key]);
    }
  }
  Value less = function.AddCompare(direction, a, b, is_total);
  if (types.size() > 1 && choices->OneIn(Topic::kAttributes, 3)) {
    const size_t second = key == 0 ? 1 : 0;
    const Value is_equal = function.AddCompare("EQ", a, b);
    const Value otherwise =
        function.AddCompare("LT", lhs[second], rhs[second], is_total);
    less =
        function.Add("select", {is_equal, otherwise, less}, ElementType::kI1);
  }
  return std::move(function).Finish({less});
}

void AddTypesOfSort(ElementType type, Choices* choices, Op* op) {
  AddOperands("inputs", type, choices, op);
  const std::vector<ElementType> types = TypesOf(op->inputs);
  for (size_t k = 0; k < types.size(); ++k)
    op->outputs.push_back(
        {"results", Numbered("results", k), {Shape{}, types[k]}});
  Tensor is_stable(TensorType{{}, ElementType::kI1});
  is_stable.SetBits(0, choices->Below(Topic::kAttributes, 2));
  op->attributes = {{"is_stable", std::move(is_stable)}};
}

void AddFunctionOfSort(Choices* choices, Op* op) {
  op->regions.push_back(DrawComparator(TypesOf(op->inputs), choices));
}

constexpr Proposal kProposals[] = {
    {"map", AddTypesOfMap, AddFunctionOfMap},
    {"reduce", AddTypesOfReduce, AddFunctionOfReduce},
    {"reduce_window", AddTypesOfReduce, AddFunctionOfReduceWindow},
    {"scatter", AddTypesOfScatter, AddFunctionOfScatter},
    {"select_and_scatter", AddTypesOfSelectAndScatter,
     AddFunctionsOfSelectAndScatter},
    {"sort", AddTypesOfSort, AddFunctionOfSort}};

}  // namespace

const Proposal* FindProposal(std::string_view op) {
  for (const std::span<const Proposal> proposals :
       {std::span<const Proposal>(kProposals), ContractionProposals()}) {
    const auto it = std::ranges::find(proposals, op, &Proposal::op);
    if (it != proposals.end()) return &*it;
  }
  return nullptr;
}

}  // namespace assay
