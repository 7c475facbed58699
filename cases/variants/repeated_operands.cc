// A kernel that uses one element of an operand for all is right if all have one
// value, so a layout of stride 0 shows something only if they differ.
#include "cases/variants/repeated_operands.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "spec/op_spec.h"

namespace assay {
namespace {

// So many elements of the wide dimension stay: a case that is widened has four
// times as many, and the repetition does not depend on values.
constexpr int64_t kMostWidened = 4096;

bool IsWide(int64_t size) { return size > 1; }

bool HasElements(const Shape& shape) { return *ElementCount(shape) > 0; }

// Returns whether all ops are functions of elements, on tensors of one shape
// that has one wide dimension, and numbers of rank 0.
bool IsWidened(const Case& c) {
  const Shape& shape = c.program.main().body[0].outputs[0].type.tensor().shape;
  if (WideDimensions(shape) != 1 || shape.size() + 2 > kMaxRank) return false;
  return std::ranges::all_of(c.program.main().body, [&](const Op& op) {
    return FindOp(op.op)->elementwise &&
           std::ranges::all_of(op.outputs,
                               [&](const Op::Result& result) {
                                 return result.type.tensor().shape == shape;
                               }) &&
           std::ranges::all_of(op.inputs, [&](const Op::Operand& operand) {
             return operand.type.tensor().shape == shape ||
                    operand.type.tensor().shape.empty();
           });
  });
}

// Returns the position of the first element that differs from the first one, or
// nullopt for a tensor of one value.
std::optional<int64_t> FirstOther(const Tensor& tensor) {
  for (int64_t i = 1; i < tensor.size(); ++i) {
    if (tensor.Bits(i) != tensor.Bits(0)) return i;
  }
  return {};
}

// Returns the tensor with its slice at one index of a dimension repeated along
// all of it.
Tensor RepeatedAlong(const Tensor& tensor, size_t dimension, int64_t index) {
  const Shape& shape = tensor.type().shape;
  const Strides strides = RowMajorStrides(shape);
  Tensor repeated(tensor.type());
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const int64_t own = i / strides[dimension] % shape[dimension];
    repeated.SetBits(i, tensor.Bits(i + (index - own) * strides[dimension]));
  }
  return repeated;
}

void Place(Tensor values, size_t dimension, CaseInput* input) {
  Shape stored = values.type().shape;
  stored[dimension] = 1;
  input->layout = Layout::RowMajor(stored);
  input->layout.strides[dimension] = 0;
  input->data.type = values.type();
  input->data.source = std::move(values);
  input->data.window.reset();
}

// Changes an operand along one dimension only. If the preferred one leaves a
// single value, another one is taken at an index that leaves two: the first
// element with another value differs from the first along some dimension, and
// stays beside it if any other dimension is repeated.
void Repeat(CaseInput* input, bool is_last) {
  const Shape shape = input->data.type.shape;
  if (WideDimensions(shape) < 2 || !HasElements(shape)) return;
  std::vector<size_t> wide;  // the preferred one first
  for (size_t d = 0; d < shape.size(); ++d) {
    if (IsWide(shape[d])) wide.push_back(d);
  }
  if (is_last) std::ranges::reverse(wide);
  const Tensor tensor = input->data.Materialise();
  size_t along = wide[0];
  Tensor repeated = RepeatedAlong(tensor, along, 0);
  const std::optional<int64_t> other = FirstOther(tensor);
  if (other && !FirstOther(repeated)) {
    const Index index = Unflatten(shape, *other);
    const auto differs =
        *std::ranges::find_if(wide, [&](size_t d) { return index[d] > 0; });
    along = differs == wide[0] ? wide[1] : wide[0];
    repeated = RepeatedAlong(tensor, along, index[along]);
  }
  Place(std::move(repeated), along, input);
}

// Widens an operand of one wide dimension of n elements for a result that has
// two more dimensions: to [2, n, 2] with element (i, j, k) at j + k, or at j +
// i for the last operand; to [n, 2] with element (j, k) at j if it is the only
// one. So every tuple of the case stays, and tuples with the next element of
// one operand are added.
void Widen(const Shape& shape, bool is_single, bool is_last, CaseInput* input) {
  const Tensor tensor = input->data.Materialise();
  const int64_t count = std::min(tensor.size(), kMostWidened);
  Tensor values({shape, tensor.element_type()});
  const int64_t inner = shape.back();
  for (int64_t i = 0; i < values.size(); ++i) {
    const int64_t j = i / inner % count;
    const int64_t outermost = i / inner / count, innermost = i % inner;
    const int64_t behind = is_single ? 0 : is_last ? outermost : innermost;
    values.SetBits(i, tensor.Bits((j + behind) % count));
  }
  Place(std::move(values), is_single || is_last ? shape.size() - 1 : 0, input);
}

void WidenOperands(Case* c) {
  Function& main = c->program.functions[0];
  const Shape old = main.body[0].outputs[0].type.tensor().shape;
  const auto varies = [](const CaseInput& input) {
    return WideDimensions(input.data.type.shape) > 0;
  };
  const bool is_single = std::ranges::count_if(c->inputs, varies) == 1;
  Shape shape = old;
  for (int64_t& size : shape) size = std::min(size, kMostWidened);
  if (!is_single) shape.insert(shape.begin(), 2);
  shape.push_back(2);
  const auto change = [&](ValueType* type) {
    Shape& changed = type->tensor().shape;
    if (changed == old) changed = shape;
  };
  for (size_t k = 0; k < c->inputs.size(); ++k) {
    if (varies(c->inputs[k]))
      Widen(shape, is_single, k + 1 == c->inputs.size(), &c->inputs[k]);
    change(&main.inputs[k].type);
  }
  for (Op& op : main.body) {
    for (Op::Operand& operand : op.inputs) change(&operand.type);
    for (Op::Result& output : op.outputs) change(&output.type);
  }
}

// Returns whether an operand of that shape is repeated to the result's shape.
bool Broadcasts(const Shape& operand, const Shape& result) {
  if (operand.size() > result.size()) return false;
  const size_t behind = result.size() - operand.size();
  for (size_t d = 0; d < operand.size(); ++d) {
    if (operand[d] != 1 && operand[d] != result[behind + d]) return false;
  }
  return true;
}

// Returns the operand's strides over the result's shape.
Strides Over(const Shape& operand, const Shape& result) {
  const Strides own = RowMajorStrides(operand);
  Strides strides(result.size());
  const size_t behind = result.size() - operand.size();
  for (size_t d = 0; d < operand.size(); ++d) {
    if (operand[d] != 1) strides[behind + d] = own[d];
  }
  return strides;
}

struct TupleHash {
  size_t operator()(const std::vector<ElementBits>& tuple) const {
    uint64_t hash = 0;
    for (const ElementBits bits : tuple) {
      for (const uint64_t half :
           {static_cast<uint64_t>(bits), static_cast<uint64_t>(bits >> 64)})
        hash = (hash ^ half) * 0x9e3779b97f4a7c15 + (hash >> 29);
    }
    return hash;
  }
};

}  // namespace

