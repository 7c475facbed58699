// This file makes ops that are not one function of elements from such
// functions: complex numbers are taken apart if each part is computed for
// itself, and bitcast_convert is a copy between views.
#include "backends/cuda/core/calls.h"

#include <algorithm>

#include "backends/calls/compositions.h"
#include "backends/calls/contraction.h"
#include "backends/calls/key_sort.h"
#include "backends/calls/moves.h"
#include "backends/calls/pointwise.h"
#include "backends/calls/views.h"
#include "backends/calls/violations.h"
#include "backends/calls/windows.h"
#include "backends/cuda/contraction/contraction.h"
#include "backends/cuda/core/batch.h"
#include "backends/cuda/core/hooks.h"
#include "backends/cuda/core/nest.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/movement/gather.h"
#include "backends/cuda/movement/moves.h"
#include "backends/cuda/order/sort.h"
#include "backends/cuda/reduction/reduce.h"
#include "backends/cuda/reduction/scatter.h"

namespace assay::cuda {
namespace {

using calls::Kind;
using calls::Signature;
using calls::Type;

Failure Unsupported(const char* what) { return {ASSAY_UNSUPPORTED, what}; }

Failure Launched(const char* error) {
  return error == nullptr ? Failure{} : Failure{ASSAY_ERROR, error};
}

Type PartOf(const Type& complex) {
  return {Kind::kFloat, complex.bits / 2, complex.width - 1, {}};
}

size_t Alignment(const Type& type) {
  return type.kind == Kind::kComplex ? type.bytes() / 2 : type.bytes();
}

// A PartView shows a tensor of complex numbers as the tensor of one of their
// parts, or of both parts with one more dimension.
class PartView {
 public:
  explicit PartView(const DLTensor& complex) : tensor_(complex) {
    std::copy(complex.shape, complex.shape + complex.ndim, shape_);
    for (int i = 0; i < complex.ndim; ++i) strides_[i] = complex.strides[i] * 2;
    shape_[complex.ndim] = 2;
    strides_[complex.ndim] = 1;
    tensor_.shape = shape_;
    tensor_.strides = strides_;
  }
  PartView(const PartView&) = delete;
  PartView& operator=(const PartView&) = delete;

  DLTensor Part(int part, size_t bytes) const {
    DLTensor tensor = tensor_;
    tensor.byte_offset += static_cast<size_t>(part) * bytes;
    return tensor;
  }
  DLTensor Both() const {
    DLTensor tensor = tensor_;
    ++tensor.ndim;
    return tensor;
  }

