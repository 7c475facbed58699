// Tests what calls with functions decline, and the order of a reduction, on a
// machine that only knows two ops on numbers of 32 bits.
#include "backends/calls/functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/calls/integers.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

// It has memory for `most_bytes`.
class SmallMachine : public Machine {
 public:
  const char* Run(const AssayCall& call) override {
    const std::string_view op = call.op;
    if (op != "reshape" && op != "subtract") return "this op";
    const DimsView to = DimsView::Of(call.outputs[0].tensor);
    const DimsView a = DimsView::Of(call.inputs[0].tensor);
    const DimsView b = DimsView::Of(call.inputs[call.num_inputs - 1].tensor);
    for (int64_t i = 0; i < CountOf(to.shape); ++i)
      *At(to, i) = op == "reshape" ? *At(a, i) : *At(a, i) - *At(b, i);
    return nullptr;
  }
  void* Memory(size_t bytes) override {
    if (bytes > most_bytes) return nullptr;
    most_bytes -= bytes;
    return memory_.emplace_back(new unsigned char[bytes]).get();
  }
  const char* Read(const AssayTensor& tensor,
                   std::vector<int64_t>* integers) override {
    return ReadHostIntegers(tensor, integers);
  }
  const char* Move(const void*, const std::vector<int64_t>&, void*,
                   const std::vector<int64_t>&, size_t) override {
    return "moves of elements";
  }
  size_t most_bytes = size_t{1} << 24;

 private:
  static int32_t* At(const DimsView& view, int64_t i) {
    auto* at = reinterpret_cast<int32_t*>(view.first);
    for (size_t d = view.shape.size(); d-- > 0; i /= view.shape[d])
      at += i % view.shape[d] * view.strides[d];
    return at;
  }
  std::vector<std::unique_ptr<unsigned char[]>> memory_;
};

// A reduction of a row by subtraction. Tests change it before it runs.
struct Reduction {
  explicit Reduction(size_t length) : terms(length) {
    for (size_t i = 0; i < length; ++i) terms[i] = 1 << i % 16;
    function.num_arguments = empty.num_arguments = 2;
    empty.argument_types = types;
    function.argument_types = types;
    function.num_ops = 1;
    function.ops = &op;
    function.num_results = 1;
    function.results = &result_number;
    op.op = "subtract";
    op.num_inputs = 2;
    op.inputs = operands;
    op.num_outputs = 1;
    op.output_types = types;
    dimensions.name = "dimensions";
    dimensions.text = "[0]";
    row = static_cast<int64_t>(length);
    const auto set = [](void* data, const char* type, AssayTensor* tensor) {
      tensor->tensor.data = data;
      tensor->tensor.dtype = {kDLInt, 32, 1};
      tensor->type = type;
    };
    set(terms.data(), "tensor<9xi32>", &inputs[0]);
    inputs[0].tensor.ndim = 1;
    inputs[0].tensor.shape = &row;
    inputs[0].tensor.strides = &step;
    set(&init, "tensor<i32>", &inputs[1]);
    set(&sum, "tensor<i32>", &output);
    call.struct_size = sizeof(call);
    call.op = "reduce";
    call.num_inputs = 2;
    call.inputs = inputs;
    call.num_outputs = 1;
    call.outputs = &output;
    call.num_attributes = 1;
    call.attributes = &dimensions;
    call.num_regions = 1;
    call.num_input_groups = 2;
    call.input_group_sizes = sizes;
    call.functions = &function;
  }
  Reduction(const Reduction&) = delete;

  std::vector<int32_t> terms;
  int32_t init = 1000, sum = 0;
  int64_t row = 0, step = 1;
  const char* types[3] = {"tensor<i32>", "tensor<i32>", "tensor<i32>"};
  int32_t operands[2] = {0, 1};
  int32_t result_number = 2;
  int32_t sizes[2] = {1, 1};
  AssayFunctionOp op = {};
  AssayFunction function = {};
  AssayFunction empty = {};  // returns nothing
  AssayAttribute dimensions = {};
  AssayTensor inputs[2] = {}, output = {};
  AssayCall call = {};
};

