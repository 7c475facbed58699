// Calls are made of the op files: every element type, every attribute value,
// kept where no constraint is false.
#include "tools/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backends/loader.h"
#include "cases/abi_call.h"
#include "cases/data.h"
#include "oracle/oracle.h"
#include "spec/error.h"
#include "tools/child.h"

namespace assay {
namespace {

constexpr double kTolerance = 1e-3;  // relative to the expected value, and
                                     // absolute
constexpr double kTimeoutSeconds = 5;
// That of StableHLO's own test data.
const Shape kShape = {20, 20};

std::vector<ElementType> TypesWithValues() {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (HasValues(info.type)) types.push_back(info.type);
  }
  return types;
}

// The values of an attribute: all of an enum, false and true of a boolean
// constant.
std::vector<Attribute> ValuesOf(const InputSpec& input) {
  std::vector<Attribute> values;
  for (const std::string& name : input.values)
    values.push_back({input.name, Symbol{name}});
  if (input.kind != InputSpec::Kind::kConstant) return values;
  ASSAY_CHECK(IsBoolean(input.type->element_type));
  for (const uint64_t bits : {0, 1}) {
    Tensor value(*input.type);
    value.SetBits(0, bits);
    values.push_back({input.name, value});
  }
  return values;
}

// Every combination of the ops with one more attribute.
std::vector<Op> WithEach(const std::vector<Op>& ops,
                         const std::vector<Attribute>& values) {
  std::vector<Op> combined;
  for (const Op& op : ops) {
    for (const Attribute& value : values) {
      combined.push_back(op);
      combined.back().attributes.push_back(value);
    }
  }
  return combined;
}

// The op on operands of one type (predicates: i1), with every attribute value
// and every type of the result that the operands do not determine.
std::vector<Op> CallsOn(const OpSpec& spec, ElementType type) {
  Op op;
  op.op = spec.id;
  std::vector<Op> ops;
  for (const InputSpec& input : spec.inputs) {
    if (input.kind != InputSpec::Kind::kTensor) continue;
    const bool is_predicate =
        input.types == std::vector<std::string>{"boolean"};
    op.inputs.push_back({input.name,
                         input.name,
                         {kShape, is_predicate ? ElementType::kI1 : type}});
  }
  for (const ElementType result : TypesWithValues()) {
    op.outputs = {
        {spec.outputs[0].name, spec.outputs[0].name, {kShape, result}}};
    ops.push_back(op);
  }
  for (const InputSpec& input : spec.inputs) {
    if (input.kind != InputSpec::Kind::kTensor)
      ops = WithEach(ops, ValuesOf(input));
  }
  std::erase_if(ops, [&](const Op& call) {
    const InferredType inferred = InferResultTypes(spec, call)[0];
    const ElementType result = call.outputs[0].type.element_type;
    return inferred.element_type.value_or(result) != result ||
           std::ranges::any_of(CheckConstraints(spec, call), [](auto& check) {
             return check.truth == Truth::kFalse;
           });
  });
  return ops;
}

bool IsClose(double actual, double expected) {
  return std::abs(actual - expected) <=
         kTolerance + kTolerance * std::abs(expected);
}

bool AllClose(const Tensor& actual, const Expectation& expected) {
  const ElementType type = actual.element_type();
  for (int64_t i = 0; i < actual.size(); ++i) {
    if (expected.IsOpen(i)) continue;
    // A byte of i1 is compared as it is: not true is not 254.
    const auto value = [&](const Tensor& tensor) {
      return IsBoolean(type)
                 ? static_cast<double>(std::to_integer<int>(tensor.data()[i]))
                 : static_cast<double>(ValueOf(type, tensor.Bits(i)));
    };
    if (!IsClose(value(actual), value(expected.lo))) return false;
  }
  return true;
}

// Makes one call on plain memory; an output starts as zeros. Returns how it is
// noticed, or "".
std::string Notice(const Backend& backend, const Op& op,
                   const std::vector<Tensor>& inputs,
                   const Expectation& expected) {
  AbiCall call(op);
  // Copies: what a bug does to an input must not reach the next call.
  std::vector<Tensor> operands;
  for (const Tensor& input : inputs) {
    Tensor& operand = operands.emplace_back(input.type());
    std::copy_n(input.data(), input.type().ByteSize(), operand.data());
    call.AddInput(operand.type(), RowMajorStrides(kShape), operand.data());
  }
  Tensor actual(op.outputs[0].type);
  std::fill_n(actual.data(), actual.type().ByteSize(), std::byte{0});
  call.AddOutput(actual.type(), RowMajorStrides(kShape), actual.data());
  std::string message;
  const int32_t status = backend.Run(call.abi(), &message);
  if (status == ASSAY_UNSUPPORTED) return "";
  if (status != ASSAY_OK) return "error";
  return AllClose(actual, expected) ? "" : "not_close";
}

}  // namespace

