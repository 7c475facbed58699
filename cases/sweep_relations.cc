// Relations hold for every function of elements, so that they show what a
// budget hides: a vector and its tail that are both near, and not the same.
#include "cases/sweep_relations.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cases/layout_sweep.h"
#include "spec/digest.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr std::array kRelations = {
    SweepKind{"element", "an element alone gives what it gives among others"},
    SweepKind{"lanes", "one value everywhere gives one result everywhere"},
    SweepKind{"permuted", "values in another order give results in that order"},
    SweepKind{"swapped", "operands of a commutative op may change places"}};

constexpr std::array<std::string_view, 7> kCommutative = {
    "add", "and", "maximum", "minimum", "multiply", "or", "xor"};

bool IsCommutative(std::string_view op) {
  constexpr std::string_view kPointwise = "pointwise.";
  if (op.starts_with(kPointwise)) op.remove_prefix(kPointwise.size());
  return std::ranges::find(kCommutative, op) != kCommutative.end();
}

// A function of elements, of which none stands for several.
bool IsElementwise(const Op& op) {
  return FindOp(op.op)->elementwise &&
         std::ranges::all_of(op.inputs, [&](const Op::Operand& operand) {
           return operand.type.shape == op.outputs[0].type.shape;
         });
}

// An element of the case that its name chooses, so that it is the same
// everywhere and another one in every case.
int64_t ChosenElement(const Case& c, int64_t count) {
  const uint64_t hash = std::stoull(Sha256(c.name).substr(0, 15), nullptr, 16);
  return static_cast<int64_t>(hash % static_cast<uint64_t>(count));
}

// Every operand with the elements `from`, as a tensor of `shape`.
void Select(const std::vector<int64_t>& from, const Shape& shape, Case* c) {
  for (size_t k = 0; k < c->inputs.size(); ++k) {
    CaseInput& input = c->inputs[k];
    const Tensor tensor = input.data.Materialise();
    input.data.type.shape = shape;
    Tensor selected(input.data.type);
    for (size_t i = 0; i < from.size(); ++i)
      selected.SetBits(static_cast<int64_t>(i), tensor.Bits(from[i]));
    input.data.source = selected;
    input.data.window.reset();
    input.layout = Layout::RowMajor(shape);
    c->program.functions[0].inputs[k].type.shape = shape;
  }
  Op& op = c->program.functions[0].body[0];
  for (Op::Operand& operand : op.inputs) operand.type.shape = shape;
  for (Op::Result& output : op.outputs) output.type.shape = shape;
}

}  // namespace

std::span<const SweepKind> SweepRelations() { return kRelations; }

bool IsRelation(std::string_view kind) {
  return std::ranges::find(kRelations, kind, &SweepKind::name) !=
         kRelations.end();
}

bool HasRelation(const Case& c, std::string_view kind) {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() != 1 || body[0].inputs.size() != c.inputs.size() ||
      !IsElementwise(body[0]))
    return false;
  if (kind == "swapped")
    return IsCommutative(c.op) &&
           body[0].inputs[0].type == body[0].inputs[1].type;
  return *ElementCount(body[0].outputs[0].type.shape) > 1;
}

Case Related(const Case& c, std::string_view kind) {
  Case related = c;
  related.name += "@" + std::string(kind);
  related.expect.clear();
  related.output_layouts.clear();
  related.swept = {std::string(kind), std::make_shared<const Case>(c)};
  if (kind == "swapped") {
    std::swap(related.inputs[0].data, related.inputs[1].data);
    for (CaseInput& input : related.inputs)
      input.layout = Layout::RowMajor(input.data.type.shape);
    return related;
  }
  const Shape& shape = c.program.main().body[0].outputs[0].type.shape;
  const int64_t count = *ElementCount(shape);
  std::vector<int64_t>& from = related.swept->element_of;
  if (kind == "element") {
    from = {ChosenElement(c, count)};
    Select(from, {1}, &related);
    return related;
  }
  from.resize(static_cast<size_t>(count));
  if (kind == "lanes") {
    std::ranges::fill(from, ChosenElement(c, count));
  } else {
    std::iota(from.rbegin(), from.rend(), int64_t{0});
  }
  Select(from, shape, &related);
  return related;
}

}  // namespace assay
