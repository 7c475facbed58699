#include "backends/simd/pointwise.h"

#include <stdint.h>
#include <string.h>

#include <memory>
#include <string_view>
#include <utility>

#include "backends/simd/bit_moves.h"
#include "backends/simd/nest.h"
#include "backends/simd/pointwise_function.h"
#include "backends/simd/promotion.h"
#include "backends/simd/run_nest.h"

namespace assay::simd {
namespace {

constexpr Type kPredicate = {Kind::kBool, 8, 0, {}};

// Everything about a call but where its operands lie.
struct Program {
  std::string_view name;
  int num_inputs;
  int num_outputs;
  Type inputs[kMaxInputs];
  Promoted outputs[kMaxOutputs];
  const AssayAttribute* attributes;
  int32_t num_attributes;
};

int NumOutputs(std::string_view name) { return name == "polar" ? 2 : 1; }

// Of an op with one result, on operands of this type.
Type ResultType(std::string_view op, const Type& type) {
  if (op == "compare" || op == "is_finite") return kPredicate;
  if (op == "real" || op == "imag" || op == "abs") return PartType(type);
  return type;
}

// Makes the stages; the first failure is kept.
class Builder {
 public:
  Builder(const Program& program, const Options& options, const size_t* bytes)
      : program_(program),
        options_(options),
        function_(
            std::make_unique<PointwiseFunction>(program.num_inputs, bytes)) {}

  Making Build() {
    for (int o = 0; o < program_.num_outputs && failure_ == nullptr; ++o) {
      type_ = program_.outputs[o].computation;
      const Value value = Compute(o);
      const Type& result = program_.outputs[o].result;
      function_->AddOutput(Final(Convert(value, result)));
    }
    if (failure_ != nullptr) return failure_;
    std::unique_ptr<BlockFunction> single = function_->Reduced();
    if (single != nullptr) return single;
    return std::move(function_);
  }

 private:
  struct Value {
    Slot slot;
    Type type;
  };

  Value Compute(int output) {
    const std::string_view name = program_.name;
    if (name == "copy_func") return Input(0);
    if (name == "add_func") {
      return Apply("add", {Input(0), Apply("multiply", {Input(1), Input(2)})});
    }
    if (name == "polar") {
      const Value turn = Apply(output == 0 ? "cosine" : "sine", {Input(1)});
      return Apply("multiply", {Input(0), turn});
    }
    Value operands[kMaxInputs];
    for (int k = 0; k < program_.num_inputs; ++k) operands[k] = Input(k);
    return Apply(name, operands, program_.num_inputs);
  }

  bool IsPredicate(int input) const {
    return program_.name == "select" && input == 0;
  }

  Value Input(int k) {
    const Value input = {k, program_.inputs[k]};
    return IsPredicate(k) ? input : Convert(input, type_);
  }

  Value Apply(std::string_view op, std::initializer_list<Value> operands) {
    return Apply(op, operands.begin(), static_cast<int>(operands.size()));
  }

  Value Apply(std::string_view op, const Value* operands, int count) {
    Signature signature = {};
    signature.op = op;
    signature.num_inputs = count;
    for (int k = 0; k < count; ++k) signature.inputs[k] = operands[k].type;
    signature.output = ResultType(op, type_);
    signature.attributes = program_.attributes;
    signature.num_attributes = program_.num_attributes;
    return AddStage(signature, operands);
  }

  Value Convert(const Value& value, const Type& type) {
    if (value.type == type) return value;
    Signature signature = {};
    signature.op = "convert";
    signature.num_inputs = 1;
    signature.inputs[0] = value.type;
    signature.output = type;
    return AddStage(signature, &value);
  }

  Value AddStage(const Signature& signature, const Value* operands) {
    // `polar` is a function made of several, none of which is flushed.
    const Options options = {
        options_.target,
        program_.name == "polar" ? Subnormals::kKeep : options_.subnormals,
        options_.threads};
    Making making = MakeFunction(signature, options);
    if (making.function == nullptr) {
      if (failure_ == nullptr) failure_ = making.failure;
      return {0, signature.output};
    }
    Stage stage = {std::move(making.function),
                   signature.num_inputs,
                   {},
                   signature.output.bytes()};
    for (int k = 0; k < stage.num_inputs; ++k) {
      stage.inputs[k] = operands[k].slot;
    }
    return {function_->Add(std::move(stage)), signature.output};
  }

  // An input that is the result is copied there.
  Slot Final(const Value& value) {
    if (value.slot >= program_.num_inputs || failure_ != nullptr) {
      return value.slot;
    }
    const size_t bytes = value.type.bytes();
    return function_->Add(
        {MakeCopy(bytes, options_.target), 1, {value.slot}, bytes});
  }

