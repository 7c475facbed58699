#include "tools/bench/bench_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/judge.h"
#include "spec/error.h"

namespace assay {

BenchCall::BenchCall(const Case& c, Side side)
    : op_(c.program.main().body.at(0)), side_(side), call_(op_.op) {
  call_.AddMembers(op_);
  for (const Op::Operand& operand : op_.inputs)
    AddInput(c, {operand.value, operand.type}, operand.is_scalar);
  for (const TypedName& capture : Captures(op_)) AddInput(c, capture, false);
  for (const Op::Result& output : op_.outputs) {
    const TensorType& type = output.type.tensor();
    const auto it = c.output_layouts.find(output.value);
    const Layout layout = it == c.output_layouts.end()
                              ? Layout::RowMajor(type.shape)
                              : it->second;
    GuardedBuffer& buffer = Add(type, layout);
    buffer.Fill(GuardedBuffer::kFillA);
    call_.AddOutput(type, layout.strides, buffer.element0());
  }
}

void BenchCall::AddInput(const Case& c, const TypedName& value,
                         bool is_scalar) {
  const std::vector<TypedName>& names = c.program.main().inputs;
  const auto it = std::ranges::find(names, value.name, &TypedName::name);
  ASSAY_CHECK(it != names.end());
  const CaseInput& input = c.inputs[static_cast<size_t>(it - names.begin())];
  GuardedBuffer& buffer = Add(input.data.type, input.layout);
  buffer.Write(inputs_.emplace_back(input.data.Materialise()));
  call_.AddInput(input.data.type, input.layout.strides, buffer.element0(),
                 is_scalar);
}

GuardedBuffer& BenchCall::Add(const TensorType& type, const Layout& layout) {
  GuardedBuffer& buffer =
      buffers_.emplace_back(&arena_, type, layout, side_, 0);
  tensors_.push_back(
      LocateTensor(type, layout.strides, buffer.slot(), buffer.element0()));
  return buffer;
}

Evaluation BenchCall::Expected(const Policy& policy) const {
  return Evaluate(op_, inputs_, policy, Marks::kNone);
}

BenchJudgement BenchCall::Judge(const Evaluation& expected) const {
  for (const GuardedBuffer& buffer : buffers_) {
    std::string violation = buffer.CheckGuards();
    if (!violation.empty()) return {.wrong = std::move(violation)};
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!buffers_[i].Holds(inputs_[i]))
      return {.wrong = "the call changed an operand"};
  }
  BenchJudgement judgement;
  std::vector<Tensor> results;
  for (size_t i = 0; i < op_.outputs.size(); ++i) {
    results.push_back(buffers_[inputs_.size() + i].Read());
    const Judgement one = assay::Judge(expected.outputs[i], results[i]);
    judgement.open += one.open;
    judgement.judged += one.elements;
    if (one.ok()) continue;
    judgement.wrong = fmt::format("{} of {} elements of {} are wrong",
                                  one.failed, one.elements, ResultName(op_, i));
    return judgement;
  }
  const Judgement together = JudgeTogether(expected, results);
  if (!together.ok())
    judgement.wrong = fmt::format("{} of {} elements are wrong together",
                                  together.failed, together.elements);
  return judgement;
}

int64_t BenchCall::Bytes() const {
  int64_t bytes = 0;
  for (const Tensor& input : inputs_) bytes += input.byte_size();
  for (const Op::Result& output : op_.outputs)
    bytes += output.type.tensor().ByteSize();
  return bytes;
}

int64_t BenchCall::elements() const {
  return *ElementCount(op_.outputs[0].type.tensor().shape);
}

std::string OpenText(const BenchJudgement& judgement) {
  if (judgement.open == 0) return "";
  return fmt::format("  {} of {} elements accepted unseen", judgement.open,
                     judgement.judged);
}

}  // namespace assay
