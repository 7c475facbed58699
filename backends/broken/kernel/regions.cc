// Calls with a function are read here, and functions are applied.
#include "backends/broken/kernel/regions.h"

#include <string.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>

#include "backends/broken/kernel/seen_call.h"
#include "backends/broken/kernel/sliding.h"
#include "backends/broken/kernel/types.h"
#include "backends/broken/kernel/windows.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using calls::DimsView;

constexpr char kNoScalars[] = "a function of more than scalars";
constexpr char kBadFunction[] = "a function that is not well-formed";
constexpr char kOddOp[] = "a function with such an op in it";

struct Route {
  std::string_view op;
  size_t num_groups;
  int32_t num_functions;
  std::string_view attributes[8];
  void (*run)(FunctionCall* call);
};

constexpr Route kRoutes[] = {
    {"map", 1, 1, {"dimensions"}, RunMap},
    {"reduce", 2, 1, {"dimensions"}, RunReduce},
    {"reduce_window",
     2,
     1,
     {"window_dimensions", "window_strides", "base_dilations",
      "window_dilations", "padding"},
     RunReduceWindow},
    {"scatter",
     3,
     1,
     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
      "index_vector_dim", "indices_are_sorted", "unique_indices"},
     RunScatter},
    {"select_and_scatter",
     3,
     2,
     {"window_dimensions", "window_strides", "padding"},
     RunSelectAndScatter},
    {"sort", 1, 1, {"dimension", "is_stable"}, RunSort}};

// On scalars, these ops return their first operand, or all of them.
constexpr std::string_view kIdentities[] = {"broadcast_in_dim",
                                            "optimization_barrier",
                                            "pad",
                                            "reshape",
                                            "reverse",
                                            "slice",
                                            "transpose"};

const Route* FindRoute(std::string_view op) {
  const auto* const route = std::ranges::find(kRoutes, op, &Route::op);
  return route == std::end(kRoutes) ? nullptr : route;
}

bool HasGroups(const AssayCall& call, size_t num_groups) {
  const int32_t* const sizes = call.input_group_sizes;
  return call.num_input_groups == static_cast<int32_t>(num_groups) &&
         std::all_of(sizes, sizes + num_groups,
                     [](int32_t size) { return size >= 1; }) &&
         call.num_captures >= 0 && call.num_outputs >= 1 &&
         std::accumulate(sizes, sizes + num_groups, call.num_captures) ==
             call.num_inputs;
}

const char* CheckCall(const AssayCall& call, const Route& route) {
  if (call.struct_size < sizeof(AssayCall) || call.functions == nullptr ||
      call.num_regions != route.num_functions)
    return "a function that is text alone";
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (std::ranges::count(route.attributes, call.attributes[i].name) == 0)
      return "an attribute";
  }
  if (!HasGroups(call, route.num_groups)) return "number of operands";
  if (const char* wrong = calls::CheckTensors(call)) return wrong;
  const auto is_deep = [](const AssayTensor& tensor) {
    return tensor.tensor.ndim > kMaxRank;
  };
  if (std::any_of(call.inputs, call.inputs + call.num_inputs, is_deep) ||
      std::any_of(call.outputs, call.outputs + call.num_outputs, is_deep))
    return "rank";
  return nullptr;
}

DimsView ViewOf(Elements* elements) {
  return {elements->shape, calls::RowMajor(elements->shape),
          elements->data.data()};
}

// Returns whether the types are those of scalars, which are read then.
bool ReadTypes(const char* const* texts, int32_t count,
               std::vector<DLDataType>* types) {
  types->resize(static_cast<size_t>(count));
  return std::ranges::all_of(*types, [&](DLDataType& type) {
    return calls::ParseScalarType(*texts++, &type);
  });
}

// Returns the values of these numbers, or none if one of them is not there.
Tuple Chosen(const FunctionCall& call, const Tuple& values,
             const int32_t* numbers, int32_t count) {
  Tuple chosen;
  for (int32_t i = 0; i < count; ++i) {
    const auto number = static_cast<size_t>(numbers[i]);
    if (numbers[i] < 0 || number >= values.size()) {
      call.Fail(kBadFunction);
      return {};
    }
    chosen.push_back(values[number]);
  }
  return chosen;
}

Tuple RunFunctions(const FunctionCall& call, const AssayFunctionOp& op,
                   Tuple inputs) {
  const std::string_view name = op.op;
  const Hooks& hooks = ActiveHooks();
  if (name == "map") return hooks.apply(call, op.functions[0], inputs);
  if ((name != "case" && (name != "if" || op.num_functions != 2)) ||
      inputs.empty()) {
    call.Fail(kOddOp);
    return {};
  }
  const int32_t branch = hooks.choose(op, inputs[0]);
  inputs.erase(inputs.begin());
  return hooks.apply(call, op.functions[branch], inputs);
}

Tuple ApplyOp(const FunctionCall& call, const AssayFunctionOp& op,
              const Tuple& values) {
  std::vector<DLDataType> types;
  if (!ReadTypes(op.output_types, op.num_outputs, &types)) {
    call.Fail(kNoScalars);
    return {};
  }
  const auto count = static_cast<size_t>(op.num_outputs);
  Tuple inputs = Chosen(call, values, op.inputs, op.num_inputs);
  if (call.IsDone()) return {};
  if (op.num_functions > 0) {
    inputs = RunFunctions(call, op, std::move(inputs));
  } else if (std::ranges::count(kIdentities, op.op) != 0 &&
             inputs.size() >= count) {
    inputs.resize(count);
  } else if (count == 1) {
    inputs = {RunOnScalars(call, op.op, inputs, types[0], op.attributes,
                           op.num_attributes)};
  } else {
    call.Fail(kOddOp);
  }
  if (inputs.size() != count) call.Fail(kBadFunction);
  return inputs;
}

}  // namespace