  const Program& program_;
  const Options& options_;
  Type type_ = {};  // The computation type of the output in hand.
  std::unique_ptr<PointwiseFunction> function_;
  const char* failure_ = nullptr;
};

// -------------------------------------------------------------------- Checks

bool PromoteOutput(const AssayCall& call, const Argument* arguments, int o,
                   const Promotion& promotion, Program* program,
                   Complaint* complaint) {
  Promoted& promoted = program->outputs[o];
  if (!Promote(promotion, arguments, &promoted)) {
    return complaint->Say(
        "promotion_methods: the operands of output %d have no type in common",
        o);
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    if (program->name == "select" && k == 0) continue;
    if (CategoryOf(program->inputs[k]) > CategoryOf(promoted.computation)) {
      return complaint->Say(
          "operand %d is of a higher category than output %d is computed in", k,
          o);
    }
  }
  Type type;
  if (!ParseType(call.outputs[o], &type) || type != promoted.result) {
    return complaint->Say("output %d has not the type that is promoted to", o);
  }
  return true;
}

bool CheckTypes(const AssayCall& call, Program* program, Complaint* complaint) {
  const char* text = nullptr;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, "promotion_methods") == 0) {
      text = call.attributes[i].text;
    }
  }
  Promotion promotions[kMaxOutputs];
  const char* wrong =
      ParsePromotions(text, call.num_inputs, call.num_outputs, promotions);
  if (wrong != nullptr) return complaint->Say("promotion_methods %s", wrong);
  Argument arguments[kMaxInputs];
  for (int k = 0; k < call.num_inputs; ++k) {
    const bool is_scalar = (call.inputs[k].flags & ASSAY_SCALAR) != 0;
    arguments[k] = {program->inputs[k], call.inputs[k].tensor.ndim > 0,
                    is_scalar};
  }
  if (program->name == "select" && program->inputs[0].kind != Kind::kBool) {
    return complaint->Say("operand 0, the predicate, is not of type i1");
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    if (!PromoteOutput(call, arguments, o, promotions[o], program, complaint)) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------------
// Operands

// An operand of one element is converted once.
struct Single {
  DLTensor tensor;
  alignas(16) unsigned char bytes[16];
};

bool HasOneElement(const DLTensor& tensor) {
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] != 1) return false;
  }
  return true;
}

// Leaves the operand as it is if it need not or cannot be converted.
void ConvertSingle(const Type& to, const Options& options, Type* type,
                   NestTensor* operand, Single* single) {
  if (*type == to || !HasOneElement(*operand->tensor)) return;
  Signature signature = {};
  signature.op = "convert";
  signature.num_inputs = 1;
  signature.inputs[0] = *type;
  signature.output = to;
  const Making making = MakeFunction(signature, options);
  if (making.function == nullptr) return;
  single->tensor = {};
  single->tensor.data = single->bytes;
  const NestTensor result = {&single->tensor, to.bytes()};
  single->tensor.ndim = 0;
  NestTensor source = *operand;
  DLTensor element = *operand->tensor;
  element.ndim = 0;
  source.tensor = &element;
  Nest nest;
  MakeNest(&source, 1, &result, 1, &nest);
  RunNest(nest, *making.function, options.target, 1);
  *type = to;
  *operand = result;
}

AssayStatus RunProgram(const AssayCall& call, const Options& options,
                       Program* program, Complaint* complaint) {
  NestTensor inputs[kMaxInputs];
  NestTensor outputs[kMaxOutputs];
  Single singles[kMaxInputs];
  size_t bytes[kMaxInputs];
  const bool is_empty = CountElements(call.outputs[0].tensor) == 0;
  const bool has_one_type =
      program->num_outputs == 1 ||
      program->outputs[0].computation == program->outputs[1].computation;
  for (int k = 0; k < call.num_inputs; ++k) {
    inputs[k] = {&call.inputs[k].tensor, program->inputs[k].bytes()};
    if (has_one_type && !(program->name == "select" && k == 0)) {
      ConvertSingle(program->outputs[0].computation, options,
                    &program->inputs[k], &inputs[k], &singles[k]);
    }
    bytes[k] = inputs[k].bytes;
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    outputs[o] = {&call.outputs[o].tensor, program->outputs[o].result.bytes()};
  }
  const Making making = Builder(*program, options, bytes).Build();
  const char* failure = making.failure;
  if (making.function != nullptr && !is_empty) {
    Nest nest;
    MakeNest(inputs, call.num_inputs, outputs, call.num_outputs, &nest);
    failure = RunNest(nest, *making.function, options.target, options.threads);
  }
  if (failure == nullptr) return ASSAY_OK;
  complaint->Say("%s: %s not implemented", call.op, failure);
  return ASSAY_UNSUPPORTED;
}

}  // namespace

const char* PointwiseName(const char* op) {
  constexpr std::string_view kPrefix = "pointwise.";
  return strncmp(op, kPrefix.data(), kPrefix.size()) == 0 ? op + kPrefix.size()
                                                          : nullptr;
}

AssayStatus RunPointwise(const AssayCall& call, const Options& options,
                         Complaint* complaint) {
  Program program = {};
  program.name = PointwiseName(call.op);
  program.num_inputs = call.num_inputs;
  program.num_outputs = call.num_outputs;
  program.attributes = call.attributes;
  program.num_attributes = call.num_attributes;
  if (call.num_inputs < 1 || call.num_inputs > kMaxInputs ||
      call.num_outputs != NumOutputs(program.name)) {
    complaint->Say("%s: number of operands not implemented", call.op);
    return ASSAY_UNSUPPORTED;
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    if (ParseType(call.inputs[k], &program.inputs[k])) continue;
    complaint->Say("%s: element type not implemented", call.op);
    return ASSAY_UNSUPPORTED;
  }
  if (!CheckBroadcast(call, complaint) ||
      !CheckTypes(call, &program, complaint)) {
    return ASSAY_INVALID;
  }
  return RunProgram(call, options, &program, complaint);
}

bool IsBroadcastShift(const char* op) {
  return strcmp(op, "paddle.bitwise_left_shift") == 0 ||
         strcmp(op, "paddle.bitwise_right_shift") == 0;
}

AssayStatus RunBroadcastShift(const AssayCall& call, const Options& options,
                              Complaint* complaint) {
  if (call.num_inputs == 2 && call.num_outputs == 1 &&
      !CheckBroadcast(call, complaint)) {
    return ASSAY_INVALID;
  }
  const char* failure = RunElementwise(call, options, true);
  if (failure == nullptr) return ASSAY_OK;
  complaint->Say("%s: %s not implemented", call.op, failure);
  return ASSAY_UNSUPPORTED;
}

}  // namespace assay::simd
