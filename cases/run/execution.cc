// One call is executed on guarded buffers: this places the tensors, sends the
// call, and checks the buffers afterwards.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/run/op_executions.h"
#include "oracle/judge.h"
#include "spec/error.h"

namespace assay {
namespace {

// Says which element of an operand a call changed first, and how. If only bits
// in the memory of a sub-byte type were changed that belong to no element, it
// says that.
std::string FirstChange(const Tensor& before, const Tensor& after) {
  for (int64_t i = 0; i < before.size(); ++i) {
    if (before.Bits(i) != after.Bits(i))
      return fmt::format(", first at [{}]: from {} to {}",
                         fmt::join(Unflatten(before.type().shape, i), ", "),
                         ActualText(before, i), ActualText(after, i));
  }
  return " in bits that are none of its elements'";
}

// Returns a call with everything in row-major order, in memory of its own.
CallWithLayouts InRowMajorOrder(const Op& op, std::vector<Tensor> inputs) {
  CallWithLayouts call;
  call.op = &op;
  call.inputs = std::move(inputs);
  for (const Tensor& input : call.inputs)
    call.layouts.push_back(Layout::RowMajor(input.type().shape));
  for (const Op::Result& output : op.outputs)
    call.output_layouts.push_back(Layout::RowMajor(output.type.tensor().shape));
  call.alias.resize(op.outputs.size());
  return call;
}

// Returns the op with the layouts of the case. The results of an earlier op are
// in row-major order, unless that op's output has a layout.
CallWithLayouts Place(const Case& c, const Op& op, const Values& values,
                      bool has_layouts) {
  if (!has_layouts) {
    std::vector<Tensor> inputs;
    for (const Op::Operand& operand : op.inputs)
      inputs.push_back(values.at(operand.value));
    for (const TypedName& capture : Captures(op))
      inputs.push_back(values.at(capture.name));
    return InRowMajorOrder(op, std::move(inputs));
  }
  CallWithLayouts call;
  call.op = &op;
  call.inputs.reserve(op.inputs.size());
  call.layouts.reserve(op.inputs.size());
  call.component_aligned = c.component_aligned;
  call.is_invalid = !c.violates.empty();
  call.is_sampled = !c.runs_twice;
  const std::vector<TypedName>& inputs = c.program.main().inputs;
  for (const Op::Operand& operand : op.inputs) {
    call.inputs.push_back(values.at(operand.value));
    const auto it = std::ranges::find(inputs, operand.value, &TypedName::name);
    call.layouts.push_back(
        it == inputs.end() || c.inputs.empty()
            ? Layout::RowMajor(operand.type.tensor().shape)
            : c.inputs[static_cast<size_t>(it - inputs.begin())].layout);
  }
  for (const TypedName& capture : Captures(op)) {
    call.inputs.push_back(values.at(capture.name));
    call.layouts.push_back(Layout::RowMajor(capture.type.tensor().shape));
  }
  for (const Op::Result& output : op.outputs) {
    const auto alias = c.alias.find(output.value);
    if (alias != c.alias.end()) {
      const auto it =
          std::ranges::find(op.inputs, alias->second, &Op::Operand::value);
      ASSAY_CHECK(it != op.inputs.end());
      const auto input = static_cast<size_t>(it - op.inputs.begin());
      call.alias.emplace_back(input);
      call.output_layouts.push_back(call.layouts[input]);
      continue;
    }
    call.alias.emplace_back();
    const auto layout = c.output_layouts.find(output.value);
    call.output_layouts.push_back(
        layout == c.output_layouts.end()
            ? Layout::RowMajor(output.type.tensor().shape)
            : layout->second);
  }
  return call;
}

// Captured values follow the operands.
std::string NameOfInput(const Op& op, size_t i) {
  return i < op.inputs.size() ? op.inputs[i].name
                              : Captures(op)[i - op.inputs.size()].name;
}

}  // namespace

std::string LayoutText(const CallWithLayouts& call) {
  std::string text;
  const auto add = [&](const std::string& name, const TensorType& type,
                       const Layout& layout) {
    if (layout.offset == 0 && layout.IsRowMajor(type.shape)) return;
    text += fmt::format("\n  {}: strides [{}], offset {}", name,
                        fmt::join(layout.strides, ", "), layout.offset);
  };
  const Op& op = *call.op;
  for (size_t i = 0; i < call.layouts.size(); ++i)
    add(NameOfInput(op, i), call.inputs[i].type(), call.layouts[i]);
  for (size_t i = 0; i < call.output_layouts.size(); ++i) {
    if (call.alias[i]) {
      text += fmt::format("\n  {} lies in the memory of {}", ResultName(op, i),
                          op.inputs[*call.alias[i]].name);
    } else {
      add(ResultName(op, i), op.outputs[i].type, call.output_layouts[i]);
    }
  }
  return text;
}

Execution Execution::Of(std::vector<Tensor> outputs) {
  Execution execution;
  execution.outputs = std::move(outputs);
  execution.done_ = true;
  return execution;
}

bool Execution::died() const {
  return answer.status == CallStatus::kCrash ||
         answer.status == CallStatus::kTimeout ||
         answer.status == CallStatus::kMemory;
}

bool CallWithLayouts::IsAliased(size_t input) const {
  return std::ranges::find(alias, std::optional<size_t>(input)) != alias.end();
}

void Execution::Submit(Executor* executor, const CallWithLayouts& placed,
                       Side side, const EntryProgram* program) {
  const Op& op = *placed.op;
  PlacedCall call{&op, {}, {}};
  call.program = program;
  call.guard_bytes = placed.is_sampled ? GuardedBuffer::kSampledGuardBytes
                                       : GuardedBuffer::kGuardBytes;
  call.inputs.reserve(placed.inputs.size());
  buffers_.clear();
  buffers_.reserve(placed.inputs.size() + op.outputs.size());
  output_buffers_.clear();
  const auto add = [&](const TensorType& type, const Layout& layout) -> auto& {
    const bool is_shifted =
        placed.component_aligned && IsComplex(type.element_type);
    return buffers_.emplace_back(
        &executor->arena(), type, layout, side,
        static_cast<size_t>(executor->info().over_read_bytes),
        is_shifted ? static_cast<size_t>(Info(type.element_type).bytes) / 2 : 0,
        call.guard_bytes);
  };
  for (size_t i = 0; i < placed.inputs.size(); ++i) {
    const TensorType& type = placed.inputs[i].type();
    GuardedBuffer& buffer = add(type, placed.layouts[i]);
    buffer.Write(placed.inputs[i]);
    call.inputs.push_back({&type, &placed.layouts[i].strides, buffer.slot(),
                           buffer.element0(),
                           i < op.inputs.size() && op.inputs[i].is_scalar});
  }
  for (size_t i = 0; i < op.outputs.size(); ++i) {
    const TensorType& type = op.outputs[i].type;
    if (placed.alias[i]) {
      output_buffers_.push_back(*placed.alias[i]);
    } else {
      output_buffers_.push_back(buffers_.size());
      add(type, placed.output_layouts[i])
          .Fill(side == Side::kTightBehind ? GuardedBuffer::kFillA
                                           : GuardedBuffer::kFillB);
    }
    const GuardedBuffer& buffer = buffers_[output_buffers_.back()];
    call.outputs.push_back({&type, &placed.output_layouts[i].strides,
                            buffer.slot(), buffer.element0()});
  }
  // If a call in place must be refused, the operand lies at the begin of the
  // result.
  for (size_t i = 0; placed.is_invalid && i < op.outputs.size(); ++i) {
    if (!op.outputs[i].in_place) continue;
    PlacedTensor& input = call.inputs[*op.outputs[i].in_place];
    input.slot = call.outputs[i].slot;
    input.element0 = call.outputs[i].element0;
  }
  executor->Submit(call);
}

void Execution::Take(Answer taken, const CallWithLayouts& placed) {
  answer = std::move(taken);
  done_ = true;
  const Op& op = *placed.op;
  const std::vector<Tensor>& inputs = placed.inputs;
  const auto name = [&](size_t i) {
    if (i < inputs.size()) return NameOfInput(op, i);
    const auto output = std::ranges::find(output_buffers_, i);
    return ResultName(op,
                      static_cast<size_t>(output - output_buffers_.begin()));
  };
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (answer.fault && answer.fault->slot == buffers_[i].slot().begin) {
      guard_violation =
          fmt::format("{}: touched {}", name(i),
                      buffers_[i].Describe(answer.fault->distance));
      faulted_beside_buffer = true;
    }
    const std::string violation = buffers_[i].CheckGuards();
    if (!violation.empty() && guard_violation.empty())
      guard_violation = name(i) + ": " + violation;
    if (i < inputs.size() && input_modified.empty() && !placed.IsAliased(i) &&
        !buffers_[i].Holds(inputs[i]))
      input_modified =
          name(i) + " was changed" + FirstChange(inputs[i], buffers_[i].Read());
  }
  if (answer.status == CallStatus::kOk) {
    for (const size_t buffer : output_buffers_)
      outputs.push_back(buffers_[buffer].Read());
  }
  buffers_.clear();
}

