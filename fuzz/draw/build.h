// A Generator::Build makes one case of a stream of choices. Private to the
// generator.
#ifndef ASSAY_FUZZ_DRAW_BUILD_H_
#define ASSAY_FUZZ_DRAW_BUILD_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/variants/layout_variants.h"
#include "fuzz/draw/draw.h"
#include "fuzz/draw/enumerate.h"
#include "fuzz/draw/layouts.h"
#include "fuzz/draw/open_types.h"
#include "fuzz/draw/plain_calls.h"
#include "fuzz/draw/pointwise_types.h"
#include "fuzz/draw/shapes.h"
#include "fuzz/draw/values.h"
#include "fuzz/draw/verified_calls.h"
#include "fuzz/draw/violate.h"
#include "fuzz/programs/program_drawer.h"
#include "fuzz/proposals/exact_values.h"
#include "spec/error.h"
#include "spec/pointwise/pointwise.h"

namespace assay {

// Replaces the elements along dimension `d` by those at its index 0.
inline void Repeat(size_t d, Tensor* tensor) {
  const Shape& shape = tensor->type().shape;
  const Strides strides = RowMajorStrides(shape);
  Tensor repeated(tensor->type());
  for (int64_t i = 0; i < tensor->size(); ++i) {
    const int64_t index = i / strides[d] % shape[d];
    repeated.SetBits(i, tensor->Bits(i - index * strides[d]));
  }
  *tensor = repeated;
}

struct Generator::Memo {
  PointwiseDrawer pointwise;
  PlainCalls plain;
  VerifiedCalls verified;
  std::optional<ProgramOps> program_ops;
  std::vector<EnumeratedCall> enumerated;
  std::vector<VariantKind> variants = VariantKinds();
};

class Generator::Build {
 public:
  Build(Generator* generator, Choices* choices)
      : g_(*generator), choices_(choices) {
    case_.program.functions.emplace_back().name = "main";
  }

  // Makes a program, or a call of the kind, which is drawn if `kind` is null.
  Drawn Make(const CallKind* kind) {
    if (kind == nullptr && IsVerified() && MakeVerified())
      return std::move(drawn_);
    std::optional<CallKind> drawn = DrawKind(kind);
    if (!drawn) {
      if (MakeProgram()) return std::move(drawn_);
      drawn = DrawCallKind(/*percent=*/0);
    }
    Op op = DrawCall(*drawn);
    if (g_.options_.violations &&
        choices_->OneIn(Topic::kForm, g_.options_.calls_per_violation) &&
        TryViolate(*drawn->entry, &op))
      return std::move(drawn_);
    Finish(std::move(op));
    DrawVariant();
    return std::move(drawn_);
  }

  // Draws only the types of the call that Make would make; nullopt if Make
  // would make a program or a call that is verified alone.
  std::optional<DrawnTypes> Peek(const CallKind* kind) {
    if (kind == nullptr && IsVerified()) return std::nullopt;
    const std::optional<CallKind> drawn = DrawKind(kind);
    if (!drawn) return std::nullopt;
    if (drawn->signature == nullptr)
      return DrawnTypes{
          drawn->entry, nullptr,
          g_.memo_->pointwise.Draw(*drawn->entry, choices_).operands};
    return DrawnTypes{drawn->entry, drawn->signature,
                      drawn->signature->operands};
  }

  // Makes a call of the types whose operands have that shape and are in
  // row-major order.
  Case MakeOrdinary(const CallKind& kind, const PointwiseTypes* types,
                    const Shape& shape) {
    profile_ = Profile::kUniform;
    const std::vector<Shape> shapes(kind.entry->operands.size(), shape);
    Op op = types != nullptr ? PointwiseCall(*kind.entry, *types, shapes)
                             : PlainCall(*kind.entry, *kind.signature, {shape});
    for (const Op::Operand& operand : op.inputs)
      AddInput(operand.value, OperandValues(op, operand, nullptr),
               Layout::RowMajor(operand.type.tensor().shape));
    AddCaptures(op);
    AddOp(std::move(op));
    return std::move(case_);
  }

