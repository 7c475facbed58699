#include "backends/simd/pointwise_program.h"

#include <initializer_list>
#include <memory>
#include <utility>

#include "backends/simd/bit_moves.h"
#include "backends/simd/pointwise_function.h"

namespace assay::simd {
namespace {

constexpr Type kPredicate = {Kind::kBool, 8, 0, {}};

// Of an op with one result, on operands of this type.
Type ResultType(std::string_view op, const Type& type) {
  if (op == "compare" || op == "is_finite") return kPredicate;
  if (op == "real" || op == "imag" || op == "abs") return PartType(type);
  return type;
}

// Makes the stages; the first failure is kept.
class Builder {
 public:
  Builder(const PointwiseProgram& program, const Options& options,
          const size_t* bytes)
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

  const PointwiseProgram& program_;
  const Options& options_;
  Type type_ = {};  // The computation type of the output in hand.
  std::unique_ptr<PointwiseFunction> function_;
  const char* failure_ = nullptr;
};

}  // namespace

Making MakePointwise(const PointwiseProgram& program, const Options& options,
                     const size_t* bytes) {
  return Builder(program, options, bytes).Build();
}

}  // namespace assay::simd