// A bug alone gets the values that it gets among others: a seed for every
// operand of every call of every op.
Control::Control(uint64_t seed, const std::vector<PlantedBug>& bugs) {
  uint64_t op_seed = seed << 32;
  for (const OpSpec& spec : Ops()) {
    op_seed += 1 << 16;
    const bool is_asked = std::ranges::any_of(
        bugs, [&](const PlantedBug& bug) { return bug.AppliesTo(spec.id); });
    if (!spec.executable || !is_asked) continue;
    uint64_t call_seed = op_seed;
    for (const ElementType type : TypesWithValues()) {
      for (const Op& op : CallsOn(spec, type)) Add(op, call_seed += 8);
    }
  }
}

void Control::Add(const Op& op, uint64_t seed) {
  std::vector<Tensor> inputs;
  for (const Op::Operand& operand : op.inputs) {
    inputs.push_back(
        InputData{operand.type, DrawRandom{seed++, false}}.Materialise());
  }
  Evaluation evaluation =
      Evaluate(op, inputs, Policy::Find("assay"), Marks::kNone);
  Expectation& expected = evaluation.outputs[0];
  for (int64_t i = 0; i < expected.lo.size(); ++i)
    ++(expected.IsOpen(i) ? open_ : compared_);
  calls_.push_back({op, std::move(inputs), std::move(expected)});
}

std::string Control::Name(const Call& call) {
  std::string name =
      fmt::format("{} {}", call.op.op, call.op.inputs.back().type.ToString());
  for (const Attribute& attribute : call.op.attributes)
    name += fmt::format(" {}={}", attribute.name, AttributeText(attribute));
  return name;
}

// The child names each call before it makes it, and says how one is noticed.
Control::Result Control::Run(const PlantedBug& bug) const {
  Child child([&](std::FILE* out) {
    const auto say = [&](const std::string& line) {
      fmt::print(out, "{}\n", line);
      std::fflush(out);
    };
    std::unique_ptr<Backend> backend;
    try {
      backend = Backend::Load(bug.Backend());
    } catch (const BackendError& e) {
      return say(std::string("refused ") + e.what());
    }
    for (const Call& call : calls_) {
      if (!bug.AppliesTo(call.op.op)) continue;
      say(Name(call));
      const std::string how =
          Notice(*backend, call.op, call.inputs, call.expected);
      if (!how.empty()) return say("noticed " + how);
    }
    say("done");
  });
  Result result;
  for (std::string line;;) {
    switch (child.Next(&line, kTimeoutSeconds)) {
      case Child::Event::kSilence:
        return {true, result.by, "timeout"};
      case Child::Event::kEnd:
        return {true, result.by, "crash"};
      case Child::Event::kLine:
        if (line == "done") return {};
        if (line.starts_with("refused ")) throw BackendError(line.substr(8));
        if (line.starts_with("noticed "))
          return {true, result.by, line.substr(8)};
        result.by = line;
    }
  }
}

}  // namespace assay