  Drawn MakeEnumerated(const EnumeratedCall& call) {
    const Shape flat = {call.end - call.begin};
    Op op = OnShape(*call.entry, *call.signature, flat);
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      Tensor values = EnumeratedOperand(call, k);
      AddInput(op.inputs[k].value, std::move(values), Layout::RowMajor(flat));
    }
    AddOp(std::move(op));
    return std::move(drawn_);
  }

 private:
  static Op CallOf(const OpEntry& entry) {
    Op op;
    op.op = entry.spec->id;
    return op;
  }

  bool IsVerified() {
    const uint32_t percent = g_.options_.percent_verified;
    return percent > 0 && choices_->Below(Topic::kForm, 100) < percent;
  }

  // Makes a call of which only the constraints are judged, valid or with one of
  // them violated. Returns false if none was found and other ops are drawn.
  bool MakeVerified() {
    constexpr int kTries = 8, kMostTries = 10'000;
    const bool must_find = g_.table_.empty();
    for (int tries = 0; tries < (must_find ? kMostTries : kTries); ++tries) {
      // A recording may have nothing but choices that give no call.
      Choices others(0, static_cast<uint64_t>(tries));
      Choices* choices = tries < kTries ? choices_ : &others;
      const OpSpec& spec = *choices->Of(Topic::kOp, g_.verified_);
      const bool is_quantized =
          spec.executable || choices->OneIn(Topic::kTypes, 4);
      std::string_view label;
      if (g_.options_.violations && !spec.constraints.empty() &&
          choices->OneIn(Topic::kForm, 2)) {
        const ConstraintSpec& constraint =
            choices->Of(Topic::kForm, spec.constraints);
        if (constraint.never_alone.empty()) label = constraint.label;
      }
      const SearchGoal goal{DrawShape(choices, Profile::kUniform, 64),
                            std::min<int64_t>(g_.options_.most_elements, 4096)};
      std::optional<Op> call =
          g_.memo_->verified.Draw(spec, label, is_quantized, goal, choices);
      if (!call || UnjudgedBecause(spec, *call).empty()) continue;
      if (!label.empty()) case_.violates = {std::string(label)};
      for (const Op::Operand& operand : call->inputs)
        case_.program.functions[0].inputs.push_back(
            {operand.value, operand.type});
      AddOp(*std::move(call));
      case_.unjudged = UnjudgedBecause(case_.program.main());
      return true;
    }
    ASSAY_CHECK(!must_find);
    return false;
  }

  // Draws the profile and the greatest number of elements of the case, and the
  // kind of its call; nullopt if it is a program. If `kind` is not null, the
  // kind is not drawn.
  std::optional<CallKind> DrawKind(const CallKind* kind) {
    profile_ = DrawProfile(choices_);
    most_elements_ = std::min(DrawMostElements(choices_, profile_),
                              g_.options_.most_elements);
    if (kind != nullptr) return *kind;
    const uint32_t percent = choices_->Below(Topic::kForm, 100);
    const uint32_t calls = 100 - g_.options_.percent_programs;
    if (percent >= calls && g_.options_.programs &&
        !g_.memo_->program_ops->empty())
      return std::nullopt;
    return DrawCallKind(percent * 97 / calls);
  }

  CallKind DrawCallKind(uint32_t percent) {
    const bool is_pointwise =
        !g_.pointwise_.empty() && (percent >= 70 || g_.plain_.empty());
    const OpEntry& entry =
        *choices_->Of(Topic::kOp, is_pointwise ? g_.pointwise_ : g_.plain_);
    if (is_pointwise) return CallKind{&entry, nullptr};
    return CallKind{&entry, &choices_->Of(Topic::kTypes, entry.signatures)};
  }

  // Draws a valid call; its operands are named as in the specification and have
  // no values yet.
  Op DrawCall(const CallKind& kind) {
    return kind.signature == nullptr ? DrawPointwise(*kind.entry)
                                     : DrawPlain(*kind.entry, *kind.signature);
  }

