#include "backends/calls/columns.h"

#include <string.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

constexpr char kBoolean[] = "tensor<i1>";
constexpr char kNumber[] = "tensor<i32>";
constexpr char kNoMemory[] = "a function without memory for its values";
constexpr char kNoScalars[] = "a function of more than scalars";
constexpr char kOddOp[] = "a function with such an op in it";
constexpr char kBadFunction[] = "a function that is not well-formed";

// Blocks begin where every type is aligned, and so do the tensors in them.
constexpr size_t kAlignment = 256;
constexpr size_t kBlockBytes = size_t{1} << 16;

// On scalars, these ops return their first operand, or all of them.
constexpr std::string_view kIdentities[] = {"broadcast_in_dim",
                                            "optimization_barrier",
                                            "pad",
                                            "reshape",
                                            "reverse",
                                            "slice",
                                            "transpose"};

constexpr std::string_view kWithFunctions[] = {"case", "if", "map"};

AssayAttribute Text(const char* name, const char* text) {
  AssayAttribute attribute = {};
  attribute.name = name;
  attribute.text = text;
  return attribute;
}

template <size_t kCount>
bool IsOneOf(const char* op, const std::string_view (&ops)[kCount]) {
  return std::ranges::find(ops, std::string_view(op)) != std::end(ops);
}

bool AreIn(const int32_t* numbers, int32_t count, size_t size) {
  return std::all_of(numbers, numbers + count, [size](int32_t number) {
    return number >= 0 && static_cast<size_t>(number) < size;
  });
}

}  // namespace

unsigned char* Columns::Take(size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  for (; block_ < blocks_.size(); ++block_, used_ = 0) {
    const Block& block = blocks_[block_];
    if (bytes > block.bytes - used_) continue;
    used_ += bytes;
    return block.data + used_ - bytes;
  }
  const size_t size = std::max(bytes, kBlockBytes);
  auto* const data = static_cast<unsigned char*>(machine_.Memory(size));
  if (data == nullptr) {
    Fail(kNoMemory);
    return nullptr;
  }
  blocks_.push_back({data, size});
  used_ = bytes;
  return data;
}

Column Columns::Of(const AssayTensor& tensor) {
  constexpr std::string_view kBegin = "tensor<";
  std::string_view element = tensor.type;
  if (element.starts_with(kBegin)) element.remove_prefix(kBegin.size());
  for (int d = 0; d < tensor.tensor.ndim; ++d)
    element.remove_prefix(std::min(element.find('x') + 1, element.size()));
  const size_t length = kBegin.size() + element.size();
  types_.push_back(std::make_unique<char[]>(length + 1));
  char* const type = types_.back().get();
  kBegin.copy(type, kBegin.size());
  element.copy(type + kBegin.size(), element.size());
  if (BytesOfScalar(type) == 0) Fail("element type");
  return {type, DimsView::Of(tensor.tensor)};
}

Column Columns::New(const char* type, const Shape& shape) {
  const size_t bytes =
      static_cast<size_t>(CountOf(shape)) * BytesOfScalar(type);
  return {type, {shape, RowMajor(shape), Take(bytes)}};
}

Column Columns::Broadcast(const Column& scalar, const Shape& shape) {
  return {scalar.type, {shape, Shape(shape.size(), 0), scalar.view.first}};
}

AssayTensor Columns::TensorOf(const Column& column) const {
  AssayTensor tensor = {};
  tensor.tensor.device = device_;
  ParseScalarType(column.type, &tensor.tensor.dtype);
  tensor.tensor = column.view.Tensor(tensor.tensor);
  tensor.type = column.type;
  return tensor;
}

void Columns::Run(const char* op, const std::vector<Column>& inputs,
                  const Column& output,
                  const std::vector<AssayAttribute>& attributes) {
  if (failure_ != nullptr) return;
  std::vector<AssayTensor> operands;
  for (const Column& input : inputs) operands.push_back(TensorOf(input));
  const AssayTensor result = TensorOf(output);
  Fail(machine_.Run(MakeCall(op, operands, result, attributes)));
}

// A reshape to the same shape is a copy.
void Columns::Convert(const Column& from, const Column& to) {
  const bool is_copy = strcmp(from.type, to.type) == 0;
  Run(is_copy ? "reshape" : "convert", {from}, to);
}

Column Columns::Truth(const char* op, const std::vector<Column>& inputs,
                      const Shape& shape) {
  Column result = New(kBoolean, shape);
  Run(op, inputs, result);
  return result;
}

Column Columns::Compare(const char* direction, const Column& lhs,
                        const Column& rhs) {
  Column result = New(kBoolean, lhs.view.shape);
  Run("compare", {lhs, rhs}, result,
      {Text("comparison_direction", direction),
       Text("compare_type", "SIGNED")});
  return result;
}

Column Columns::Select(const Column& predicate, const Column& on_true,
                       const Column& on_false) {
  Column result = New(on_true.type, on_true.view.shape);
  Run("select", {predicate, on_true, on_false}, result);
  return result;
}

Column Columns::Take(const Column& column, const std::vector<int64_t>& places) {
  Column taken = New(column.type, {static_cast<int64_t>(places.size())});
  if (failure_ == nullptr)
    Fail(machine_.Move(column.view.first, places, taken.view.first, {},
                       BytesOfScalar(column.type)));
  return taken;
}