OpExecutions::OpExecutions(const Case& c, const Op& op, const Values& values,
                           bool has_layouts)
    : c(&c),
      op(&op),
      window(c.window),
      call(Place(c, op, values, has_layouts)) {
  if (!c.variant) return;
  if (!c.variant->base) {
    base_call = InRowMajorOrder(op, call.inputs);
    return;
  }
  const Case& base = *c.variant->base;
  const Op& base_op = base.program.main().body[0];
  Values base_values;
  for (size_t i = 0; i < base.inputs.size(); ++i)
    base_values[base.program.main().inputs[i].name] =
        base.inputs[i].data.Materialise();
  std::vector<Tensor> inputs;
  for (const Op::Operand& operand : base_op.inputs)
    inputs.push_back(base_values.at(operand.value));
  for (const TypedName& capture : Captures(base_op))
    inputs.push_back(base_values.at(capture.name));
  base_call = InRowMajorOrder(base_op, std::move(inputs));
}

OpExecutions::OpExecutions(const OpExecutions& whole, const RowSlice& slice,
                           int64_t begin, int64_t end)
    : c(whole.c),
      op(&slice.op),
      call(whole.call),
      name_of_a(whole.name_of_a),
      name_of_b(whole.name_of_b),
      has_b(whole.has_b) {
  const TensorType& result = whole.op->outputs[0].type;
  window = Window{result.shape,
                  *ElementCount(result.shape) / result.shape[0] * begin};
  call.op = op;
  call.inputs = slice.inputs;
  for (const Tensor& output : whole.a.outputs)
    a.outputs.push_back(output.Rows(begin, end));
  for (const Tensor& output : whole.b.outputs)
    b.outputs.push_back(output.Rows(begin, end));
}

OpExecutions::OpExecutions(const Case& c, const Op& op, const Values& values,
                           std::vector<Tensor> of_a, std::vector<Tensor> of_b)
    : c(&c),
      op(&op),
      window(c.window),
      call(Place(c, op, values, false)),
      has_b(!of_b.empty()) {
  a.outputs = std::move(of_a);
  b.outputs = std::move(of_b);
}

Execution& OpExecutions::Of(Kind kind) {
  return kind == Kind::kA ? a : kind == Kind::kB ? b : base;
}

void OpExecutions::Submit(Executor* executor, Kind kind) {
  if (kind == Kind::kB) has_b = true;
  if (kind == Kind::kBase) has_base = true;
  Of(kind).Submit(executor, kind == Kind::kBase ? base_call : call,
                  kind == Kind::kB ? Side::kTightInFront : Side::kTightBehind);
}

int64_t OpExecutions::Bytes() const {
  int64_t bytes = 0;
  for (const Tensor& input : call.inputs) bytes += input.byte_size();
  for (const Op::Result& output : op->outputs)
    bytes += output.type.tensor().ByteSize();
  return bytes;
}

}  // namespace assay