  // The oracle takes a hundred times longer for a complex function than for a
  // sum, so a case with one has few elements.
  void LimitCost(const OpSpec& spec, const std::vector<ElementType>& types) {
    const bool is_slow = std::ranges::any_of(types, IsComplex) &&
                         (spec.rule == "ulp" || spec.complex_rule == "ulp");
    if (is_slow) most_elements_ = std::min<int64_t>(most_elements_, 12);
  }

  // Some calls have a tolerance of their own, from a little wider than every
  // budget to one that is beyond all values: a backend is not told of it, so no
  // narrower one can be tested. Only functions of one operand have one, as in
  // StableHLO: powers reach the largest value, where a budget has room for
  // infinity and no tolerance has. The oracle answers exactly, and slowly.
  std::optional<ResultAccuracy> DrawAccuracy(
      const OpSpec& spec, const std::vector<ElementType>& operands) {
    constexpr std::array kRelative = {0.0, 1e-3, 0.5, 1.0, 2.0, 1e300};
    constexpr std::array<int64_t, 4> kUlps = {8, 9, 1 << 20, int64_t{1} << 52};
    if (spec.rule != "ulp" || operands.size() != 1 || !IsFloat(operands[0]) ||
        !choices_->OneIn(Topic::kAttributes, 30))
      return std::nullopt;
    const ElementType type = operands[0];
    const double least = std::ldexp(1.0, FormatOf(type).min_exponent());
    const std::array absolute = {least, 3 * least, 1e-3, 0x1p-10, 1.0, 1e300};
    most_elements_ = std::min<int64_t>(most_elements_, 12);
    return ResultAccuracy{choices_->Of(Topic::kAttributes, absolute),
                          choices_->Of(Topic::kAttributes, kRelative),
                          choices_->Of(Topic::kAttributes, kUlps)};
  }

  Op DrawPlain(const OpEntry& entry, const Signature& signature) {
    LimitCost(*entry.spec, signature.operands);
    const std::optional<ResultAccuracy> accuracy =
        DrawAccuracy(*entry.spec, signature.operands);
    // Sums of many squares of a type that is so narrow may overflow.
    const bool has_means = entry.spec->adds == kMeans;
    const bool is_narrow = std::ranges::any_of(
        signature.results,
        [](ElementType type) { return IsFloat(type) && Info(type).bits <= 8; });
    if (has_means && is_narrow)
      most_elements_ = std::min<int64_t>(most_elements_, 24);
    Shape shape = DrawShape(choices_, profile_, most_elements_);
    // Little is said of complex numbers that have infinities and NaNs, and of
    // squares beyond the largest value.
    const bool says_little = (has_means && is_narrow) ||
                             std::ranges::any_of(signature.results, IsComplex);
    is_exact_ = !entry.spec->adds.empty() &&
                !choices_->OneIn(Topic::kValues, says_little ? 32 : 4);
    if (is_exact_ && has_means) shape = WithPowersOfTwo(shape);
    Op op = PlainCall(entry, signature, {shape, most_elements_});
    op.result_accuracy = accuracy;
    return op;
  }

  Op PlainCall(const OpEntry& entry, const Signature& signature,
               const SearchGoal& goal) {
    Op op = g_.memo_->plain.Draw(entry, signature, goal, choices_);
    for (Attribute& attribute : op.attributes) {
      const InputSpec& input = *entry.spec->Input(attribute.name);
      Tensor* value = std::get_if<Tensor>(&attribute.value);
      if (value == nullptr) continue;
      if (IsFloatConstant(input) && is_exact_) {
        *value = DrawExactConstant(choices_, value->type());
      } else if (!input.type || IsFloatConstant(input)) {
        *value = DrawValues(choices_, profile_, value->type(), nullptr);
      }
    }
    return op;
  }

  // Precondition: an elementwise op.
  Op OnShape(const OpEntry& entry, const Signature& signature,
             const Shape& shape) {
    std::optional<Op> op =
        g_.memo_->plain.OnShape(entry, signature, shape, choices_);
    ASSAY_CHECK(op.has_value());
    return *std::move(op);
  }

