// Calls are made from the op files: every element type and every attribute
// value, if no constraint is false. Where they belong together, the fuzzer
// draws some.
#include "tools/mutants/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <memory>

#include "backends/host/open.h"
#include "cases/read/data.h"
#include "cases/variants/walk_calls.h"
#include "fuzz/draw/plain_calls.h"
#include "oracle/judge.h"
#include "oracle/oracle.h"
#include "spec/error.h"
#include "tools/mutants/closeness.h"

namespace assay {
namespace {

// StableHLO's own test data has this shape.
const Shape kShape = {20, 20};

std::vector<ElementType> AllTypes() {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : ElementTypes()) {
    types.push_back(info.type);
  }
  return types;
}

// Returns the values of an attribute: all of an enum, false and true of a
// boolean constant, two of a number.
std::vector<Attribute> ValuesOf(const InputSpec& input) {
  std::vector<Attribute> values;
  for (const std::string& name : input.values)
    values.push_back({input.name, Symbol{name}});
  if (input.kind != InputSpec::Kind::kConstant) return values;
  const ElementType type = input.type->element_type;
  // A list of the operand's dimensions is tried in order and reversed.
  if (!input.type->IsStatic()) {
    const auto rank = static_cast<int64_t>(kShape.size());
    for (const bool reversed : {false, true}) {
      Tensor value(TensorType{{rank}, type});
      for (int64_t d = 0; d < rank; ++d)
        value.SetBits(d, BitsOf(type, reversed ? rank - 1 - d : d));
      values.push_back({input.name, value});
    }
    return values;
  }
  // A test tries these numbers first.
  for (const int number : {IsBoolean(type) ? 0 : 5, IsBoolean(type) ? 1 : 10}) {
    Tensor value(*input.type);
    value.SetBits(0, BitsOf(type, number));
    values.push_back({input.name, value});
  }
  return values;
}

// Returns every combination of the ops with one more attribute.
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

bool IsValid(const OpSpec& spec, const Op& call) {
  return std::ranges::none_of(
      CheckConstraints(spec, call),
      [](const auto& check) { return check.truth == Truth::kFalse; });
}

// Returns some calls that the fuzzer draws.
std::vector<Op> DrawnCalls(const OpSpec& spec, ElementType type) {
  constexpr uint64_t kCalls = 3;
  const std::vector<OpEntry> entries =
      DrawnOps([&](const OpSpec& other) { return &other == &spec; });
  std::vector<Op> ops;
  if (entries.empty()) return ops;
  PlainCalls calls;
  for (const Signature& signature : entries[0].signatures) {
    const std::vector<ElementType>& types = signature.operands;
    if ((types.empty() ? signature.results : types)[0] != type) continue;
    for (uint64_t index = 0; index < kCalls; ++index) {
      Choices choices(/*seed=*/1, index);
      Op op = calls.Draw(entries[0], signature, {kShape}, &choices);
      if (IsValid(spec, op)) ops.push_back(std::move(op));
    }
  }
  return ops;
}

// Returns the op on operands of one type (predicates are i1), with every
// attribute value and every type of the result that the operands do not
// determine.
std::vector<Op> CallsOn(const OpSpec& spec, ElementType type) {
  if (!CanBeWalked(spec)) return DrawnCalls(spec, type);
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
  for (const ElementType result : AllTypes()) {
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
    const ElementType result = call.outputs[0].type.tensor().element_type;
    return inferred.element_type.value_or(result) != result ||
           !IsValid(spec, call);
  });
  return ops;
}

// Draws floats of ordinary size, as a test does. Elements of other types keep
// their random bits.
void DrawOrdinary(uint64_t seed, Tensor* tensor) {
  const ElementType type = tensor->element_type();
  if (!IsFloat(type) && !IsComplex(type)) return;
  const ElementType part = PartType(type);
  const int width = Info(part).bits;
  // A narrow type's own bits are too few to choose among the numbers.
  const Tensor words = InputData{
      {{2 * tensor->size()}, ElementType::kUi32},
      DrawRandom{seed}}.Materialise();
  VisitKinds<kFloats>(part, [&]<class T>() {
    for (int64_t i = 0; i < tensor->size(); ++i) {
      ElementBits bits = 0;
      for (int p = PartCount(type); p-- > 0;) {
        const auto word = static_cast<int>(words.Bits(2 * i + p) % 2001);
        const double drawn = word;
        const double value = T::kFormat.has_sign ? drawn / 200 - 5 : 1 + drawn;
        bits = bits << width | T::Round(value).value.ToBits();
      }
      tensor->SetBits(i, bits);
    }
  });
}

// Memory is as in any test: the bytes around a tensor are neither protected nor
// checked.
constexpr size_t kMargin = 4096;

