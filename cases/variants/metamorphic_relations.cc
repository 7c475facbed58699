// Relations hold for every function of elements, so they show errors that a
// budget hides: a vector and its tail may both be near, and not the same.
#include "cases/variants/metamorphic_relations.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cases/variants/layout_variants.h"
#include "spec/digest.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

constexpr std::array kRelations = {
    VariantKind{"element", "an element alone gives what it gives among others"},
    VariantKind{"lanes", "one value everywhere gives one result everywhere"},
    VariantKind{"permuted",
                "values in another order give results in that order"},
    VariantKind{"swapped", "operands of a commutative op may change places"},
    VariantKind{"zero_d",
                "a 0-d operand gives what a tensor of its value gives"},
    VariantKind{"scalar", "a scalar gives what a tensor of its value gives"}};

// Returns whether the op is a function of elements, of which none stands for
// several.
bool IsElementwise(const Op& op) {
  return FindOp(op.op)->elementwise &&
         std::ranges::all_of(op.inputs, [&](const Op::Operand& operand) {
           return operand.type.tensor().shape ==
                  op.outputs[0].type.tensor().shape;
         });
}

// Returns an element that the name of the case chooses, so that it is the same
// everywhere and another one in every case.
int64_t ChosenElement(const Case& c, int64_t count) {
  const uint64_t hash = std::stoull(Sha256(c.name).substr(0, 15), nullptr, 16);
  return static_cast<int64_t>(hash % static_cast<uint64_t>(count));
}

// Gives every operand the elements `from`, as a tensor of `shape`.
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
    c->program.functions[0].inputs[k].type.tensor().shape = shape;
  }
  Op& op = c->program.functions[0].body[0];
  for (Op::Operand& operand : op.inputs) operand.type.tensor().shape = shape;
  for (Op::Result& output : op.outputs) output.type.tensor().shape = shape;
}

bool IsSingle(std::string_view kind) {
  return kind == "zero_d" || kind == "scalar";
}

// Makes operand number `k` one element.
void MakeSingle(size_t k, bool is_scalar, Op* op) {
  op->inputs[k].type.tensor().shape = {};
  op->inputs[k].is_scalar = is_scalar;
}

// Returns whether promotion gives the same type for the operands of `op` and of
// `single`, in which number `k` is one element. Types of results do not tell:
// one that is always i1 can be computed in another type.
bool IsPromotedAlike(const OpSpec& spec, const Op& op, const Op& single,
                     size_t k) {
  if (spec.family != kPointwise || spec.Input(op.inputs[k].name)->is_predicate)
    return true;
  const bool has_one_type =
      std::ranges::all_of(op.inputs, [&](const Op::Operand& other) {
        return other.type.tensor().element_type ==
                   op.inputs[k].type.tensor().element_type ||
               spec.Input(other.name)->is_predicate;
      });
  return has_one_type && AnalysePointwise(spec, op).promotions ==
                             AnalysePointwise(spec, single).promotions;
}

// Returns the last operand that is a tensor and may be one element for the
// whole result, or the number of operands.
size_t SingleOperand(const Op& op, bool is_scalar) {
  const OpSpec& spec = *FindOp(op.op);
  const size_t count = op.inputs.size();
  if (is_scalar && spec.family != kPointwise) return count;
  for (size_t k = count; count > 1 && k-- > 0;) {
    if (op.inputs[k].type.tensor().shape.empty()) continue;
    Op single = op;
    MakeSingle(k, is_scalar, &single);
    if (!IsPromotedAlike(spec, op, single, k)) continue;
    if (std::ranges::none_of(CheckConstraints(spec, single),
                             [](const ConstraintResult& result) {
                               return result.truth == Truth::kFalse;
                             }))
      return k;
  }
  return count;
}

// Makes one operand a single element; the base has that element everywhere.
void RelateSingle(bool is_scalar, Case* related) {
  Case base = *related->variant->base;
  Op& op = related->program.functions[0].body[0];
  const size_t operand = SingleOperand(op, is_scalar);
  std::vector<TypedName>& inputs = related->program.functions[0].inputs;
  const auto k = static_cast<size_t>(
      std::ranges::find(inputs, op.inputs[operand].value, &TypedName::name) -
      inputs.begin());
  const Tensor tensor = base.inputs[k].data.Materialise();
  const ElementBits chosen = tensor.Bits(ChosenElement(base, tensor.size()));
  const auto fill = [&](InputData* data) {
    Tensor filled(data->type);
    for (int64_t i = 0; i < filled.size(); ++i) filled.SetBits(i, chosen);
    data->source = filled;
    data->window.reset();
  };
  fill(&base.inputs[k].data);
  MakeSingle(operand, is_scalar, &op);
  inputs[k].type.tensor().shape = {};
  related->inputs[k].data.type.shape = {};
  fill(&related->inputs[k].data);
  for (CaseInput& input : related->inputs)
    input.layout = Layout::RowMajor(input.data.type.shape);
  related->variant->base = std::make_shared<const Case>(std::move(base));
}

}  // namespace

std::span<const VariantKind> MetamorphicRelations() { return kRelations; }

bool IsRelation(std::string_view kind) {
  return std::ranges::find(kRelations, kind, &VariantKind::name) !=
         kRelations.end();
}

bool HasRelation(const Case& c, std::string_view kind) {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() != 1 || body[0].inputs.size() != c.inputs.size())
    return false;
  const Op& op = body[0];
  const bool has_several = *ElementCount(op.outputs[0].type.tensor().shape) > 1;
  if (IsSingle(kind))
    return has_several && FindOp(op.op)->elementwise &&
           SingleOperand(op, kind == "scalar") < op.inputs.size();
  if (!IsElementwise(op)) return false;
  if (kind == "swapped")
    return FindOp(c.op)->commutative && op.inputs[0].type == op.inputs[1].type;
  return has_several;
}

Case Related(const Case& c, std::string_view kind) {
  Case related = c;
  related.name += "@" + std::string(kind);
  related.expect.clear();
  related.output_layouts.clear();
  related.variant = {std::string(kind), std::make_shared<const Case>(c)};
  if (kind == "swapped") {
    std::swap(related.inputs[0].data, related.inputs[1].data);
    for (CaseInput& input : related.inputs)
      input.layout = Layout::RowMajor(input.data.type.shape);
    return related;
  }
  if (IsSingle(kind)) {
    RelateSingle(kind == "scalar", &related);
    return related;
  }
  const Shape& shape = c.program.main().body[0].outputs[0].type.tensor().shape;
  const int64_t count = *ElementCount(shape);
  std::vector<int64_t>& from = related.variant->element_of;
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
