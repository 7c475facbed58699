#include "backends/calls/stages.h"

#include <initializer_list>

#include "backends/calls/promotion.h"

namespace assay::calls {
namespace {

constexpr Type kTruth = {Kind::kBool, 8, 0, {}};

class StageList {
 public:
  explicit StageList(const PointwiseProgram& program) : program_(program) {
    list_.num_inputs = program.num_inputs;
    list_.num_outputs = program.num_outputs;
  }

  PointwiseStages Make() {
    for (int o = 0; o < program_.num_outputs; ++o) {
      type_ = program_.outputs[o].computation;
      list_.outputs[o] = Convert(Compute(o), program_.outputs[o].result).slot;
    }
    return list_;
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

  Value Input(int k) {
    const Value input = {k, program_.inputs[k]};
    return program_.IsPredicate(k) ? input : Convert(input, type_);
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
    return Add(signature, operands);
  }

  Value Convert(const Value& value, const Type& type) {
    if (value.type == type) return value;
    Signature signature = {};
    signature.op = "convert";
    signature.num_inputs = 1;
    signature.inputs[0] = value.type;
    signature.output = type;
    return Add(signature, &value);
  }

  Value Add(const Signature& signature, const Value* operands) {
    Stage stage = {signature, {}};
    for (int k = 0; k < signature.num_inputs; ++k) {
      stage.inputs[k] = operands[k].slot;
    }
    list_.stages[list_.num_stages] = stage;
    return {list_.num_inputs + list_.num_stages++, signature.output};
  }

  const PointwiseProgram& program_;
  Type type_ = {};  // The computation type of the current output.
  PointwiseStages list_ = {};
};

}  // namespace

PointwiseStages MakeStages(const PointwiseProgram& program) {
  return StageList(program).Make();
}

Type ResultType(std::string_view op, const Type& type) {
  if (op == "compare" || op == "is_finite") return kTruth;
  if (op == "real" || op == "imag" || op == "abs") return PartType(type);
  return type;
}

}  // namespace assay::calls