void Columns::Put(const Column& elements, const std::vector<int64_t>& places,
                  Column* column) {
  // A result of the function may be the same for all applications.
  Column packed = elements;
  if (strcmp(elements.type, column->type) != 0 || !elements.view.IsRowMajor()) {
    packed = New(column->type, elements.view.shape);
    Convert(elements, packed);
  }
  if (failure_ == nullptr)
    Fail(machine_.Move(packed.view.first, {}, column->view.first, places,
                       BytesOfScalar(column->type)));
}

Column Columns::Constant(const AssayFunctionOp& op, const Shape& shape) {
  Column scalar = New(op.output_types[0], {});
  Run("constant", {}, scalar, {op.attributes, op.attributes + 1});
  return Broadcast(scalar, shape);
}

Column Columns::Number(int32_t number, const Shape& shape) {
  AssayTensor value = {};
  value.tensor.data = &number;
  value.tensor.device = {kDLCPU, 0};
  value.tensor.dtype = {kDLInt, 32, 1};
  value.type = kNumber;
  AssayAttribute attribute = Text("value", "");
  attribute.value = &value;
  Column scalar = New(kNumber, {});
  Run("constant", {}, scalar, {attribute});
  return Broadcast(scalar, shape);
}

// Functions of ops in a function are applied to all elements, and the results
// that count are selected.
std::vector<Column> Columns::RunFunctions(const AssayFunctionOp& op,
                                          const std::vector<Column>& inputs,
                                          const Shape& shape) {
  const std::string_view name = op.op;
  if (name == "map") return Apply(op.functions[0], inputs, shape);
  const bool is_if = name == "if";
  if (is_if && op.num_functions != 2) {
    Fail(kBadFunction);
    return {};
  }
  const std::vector<Column> captures(inputs.begin() + 1, inputs.end());
  const int32_t count = op.num_functions;
  std::vector<Column> results = Apply(op.functions[count - 1], captures, shape);
  for (int32_t k = count - 1; k-- > 0 && failure_ == nullptr;) {
    const Column is_chosen =
        is_if ? inputs[0] : Compare("EQ", inputs[0], Number(k, shape));
    const std::vector<Column> others = Apply(op.functions[k], captures, shape);
    if (others.size() != results.size()) Fail(kBadFunction);
    for (size_t r = 0; r < results.size() && failure_ == nullptr; ++r)
      results[r] = Select(is_chosen, others[r], results[r]);
  }
  return results;
}

bool Columns::IsOfScalars(const AssayFunctionOp& op) {
  return std::all_of(op.output_types, op.output_types + op.num_outputs,
                     [](const char* type) { return BytesOfScalar(type) != 0; });
}

std::vector<Column> Columns::RunOp(const AssayFunctionOp& op,
                                   const std::vector<Column>& values,
                                   const Shape& shape, const Column* into) {
  if (!IsOfScalars(op)) {
    Fail(kNoScalars);
    return {};
  }
  const auto count = static_cast<size_t>(op.num_outputs);
  std::vector<Column> inputs;
  for (int32_t k = 0; k < op.num_inputs; ++k)
    inputs.push_back(values[static_cast<size_t>(op.inputs[k])]);
  if (strcmp(op.op, "constant") == 0 && op.num_attributes == 1 &&
      op.num_outputs == 1)
    return {Constant(op, shape)};
  if (op.num_functions > 0) {
    if (!IsOneOf(op.op, kWithFunctions) || inputs.empty()) {
      Fail(kOddOp);
      return {};
    }
    std::vector<Column> results = RunFunctions(op, inputs, shape);
    if (results.size() != count) Fail(kBadFunction);
    return results;
  }
  if (IsOneOf(op.op, kIdentities) && inputs.size() >= count) {
    inputs.resize(count);
    return inputs;
  }
  if (count != 1) {
    Fail(kOddOp);
    return {};
  }
  const Column result =
      into != nullptr ? *into : New(op.output_types[0], shape);
  Run(op.op, inputs, result,
      {op.attributes, op.attributes + op.num_attributes});
  return {result};
}

std::vector<Column> Columns::Apply(const AssayFunction& function,
                                   const std::vector<Column>& arguments,
                                   const Shape& shape, const Column* into) {
  std::vector<Column> values = arguments;
  if (static_cast<size_t>(function.num_arguments) != arguments.size())
    Fail(kBadFunction);
  for (int32_t k = 0; k < function.num_arguments; ++k) {
    if (BytesOfScalar(function.argument_types[k]) == 0) Fail(kNoScalars);
  }
  const bool is_one = function.num_results == 1;
  for (int32_t i = 0; i < function.num_ops && failure_ == nullptr; ++i) {
    const AssayFunctionOp& op = function.ops[i];
    if (!AreIn(op.inputs, op.num_inputs, values.size())) {
      Fail(kBadFunction);
      break;
    }
    const bool is_last =
        is_one && i == function.num_ops - 1 && op.num_outputs == 1 &&
        static_cast<size_t>(function.results[0]) == values.size();
    for (Column& result : RunOp(op, values, shape, is_last ? into : nullptr))
      values.push_back(std::move(result));
  }
  if (failure_ == nullptr &&
      !AreIn(function.results, function.num_results, values.size()))
    Fail(kBadFunction);
  std::vector<Column> results;
  for (int32_t r = 0; r < function.num_results && failure_ == nullptr; ++r)
    results.push_back(values[static_cast<size_t>(function.results[r])]);
  return results;
}

}  // namespace assay::calls