TEST(Reduce, CombinesNeighboursAndThenTheInitialValue) {
  SmallMachine machine;
  for (const auto& [length, expected] : std::vector<std::pair<size_t, int32_t>>{
           {0, 1000},
           {1, 1000 - 1},
           {2, 1000 - (1 - 2)},
           {3, 1000 - ((1 - 2) - 4)},
           {5, 1000 - (((1 - 2) - (4 - 8)) - 16)}}) {
    Reduction reduction(length);
    EXPECT_EQ(RunWithFunction(reduction.call, &machine), nullptr);
    EXPECT_EQ(reduction.sum, expected) << length;
  }
}

// The values of a function are as many tensors as it has ops, each of which
// takes what it needs and no more.
TEST(RunWithFunction, TakesTheMemoryThatItsValuesNeed) {
  constexpr size_t kLength = 200000, kOps = 100;
  Reduction reduction(kLength);
  const std::vector<AssayFunctionOp> ops(kOps, reduction.op);
  reduction.function.num_ops = kOps;
  reduction.function.ops = ops.data();
  SmallMachine machine;
  machine.most_bytes = (kOps + 8) * kLength * sizeof(int32_t);
  EXPECT_EQ(RunWithFunction(reduction.call, &machine), nullptr);
}

TEST(RunWithFunction, DeclinesWhatItDoesNotKnow) {
  using Change = std::function<void(Reduction*, SmallMachine*)>;
  const std::vector<std::pair<std::string, Change>> declined = {
      {"a function that is text alone",
       [](Reduction* r, SmallMachine*) { r->call.functions = nullptr; }},
      {"a function that is text alone",
       [](Reduction* r, SmallMachine*) {
         r->call.struct_size = offsetof(AssayCall, num_input_groups);
       }},
      {"number of operands",
       [](Reduction* r, SmallMachine*) { r->sizes[1] = 2; }},
      {"number of operands",
       [](Reduction* r, SmallMachine*) { r->call.num_captures = 1; }},
      {"attribute value",
       [](Reduction* r, SmallMachine*) { r->dimensions.text = "[1]"; }},
      {"a function that is not well-formed",
       [](Reduction* r, SmallMachine*) { r->operands[1] = 3; }},
      {"a function that is not well-formed",
       [](Reduction* r, SmallMachine*) { r->operands[0] = -1; }},
      {"a function that is not well-formed",
       [](Reduction* r, SmallMachine*) { r->result_number = 3; }},
      {"a function that is not well-formed",
       [](Reduction* r, SmallMachine*) { r->function.num_arguments = 1; }},
      {"a function of more than scalars",
       [](Reduction* r, SmallMachine*) { r->types[0] = "tensor<2xi32>"; }},
      {"this op", [](Reduction* r, SmallMachine*) { r->op.op = "power"; }},
      {"a function without memory for its values",
       [](Reduction*, SmallMachine* m) { m->most_bytes = 0; }},
      {"a function that is not well-formed",
       [](Reduction* r, SmallMachine*) {
         r->op.op = "if";
         r->op.num_functions = 1;
         r->op.functions = &r->empty;
       }},
      {"a function that is not well-formed",
       [](Reduction* r, SmallMachine*) {
         r->op.op = "map";
         r->op.num_functions = 1;
         r->op.functions = &r->empty;
       }},
      {"a function with such an op in it",
       [](Reduction* r, SmallMachine*) {
         r->op.op = "reverse";
         r->op.num_outputs = 3;
       }},
      {"a function with such an op in it", [](Reduction* r, SmallMachine*) {
         r->op.num_functions = 1;
         r->op.functions = &r->function;
       }}};
  for (const auto& [message, change] : declined) {
    Reduction reduction(4);
    SmallMachine machine;
    change(&reduction, &machine);
    const char* const failure = RunWithFunction(reduction.call, &machine);
    EXPECT_STREQ(failure, message.c_str());
  }
}

}  // namespace
}  // namespace assay::calls