 private:
  int64_t shape_[calls::kMaxDims + 1];
  int64_t strides_[calls::kMaxDims + 1];
  DLTensor tensor_;
};

Failure Move(const char* name, const DLTensor& from, const DLTensor& to,
             size_t bytes, size_t alignment) {
  const NestTensor input = {&from, bytes};
  const Function function = FindMove(name, bytes, alignment);
  return Launched(RunNest(MakeNest(&input, 1, {&to, bytes}), function));
}

Failure RunConvert(const Type& from, const Type& to, const DLTensor& input,
                   const DLTensor& output) {
  const bool from_complex = from.kind == Kind::kComplex;
  const bool to_complex = to.kind == Kind::kComplex;
  if (from_complex && to_complex) {
    const PartView inputs(input);
    const PartView outputs(output);
    return RunConvert(PartOf(from), PartOf(to), inputs.Both(), outputs.Both());
  }
  if (from_complex) {
    const PartView parts(input);
    return RunConvert(PartOf(from), to, parts.Part(0, 0), output);
  }
  if (to_complex) {
    const PartView parts(output);
    const Type part = PartOf(to);
    const DLTensor real = parts.Part(0, 0);
    const Failure failure = RunConvert(from, part, input, real);
    if (failure.is()) return failure;
    return Move("zero", real, parts.Part(1, part.bytes()), part.bytes(),
                part.bytes());
  }
  if (from == to) return Move("copy", input, output, to.bytes(), to.bytes());
  const NestTensor operand = {&input, from.bytes()};
  return Launched(RunNest(MakeNest(&operand, 1, {&output, to.bytes()}),
                          FindConversion(from, to)));
}

// Returns whether the op is real, imag or complex, whose operands or results
// are parts.
bool IsPartOp(const Signature& signature) {
  const bool takes_part = (signature.op == "real" || signature.op == "imag") &&
                          signature.num_inputs == 1 &&
                          signature.inputs[0].kind == Kind::kComplex;
  return takes_part || (signature.op == "complex" && signature.num_inputs == 2);
}

Failure RunPartOp(const Signature& signature, const DLTensor* const* inputs,
                  const DLTensor& output) {
  if (signature.op == "complex") {
    const Type& type = signature.output;
    if (type.kind != Kind::kComplex || signature.inputs[0] != PartOf(type) ||
        signature.inputs[1] != PartOf(type))
      return Unsupported("element type");
    const size_t bytes = type.bytes() / 2;
    const PartView parts(output);
    const Failure failure =
        Move("copy", *inputs[0], parts.Part(0, bytes), bytes, bytes);
    if (failure.is()) return failure;
    return Move("copy", *inputs[1], parts.Part(1, bytes), bytes, bytes);
  }
  if (signature.output != PartOf(signature.inputs[0]))
    return Unsupported("result type");
  const size_t bytes = signature.output.bytes();
  const PartView parts(*inputs[0]);
  return Move("copy", parts.Part(signature.op == "real" ? 0 : 1, bytes), output,
              bytes, bytes);
}

// Returns whether the op on complex numbers computes each part for itself.
bool IsByParts(const Signature& signature) {
  if (signature.output.kind != Kind::kComplex) return false;
  if (signature.op == "negate") return signature.num_inputs == 1;
  return (signature.op == "add" || signature.op == "subtract") &&
         signature.num_inputs == 2;
}

Failure RunByParts(const Signature& signature, const DLTensor* const* inputs,
                   const DLTensor& output, Math math) {
  Signature of_parts = signature;
  of_parts.output = PartOf(signature.output);
  const PartView first(*inputs[0]);
  const PartView second(*inputs[signature.num_inputs - 1]);
  const PartView result(output);
  const DLTensor tensors[] = {first.Both(), second.Both()};
  const DLTensor* operands[] = {&tensors[0], &tensors[1]};
  for (int k = 0; k < signature.num_inputs; ++k) {
    if (signature.inputs[k] != signature.output)
      return Unsupported("element type");
    of_parts.inputs[k] = of_parts.output;
  }
  return RunOp(of_parts, operands, result.Both(), math);
}

Failure RunBitcastConvert(const AssayCall& call) {
  calls::BitcastViews views;
  if (const char* what = calls::ReadBitcastConvert(call, &views))
    return Unsupported(what);
  if (views.is_empty) return {};
  const DLTensor& wide = views.wide.tensor;
  if (!views.is_packed) {
    const DLTensor& narrow = views.narrow.tensor;
    Type from;
    Type to;
    calls::ParseType(call.inputs[0], &from);
    calls::ParseType(call.outputs[0], &to);
    const size_t alignment =
        std::min({views.bytes, Alignment(from), Alignment(to)});
    return Move("copy", views.splits ? wide : narrow,
                views.splits ? narrow : wide, views.bytes, alignment);
  }
  for (int place = 0; place < views.num_places; ++place) {
    const DLTensor narrow = views.NarrowAt(place);
    // Writing the first place of a byte also clears the others.
    const bool joins = !views.splits && place > 0;
    const NestTensor of_wide = {&wide, 1};
    const NestTensor of_narrow = {&narrow, 1};
    Function function = FindMove(joins ? "join" : "split", 1, 1);
    function.parameters.mask = views.mask;
    function.parameters.bits = static_cast<int>(views.Shift(place));
    const NestTensor inputs[] = {views.splits ? of_wide : of_narrow, of_wide};
    const char* error = RunNest(
        MakeNest(inputs, joins ? 2 : 1, views.splits ? of_narrow : of_wide),
        function);
    if (error != nullptr) return {ASSAY_ERROR, error};
  }
  return {};
}

Failure RunElementwise(const AssayCall& call, Math math, bool broadcasts) {
  Signature signature;
  if (const char* what = calls::ReadSignature(call, &signature))
    return Unsupported(what);
  if (!broadcasts) {
    if (const char* what = calls::CheckShapes(call, signature))
      return Unsupported(what);
  }
  const DLTensor* inputs[calls::kMaxInputs];
  for (int k = 0; k < call.num_inputs; ++k) inputs[k] = &call.inputs[k].tensor;
  return RunOp(signature, inputs, call.outputs[0].tensor, math);
}

Failure RunWithoutFunction(const AssayCall& call, const Options& options) {
  const std::string_view op = call.op;
  if (calls::IsMove(call.op)) return RunMoves(call);
  if (calls::IsIota(call.op)) return RunIota(call, options.math);
  if (calls::IsGather(call.op)) return RunGather(call);
  if (calls::IsContraction(call.op))
    return RunContraction(call, options.products);
  if (op == "get_dimension_size") return RunDimensionSize(call);
  if (!calls::HasOnlyKnownAttributes(call))
    return Unsupported("an attribute or region");
  if (op == "bitcast_convert") return RunBitcastConvert(call);
  return RunElementwise(call, options.math, calls::IsBroadcastShift(call.op));
}

// Values of functions lie in an arena, which a batch has already.
class DeviceMachine : public calls::Machine {
 public:
  explicit DeviceMachine(const Options& options) : options_(options) {
    if (has_arena_) BeginArena();
  }
  ~DeviceMachine() override {
    if (has_arena_) EndArena();
  }
  DeviceMachine(const DeviceMachine&) = delete;
  DeviceMachine& operator=(const DeviceMachine&) = delete;

