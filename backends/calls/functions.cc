#include "backends/calls/functions.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>

#include "backends/calls/limits.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

// The views of an op have at most one dimension more than its operands.
constexpr int kMostDims = kMaxDims - 1;

struct FunctionRoute {
  std::string_view op;
  int32_t num_groups;
  int32_t num_functions;
  int32_t most_attributes;
  void (*run)(const AssayCall& call, const FunctionCall& operands,
              Columns* columns);
};

constexpr FunctionRoute kFunctionRoutes[] = {
    {"map", 1, 1, 1, RunMap},
    {"reduce", 2, 1, 1, RunReduce},
    {"reduce_window", 2, 1, 5, RunReduceWindow},
    {"scatter", 3, 1, 8, RunScatter},
    {"select_and_scatter", 3, 2, 3, RunSelectAndScatter},
    {"sort", 1, 1, 2, RunSort}};

const FunctionRoute* FindFunctionRoute(std::string_view op) {
  const auto* const route =
      std::ranges::find(kFunctionRoutes, op, &FunctionRoute::op);
  return route == std::end(kFunctionRoutes) ? nullptr : route;
}

bool HasGroups(const AssayCall& call, int32_t num_groups) {
  return call.num_input_groups == num_groups && call.num_captures >= 0 &&
         std::all_of(call.input_group_sizes,
                     call.input_group_sizes + num_groups,
                     [](int32_t size) { return size >= 1; }) &&
         std::accumulate(call.input_group_sizes,
                         call.input_group_sizes + num_groups,
                         call.num_captures) == call.num_inputs;
}

}  // namespace

const char* RunWithFunction(const AssayCall& call, Machine* machine) {
  const FunctionRoute& route = *FindFunctionRoute(call.op);
  if (call.struct_size < sizeof(AssayCall) || call.functions == nullptr ||
      call.num_regions != route.num_functions)
    return "a function that is text alone";
  if (call.num_attributes > route.most_attributes) return "an attribute";
  if (!HasGroups(call, route.num_groups) || call.num_outputs < 1)
    return "number of operands";
  Columns columns(call, machine);
  FunctionCall operands = {call.functions, {}, {}, {}};
  const AssayTensor* input = call.inputs;
  const auto read = [&](const AssayTensor& tensor) {
    if (tensor.tensor.ndim > kMostDims) columns.Fail("rank");
    return columns.Of(tensor);
  };
  for (int32_t g = 0; g < route.num_groups; ++g) {
    operands.groups.emplace_back();
    for (int32_t k = 0; k < call.input_group_sizes[g]; ++k)
      operands.groups.back().push_back(read(*input++));
  }
  for (int32_t k = 0; k < call.num_captures; ++k) {
    if (input->tensor.ndim != 0) return "a function of more than scalars";
    operands.captures.push_back(read(*input++));
  }
  for (int32_t k = 0; k < call.num_outputs; ++k)
    operands.outputs.push_back(read(call.outputs[k]));
  const Column& first = operands.groups[0][0];
  for (const Column& other : operands.groups[0]) {
    if (other.view.shape != first.view.shape)
      columns.Fail("mix of operand shapes");
  }
  if (columns.failure() == nullptr) route.run(call, operands, &columns);
  return columns.failure();
}

void RunMap(const AssayCall&, const FunctionCall& operands, Columns* columns) {
  const Column& result = operands.outputs[0];
  const Columns::Shape& shape = result.view.shape;
  if (operands.function->num_results != 1 || operands.outputs.size() != 1)
    columns->Fail("number of operands");
  if (operands.groups[0][0].view.shape != shape)
    columns->Fail("mix of operand shapes");
  if (columns->failure() != nullptr || CountOf(shape) == 0) return;
  std::vector<Column> arguments = operands.groups[0];
  for (const Column& capture : operands.captures)
    arguments.push_back(Columns::Broadcast(capture, shape));
  const std::vector<Column> results =
      columns->Apply(*operands.function, arguments, shape, &result);
  if (columns->failure() != nullptr) return;
  if (results[0].view.first != result.view.first ||
      results[0].view.strides != result.view.strides)
    columns->Convert(results[0], result);
}

}  // namespace assay::calls