  Op DrawPointwise(const OpEntry& entry) {
    const PointwiseTypes& types = g_.memo_->pointwise.Draw(entry, choices_);
    LimitCost(*entry.spec, types.operands);
    const Shape shape = DrawShape(choices_, profile_, most_elements_);
    const std::vector<const InputSpec*>& operands = entry.operands;
    std::vector<Shape> shapes = DrawBroadcast(choices_, shape, operands.size());
    using Kind = PointwiseTypes::Kind;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (types.kinds[k] != Kind::kTensor) shapes[k].clear();
      // A tensor of rank 0 is an operand of another kind.
      if (types.kinds[k] == Kind::kTensor && shapes[k].empty())
        shapes[k].assign(1, 1);
    }
    return PointwiseCall(entry, types, shapes);
  }

  Op PointwiseCall(const OpEntry& entry, const PointwiseTypes& types,
                   const std::vector<Shape>& shapes) {
    using Kind = PointwiseTypes::Kind;
    Op op = CallOf(entry);
    const std::vector<const InputSpec*>& operands = entry.operands;
    for (size_t k = 0; k < operands.size(); ++k)
      op.inputs.push_back({operands[k]->name,
                           operands[k]->name,
                           {shapes[k], types.operands[k]},
                           types.kinds[k] == Kind::kScalar});
    op.attributes = types.attributes;
    AddNumbers(entry, &op);
    AddResults(entry, types.results, Broadcast(shapes), &op);
    return op;
  }

  static Shape Broadcast(const std::vector<Shape>& shapes) {
    size_t rank = 0;
    for (const Shape& shape : shapes) rank = std::max(rank, shape.size());
    Shape result(rank, 1);
    for (const Shape& shape : shapes) {
      for (size_t d = 0; d < shape.size(); ++d) {
        int64_t& size = result[rank - shape.size() + d];
        if (size == 1) size = shape[d];
      }
    }
    return result;
  }

  void AddNumbers(const OpEntry& entry, Op* op) {
    for (const DrawnNumber& number : entry.numbers)
      op->attributes.push_back(
          {number.name,
           IntegerTensor(number.type,
                         {choices_->Of(Topic::kAttributes, number.values)})});
  }

  static void AddResults(const OpEntry& entry,
                         const std::vector<ElementType>& types,
                         const Shape& shape, Op* op) {
    for (size_t i = 0; i < types.size(); ++i) {
      const std::string& name = entry.spec->outputs[i].name;
      op->outputs.push_back({name, name, {shape, types[i]}});
    }
  }

  bool TryViolate(const OpEntry& entry, Op* op) {
    if (g_.options_.only_pointwise_violations && !entry.IsPointwise() &&
        entry.spec->source != "paddle")
      return false;
    const auto label = Violate(entry, &g_.memo_->plain, choices_, op);
    if (!label) return false;
    for (const Op::Operand& operand : op->inputs)
      case_.program.functions[0].inputs.push_back(
          {operand.value, operand.type});
    case_.violates = {*label};
    AddOp(std::move(*op));
    return true;
  }

  // Most values that say where elements go are such that the call has a result
  // that is known, and indices are near the ends of dimensions.
  Tensor OperandValues(const Op& op, const Op::Operand& operand,
                       const Tensor* beside) {
    if (operand.known) return *operand.known;
    if (is_exact_) {
      std::optional<Tensor> exact = DrawExactOperand(choices_, op, operand);
      if (exact) return *std::move(exact);
    }
    const OpSpec& spec = *FindOp(op.op);
    const InputSpec& input = *spec.Input(operand.name);
    if (input.is_index && !choices_->OneIn(Topic::kValues, 8))
      return DrawIndices(choices_, operand.type,
                         op.inputs[0].type.tensor().shape);
    if (input.at_run_time && !choices_->OneIn(Topic::kValues, 32)) {
      const std::optional<Tensor> value = RunTimeValue(spec, operand, op);
      if (value) return *value;
    }
    return DrawValues(choices_, profile_, operand.type, beside);
  }

  // Adds values and layouts to a valid call.
  void Finish(Op op) {
    std::optional<Tensor> beside;
    for (const Op::Operand& operand : op.inputs) {
      Tensor values = OperandValues(op, operand, beside ? &*beside : nullptr);
      DrawnLayout layout{Layout::RowMajor(operand.type.tensor().shape), {}};
      if (!operand.is_scalar)
        layout = DrawOperandLayout(choices_, operand.type.tensor().shape);
      if (layout.repeated) Repeat(*layout.repeated, &values);
      if (!beside) beside = values;
      AddInput(operand.value, std::move(values), std::move(layout.layout));
    }
    AddCaptures(op);
    for (Op::Result& result : op.outputs) {
      if (!PlaceInOperand(op, &result)) PlaceResult(result);
    }
    AddOp(std::move(op));
  }

  bool PlaceInOperand(const Op& op, Op::Result* result) {
    if (op.outputs.size() > 1 || op.inputs.empty() ||
        !choices_->OneIn(Topic::kLayout, 12))
      return false;
    const uint32_t k = choices_->Below(Topic::kLayout,
                                       static_cast<uint32_t>(op.inputs.size()));
    const Op::Operand& operand = op.inputs[k];
    const Strides& strides = case_.inputs[k].layout.strides;
    bool has_one_place = true;
    for (size_t d = 0; d < strides.size(); ++d)
      has_one_place &= strides[d] != 0 || operand.type.tensor().shape[d] <= 1;
    if (operand.type != result->type || operand.is_scalar || !has_one_place)
      return false;
    result->in_place = k;
    case_.alias[result->value] = operand.value;
    return true;
  }

  void PlaceResult(const Op::Result& result) {
    Layout layout = DrawResultLayout(choices_, result.type.tensor().shape);
    if (layout.offset != 0 ||
        layout.strides != RowMajorStrides(result.type.tensor().shape))
      case_.output_layouts[result.value] = std::move(layout);
  }

  // Returns false if no program was found in a few tries.
  bool MakeProgram() {
    constexpr int kTries = 4;
    std::optional<DrawnProgram> drawn;
    for (int left = kTries; left > 0 && !drawn; --left)
      drawn = ProgramDrawer(*g_.memo_->program_ops, &g_.memo_->plain,
                            g_.options_.most_elements, choices_)
                  .Draw();
    if (!drawn) return false;
    for (size_t i = 0; i < drawn->inputs.size(); ++i) {
      const Shape shape = drawn->inputs[i].type().shape;
      AddInput(drawn->main.inputs[i].name, std::move(drawn->inputs[i]),
               Layout::RowMajor(shape));
    }
    case_.program.functions[0] = std::move(drawn->main);
    const bool has_layouts = choices_->OneIn(Topic::kLayout, 2);
    for (const Op& op : case_.program.main().body) {
      if (op.outputs[0].type.IsTensor()) case_.op = op.op;
      const bool is_placed = has_layouts && !FindOp(op.op)->control;
      for (const Op::Result& result : op.outputs) {
        if (is_placed) PlaceResult(result);
      }
    }
    return true;
  }

  void DrawVariant() {
    if (!choices_->OneIn(Topic::kForm, 40)) return;
    const VariantKind& kind = choices_->Of(Topic::kForm, g_.memo_->variants);
    if (HasVariant(case_, kind.name)) drawn_.variant = kind.name;
  }

  void AddCaptures(const Op& op) {
    for (const TypedName& capture : Captures(op))
      AddInput(capture.name,
               DrawValues(choices_, profile_, capture.type, nullptr),
               Layout::RowMajor(capture.type.tensor().shape));
  }

  void AddInput(const std::string& name, Tensor values, Layout layout) {
    TensorType type = values.type();
    case_.program.functions[0].inputs.push_back({name, type});
    case_.inputs.push_back(
        {{std::move(type), std::move(values)}, std::move(layout)});
  }

  // The last op is the one under test.
  void AddOp(Op op) {
    case_.op = op.op;
    Function& main = case_.program.functions[0];
    main.results.clear();
    for (const Op::Result& result : op.outputs)
      main.results.push_back({result.value, result.type});
    main.body.push_back(std::move(op));
  }

  Generator& g_;
  Choices* choices_;
  Profile profile_ = Profile::kBoundary;
  int64_t most_elements_ = 0;
  bool is_exact_ = false;  // whether sums are to be exact
  Drawn drawn_;
  Case& case_ = drawn_.c;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_BUILD_H_