  const Failure& failure() const { return failure_; }
  const char* Run(const AssayCall& call) override {
    failure_ = RunWithoutFunction(call, options_);
    return failure_.text;
  }
  void* Memory(size_t bytes) override {
    void* const memory = Workspace(0, bytes);
    if (memory == nullptr)
      failure_ = {ASSAY_ERROR, "no memory on the device for a function"};
    return memory;
  }
  const char* Read(const AssayTensor& tensor,
                   std::vector<int64_t>* integers) override {
    return ReadDeviceIntegers(tensor, integers);
  }
  const char* Move(const void* from, const std::vector<int64_t>& from_places,
                   void* to, const std::vector<int64_t>& to_places,
                   size_t bytes) override {
    failure_ = MoveElements(from, from_places, to, to_places, bytes);
    return failure_.text;
  }

 private:
  const Options options_;
  const bool has_arena_ = Batch::Current() == nullptr;
  Failure failure_;
};

Failure RunPlain(const AssayCall& call, const Options& options) {
  if (!calls::IsComposition(call.op)) return RunWithoutFunction(call, options);
  const bool is_ieee = options.math == Math::kIeee;
  if (calls::KeySort sort;
      calls::ReadKeySort(call, &sort) && (is_ieee || !sort.has_equal_zeros))
    return RunKeySort(call, sort);
  Failure failure;
  if (std::string_view(call.op) == "scatter" && is_ieee &&
      RunPlainScatter(call, options.updates, &failure))
    return failure;
  if (std::string_view(call.op) == "reduce" && is_ieee &&
      RunPlainReduce(call, &failure))
    return failure;
  DeviceMachine machine(options);
  const char* const what = calls::RunComposition(call, &machine);
  if (what == nullptr) return {};
  return machine.failure().is() ? machine.failure() : Unsupported(what);
}

}  // namespace

Failure FlushBatch() {
  Batch* const batch = Batch::Current();
  return batch == nullptr ? Failure{} : Launched(batch->Flush());
}

Failure Launched() { return Launched(LaunchError()); }

Failure CopyElements(const Type& type, const DLTensor& from,
                     const DLTensor& to) {
  return Move("copy", from, to, type.bytes(), Alignment(type));
}

Function FindFunction(const Signature& signature, [[maybe_unused]] Math math) {
  Function function = FindIntegerFunction(signature);
#ifndef ASSAY_CUDA_ON_HOST
  if constexpr (hooks::kHasAllTypes) {
    if (function.kernels == nullptr && math == Math::kFast)
      function = FindFastFunction(signature);
  }
#endif
  if (function.kernels == nullptr) function = FindFloatFunction(signature);
  if constexpr (hooks::kHasAllTypes) {
    if (function.kernels == nullptr) function = FindComplexFunction(signature);
  }
  return function;
}

Failure RunOp(const Signature& signature, const DLTensor* const* inputs,
              const DLTensor& output, Math math) {
  const bool is_empty = calls::CountElements(output) == 0;
  if (signature.op == "convert") {
    if (signature.num_inputs != 1) return Unsupported("number of operands");
    if (is_empty) return {};
    return RunConvert(signature.inputs[0], signature.output, *inputs[0],
                      output);
  }
  if (IsPartOp(signature)) {
    return is_empty ? Failure{} : RunPartOp(signature, inputs, output);
  }
  if (IsByParts(signature)) {
    return is_empty ? Failure{} : RunByParts(signature, inputs, output, math);
  }
  Function function = FindFunction(signature, math);
  if (function.kernels == nullptr) return Unsupported("these types");
  if (function.num_inputs != signature.num_inputs)
    return Unsupported("number of operands");
  if (is_empty) return Launched(hooks::RunEmpty(function));
  NestTensor operands[calls::kMaxInputs];
  for (int k = 0; k < signature.num_inputs; ++k)
    operands[k] = {inputs[k], signature.inputs[k].bytes()};
  const Nest nest = MakeNest(operands, signature.num_inputs,
                             {&output, signature.output.bytes()});
  if (!function.may_be_undecided) return Launched(RunNest(nest, function));
  function.parameters.undecided = ClearedFlag();
  if (function.parameters.undecided == nullptr)
    return {ASSAY_ERROR, "no memory on the device for a flag"};
  Failure failure = Launched(RunNest(nest, function));
  if (failure.is()) return failure;
  // The flag is only set once the jobs that a batch has collected are launched.
  if (Batch* const batch = Batch::Current()) failure = Launched(batch->Flush());
  if (failure.is()) return failure;
  bool is_undecided = false;
  failure = Launched(ReadFlag(function.parameters.undecided, &is_undecided));
  if (is_undecided) return Unsupported("an angle of more than 106 bits");
  return failure;
}

AssayStatus RunCall(const AssayCall& call, const Options& options,
                    calls::Complaint* complaint) {
  if (calls::HasOnlyKnownAttributes(call)) {
    if (calls::PointwiseName(call.op) != nullptr)
      return RunPointwise(call, options.math, complaint);
    if (calls::IsBroadcastShift(call.op) && call.num_inputs == 2 &&
        call.num_outputs == 1 && !calls::CheckBroadcast(call, complaint))
      return ASSAY_INVALID;
  }
  const Failure failure = RunPlain(call, options);
  if (failure.status == ASSAY_UNSUPPORTED &&
      calls::IsViolation(call, failure.text)) {
    complaint->Say("%s: %s", call.op, failure.text);
    return ASSAY_INVALID;
  }
  if (failure.status == ASSAY_UNSUPPORTED) {
    complaint->Say("%s: %s not implemented", call.op, failure.text);
  } else if (failure.is()) {
    complaint->Say("%s: %s", call.op, failure.text);
  }
  return failure.status;
}

}  // namespace assay::cuda