Elements ElementsOf(const FunctionCall& call, const AssayTensor& tensor,
                    bool is_operand) {
  const DimsView view = DimsView::Of(tensor.tensor);
  Type type = {};
  if (!ParseType(tensor, &type)) {
    call.Fail("element type");
    return {};
  }
  const auto bytes = static_cast<size_t>(type.bytes);
  Elements elements = {tensor.tensor.dtype, bytes, view.shape, {}};
  elements.data.resize(static_cast<size_t>(calls::CountOf(view.shape)) * bytes);
  if (is_operand) CopyElements(view, ViewOf(&elements), type);
  return elements;
}

void Write(Elements* elements, const AssayTensor& tensor) {
  Type type = {};
  if (ParseType(tensor, &type))
    CopyElements(ViewOf(elements), DimsView::Of(tensor.tensor), type);
}

Scalar Elements::At(int64_t position) const {
  Scalar scalar = {type};
  memcpy(scalar.bytes, data.data() + static_cast<size_t>(position) * bytes,
         bytes);
  return scalar;
}

void Elements::Set(int64_t position, const Scalar& scalar) {
  memcpy(data.data() + static_cast<size_t>(position) * bytes, scalar.bytes,
         bytes);
}

size_t NumGroups(const char* op) {
  const Route* const route = FindRoute(op);
  return route == nullptr ? 0 : route->num_groups;
}

const char* RunWithFunction(const AssayCall& call, bool* is_declined) {
  const Route& route = *FindRoute(call.op);
  if (const char* missing = CheckCall(call, route)) return missing;
  const SeenCall seen(call);
  FunctionCall read = {seen.call()};
  read.is_declined = is_declined;
  const AssayTensor* input = seen.call().inputs;
  for (size_t g = 0; g < route.num_groups; ++g) {
    for (int32_t k = 0; k < call.input_group_sizes[g]; ++k) {
      (g == 0 ? read.inputs : read.init_values)
          .push_back(ElementsOf(read, *input++, true));
    }
  }
  for (int32_t k = 0; k < call.num_captures; ++k) {
    const Elements capture = ElementsOf(read, *input++, true);
    if (!capture.shape.empty()) read.Fail(kNoScalars);
    if (!read.IsDone()) read.captures.push_back(capture.At(0));
  }
  for (int32_t k = 0; k < call.num_outputs; ++k)
    read.outputs.push_back(ElementsOf(read, seen.call().outputs[k], false));
  for (const Elements& other : read.inputs) {
    if (other.shape != read.inputs[0].shape) read.Fail("mix of operand shapes");
  }
  if (!read.IsDone()) route.run(&read);
  for (size_t k = 0; k < read.outputs.size() && !read.IsDone(); ++k)
    Write(&read.outputs[k], seen.call().outputs[k]);
  return read.missing;
}

bool HasType(const Scalar& scalar, const DLDataType& type) {
  return scalar.type.code == type.code && scalar.type.bits == type.bits;
}

Scalar RunOnScalars(const FunctionCall& call, const char* name,
                    const Tuple& inputs, const DLDataType& result,
                    const AssayAttribute* attributes, int32_t num_attributes) {
  const auto tensor_of = [](const Scalar& scalar) {
    AssayTensor tensor = {};
    tensor.tensor.data = const_cast<unsigned char*>(scalar.bytes);
    tensor.tensor.device = {kDLCPU, 0};
    tensor.tensor.dtype = scalar.type;
    return tensor;
  };
  Scalar output = {result};
  std::vector<AssayTensor> tensors;
  std::ranges::transform(inputs, std::back_inserter(tensors), tensor_of);
  const AssayTensor to = tensor_of(output);
  const AssayCall op = calls::MakeCall(
      name, tensors, to, {attributes, static_cast<size_t>(num_attributes)});
  if (!call.IsDone()) call.Fail(RunOp(op, call.is_declined));
  return output;
}

Scalar ConvertedTo(const FunctionCall& call, const DLDataType& type,
                   const Scalar& scalar) {
  if (HasType(scalar, type)) return scalar;
  return RunOnScalars(call, "convert", {scalar}, type);
}

Tuple Apply(const FunctionCall& call, const AssayFunction& function,
            const Tuple& arguments) {
  std::vector<DLDataType> types;
  if (!ReadTypes(function.argument_types, function.num_arguments, &types))
    call.Fail(kNoScalars);
  if (!std::ranges::equal(arguments, types, HasType)) call.Fail(kBadFunction);
  Tuple values = arguments;
  for (int32_t i = 0; i < function.num_ops && !call.IsDone(); ++i) {
    for (const Scalar& result : ApplyOp(call, function.ops[i], values))
      values.push_back(result);
  }
  if (call.IsDone()) return {};
  return Chosen(call, values, function.results, function.num_results);
}

// The last branch of `case` is also that of every other index. `if` runs the
// first one if the predicate is true.
int32_t Choose(const AssayFunctionOp& op, const Scalar& selector) {
  if (strcmp(op.op, "if") == 0) return selector.bytes[0] != 0 ? 0 : 1;
  int32_t index = 0;
  memcpy(&index, selector.bytes, sizeof(index));
  const int32_t last = op.num_functions - 1;
  return index < 0 || index > last ? last : index;
}

}  // namespace assay::broken