// Holds the tensors of a call in the executor's arena, and gives them back at
// the end.
class PlainMemory {
 public:
  explicit PlainMemory(Arena* arena) : arena_(arena) {}
  ~PlainMemory() {
    for (const Slot& slot : slots_) arena_->Release(slot);
  }
  PlainMemory(const PlainMemory&) = delete;
  PlainMemory& operator=(const PlainMemory&) = delete;

  PlacedTensor Place(const TensorType& type) {
    const size_t bytes = static_cast<size_t>(type.ByteSize());
    const Slot slot = slots_.emplace_back(arena_->Acquire(bytes + 2 * kMargin));
    const Strides& strides = strides_.emplace_back(RowMajorStrides(type.shape));
    return {&type, &strides, slot, slot.data + kMargin};
  }

 private:
  Arena* arena_;
  std::vector<Slot> slots_;
  std::deque<Strides> strides_;
};

// Makes one call; outputs start as zeros. Returns how the bug is noticed, or
// "".
std::string Notice(Executor* executor, const std::string& closeness,
                   const Op& op, const std::vector<Tensor>& inputs,
                   const std::vector<Expectation>& expected) {
  PlainMemory memory(&executor->arena());
  PlacedCall call{&op, {}, {}};
  for (const Tensor& input : inputs) {
    const PlacedTensor& t =
        call.inputs.emplace_back(memory.Place(input.type()));
    std::copy_n(input.data(), input.type().ByteSize(), t.element0);
  }
  for (const Op::Result& output : op.outputs) {
    const TensorType& type = output.type.tensor();
    const PlacedTensor& result = call.outputs.emplace_back(memory.Place(type));
    std::fill_n(result.element0, type.ByteSize(), std::byte{0});
  }
  const auto is_close = [&](size_t i) {
    Tensor actual(op.outputs[i].type);
    std::copy_n(call.outputs[i].element0, actual.type().ByteSize(),
                actual.data());
    return IsClose(closeness, actual, expected[i]);
  };
  CallStatus status = CallStatus::kLost;
  while (status == CallStatus::kLost) {
    executor->Submit(call);
    status = executor->Next().status;
  }
  switch (status) {
    case CallStatus::kUnsupported:
      return "";
    case CallStatus::kOk:
      for (size_t i = 0; i < op.outputs.size(); ++i) {
        if (!is_close(i)) return "not_close";
      }
      return "";
    case CallStatus::kTimeout:
      return "timeout";
    case CallStatus::kCrash:
    case CallStatus::kMemory:
      return "crash";
    default:
      return "error";
  }
}

}  // namespace

// Every operand of every call of every op has its own seed, so that a bug gets
// the same values alone as among others.
Control::Control(uint64_t seed, const std::vector<PlantedBug>& bugs,
                 std::string closeness)
    : closeness_(std::move(closeness)) {
  uint64_t op_seed = seed << 32;
  for (const OpSpec& spec : Ops()) {
    op_seed += 1 << 16;
    const bool is_asked = std::ranges::any_of(
        bugs, [&](const PlantedBug& bug) { return bug.AppliesTo(spec.id); });
    if (!spec.executable || !is_asked) continue;
    uint64_t call_seed = op_seed;
    for (const ElementType type : AllTypes()) {
      for (const Op& op : CallsOn(spec, type)) Add(op, call_seed += 8);
    }
  }
}

void Control::Add(const Op& op, uint64_t seed) {
  std::vector<Tensor> inputs;
  const auto add = [&](const TensorType& type) {
    inputs.push_back(InputData{type, DrawRandom{seed}}.Materialise());
    DrawOrdinary(seed++, &inputs.back());
  };
  for (const Op::Operand& operand : op.inputs) add(operand.type);
  for (const TypedName& capture : Captures(op)) add(capture.type);
  Evaluation evaluation =
      Evaluate(op, inputs, Policy::Find("assay"), Marks::kNone);
  for (const Expectation& expected : evaluation.outputs) {
    for (int64_t i = 0; i < expected.lo.size(); ++i)
      ++(expected.IsOpen(i) ? open_ : compared_);
  }
  calls_.push_back({op, std::move(inputs), std::move(evaluation.outputs)});
}

std::string Control::Name(const Call& call) {
  std::string name =
      fmt::format("{} {}", call.op.op, call.op.FirstType().ToString());
  for (const Attribute& attribute : call.op.attributes)
    name += fmt::format(" {}={}", attribute.name, AttributeText(attribute));
  return name;
}

Control::Result Control::Run(const PlantedBug& bug) const {
  OpenOptions options;
  options.limits.timeout = std::chrono::seconds(2);
  options.how.granularity = Granularity::kOp;
  const std::unique_ptr<Executor> executor =
      OpenBackend(bug.Backend(), options);
  for (const Call& call : calls_) {
    if (!bug.AppliesTo(call.op.op)) continue;
    const std::string how =
        Notice(executor.get(), closeness_, call.op, call.inputs, call.expected);
    if (!how.empty()) return {true, Name(call), how};
  }
  return {};
}

}  // namespace assay