int64_t WideDimensions(const Shape& shape) {
  return std::ranges::count_if(shape, IsWide);
}

bool CanRepeat(const Case& c) {
  return IsWidened(c) ||
         std::ranges::any_of(c.inputs, [](const CaseInput& input) {
           const Shape& shape = input.data.type.shape;
           return WideDimensions(shape) > 1 && HasElements(shape);
         });
}

void RepeatOperands(Case* c) {
  if (IsWidened(*c)) {
    WidenOperands(c);
    return;
  }
  for (size_t k = 0; k < c->inputs.size(); ++k)
    Repeat(&c->inputs[k], k + 1 == c->inputs.size());
}

int64_t DistinctTuples(const std::vector<Tensor>& operands, const Shape& result,
                       int64_t most) {
  const bool is_one_call =
      std::ranges::all_of(operands, [&](const Tensor& operand) {
        return Broadcasts(operand.type().shape, result);
      });
  if (!is_one_call) {
    int64_t greatest = 0;
    for (const Tensor& operand : operands)
      greatest = std::max(
          greatest, DistinctTuples({operand}, operand.type().shape, most));
    return greatest;
  }
  std::vector<Layout> layouts;
  for (const Tensor& operand : operands)
    layouts.push_back({Over(operand.type().shape, result), 0});
  std::unordered_set<std::vector<ElementBits>, TupleHash> tuples;
  std::vector<ElementBits> tuple(operands.size());
  Index index;
  for (IndexSpace space(result); space.Next(&index);) {
    for (size_t k = 0; k < operands.size(); ++k)
      tuple[k] = operands[k].Bits(layouts[k].At(index));
    tuples.insert(tuple);
    if (static_cast<int64_t>(tuples.size()) >= most) break;
  }
  return static_cast<int64_t>(tuples.size());
}

}  // namespace assay
