// Tests make calls on operands of any layout, and pointwise calls, as
// broken_test_support.h does for vectors.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_LAYOUT_CALL_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_LAYOUT_CALL_TEST_SUPPORT_H_

#include <algorithm>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "backends/broken/kernel/broken_test_support.h"

namespace assay::broken {

// A Placed is an operand. Its values are in row-major order, two for a complex
// number; its lowest element is the first of its page, or its highest the last.
struct Placed {
  DLDataType type = {};
  std::vector<int64_t> shape = {};
  std::vector<int64_t> strides = {};
  Values values = {};
  bool is_scalar = false;
  // An output may be in the page of this input. `shift` is the number of
  // elements by which its first element lies behind that of the input.
  int place_of = -1;
  int64_t shift = 0;
};

struct LayoutCall {
  std::string op;
  std::vector<Placed> inputs = {};
  std::vector<Placed> outputs = {};
  std::map<std::string, std::string> attributes = {};
  // This tensor is the attribute of the name `value_name`.
  std::optional<Placed> value = {};
  // An op that is given a function has these; its inputs are in groups.
  const AssayFunction* function = nullptr;
  std::vector<int32_t> groups = {};
  std::string value_name = "value";
  const AssayFunction* second_function = nullptr;
};

inline int64_t CountOf(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<>());
}

inline std::vector<int64_t> RowMajor(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

inline Placed InPlaceOf(const Placed& input, int k) {
  Placed output = input;
  output.values = {};
  output.place_of = k;
  return output;
}

// Returns how many elements an element lies behind that of index [0, .., 0].
inline int64_t PositionOf(const Placed& operand, int64_t element) {
  int64_t position = 0;
  for (size_t d = operand.shape.size(); d-- > 0; element /= operand.shape[d]) {
    if (operand.shape[d] > 1)
      position += element % operand.shape[d] * operand.strides[d];
  }
  return position;
}

// A PlacedTensor is an operand in its page.
class PlacedTensor {
 public:
  PlacedTensor(const Placed& operand, Page* page, unsigned char* element0)
      : operand_(operand), page_(page), element0_(element0) {}

  // Makes pages for the operand at the end of the list.
  static PlacedTensor OnNewPages(const Placed& operand, Side side,
                                 std::list<Page>* pages) {
    int64_t lowest = 0, highest = 0;
    for (int64_t i = 0; i < CountOf(operand.shape); ++i) {
      lowest = std::min(lowest, PositionOf(operand, i));
      highest = std::max(highest, PositionOf(operand, i));
    }
    const auto size = static_cast<int64_t>(SizeOf(operand.type));
    Page& page = pages->emplace_back(
        static_cast<size_t>((highest - lowest + 1) * size) / Page::kBytes + 1);
    return {operand, &page,
            side == Side::kTightInFront ? page.begin() - lowest * size
                                        : page.end() - (highest + 1) * size};
  }

  unsigned char* At(int64_t element, size_t part) const {
    return element0_ +
           PositionOf(operand_, element) *
               static_cast<int64_t>(SizeOf(operand_.type)) +
           part * BytesOf(operand_.type);
  }
  void Write() const {
    const size_t parts = PartsOf(operand_.type);
    for (size_t i = 0; i < operand_.values.size(); ++i) {
      WriteValue(operand_.type, operand_.values[i],
                 At(static_cast<int64_t>(i / parts), i % parts));
    }
  }
  void Read(Values* values) const {
    for (int64_t i = 0; i < CountOf(operand_.shape); ++i) {
      for (size_t part = 0; part < PartsOf(operand_.type); ++part)
        values->push_back(ReadValue(operand_.type, At(i, part)));
    }
  }
  AssayTensor ToAbi() {
    AssayTensor tensor = {};
    tensor.tensor.data = page_->begin() - Page::kBytes;
    tensor.tensor.byte_offset = static_cast<uint64_t>(
        element0_ - static_cast<unsigned char*>(tensor.tensor.data));
    tensor.tensor.ndim = static_cast<int>(operand_.shape.size());
    tensor.tensor.dtype = operand_.type;
    tensor.tensor.shape = operand_.shape.data();
    tensor.tensor.strides = operand_.strides.data();
    tensor.flags = operand_.is_scalar ? ASSAY_SCALAR : 0;
    return tensor;
  }
  unsigned char* element0() const { return element0_; }
  Page* page() const { return page_; }

 private:
  Placed operand_;
  Page* page_;
  unsigned char* element0_;
};

// Runs the call with the active hooks. If the answer is not ASSAY_OK, the
// result has only status and message.
inline Left RunCall(const LayoutCall& call, Side side) {
  std::list<Page> pages;
  std::list<PlacedTensor> tensors;
  std::vector<AssayTensor> abi;
  const auto write = [&](const Placed& operand) {
    tensors.push_back(PlacedTensor::OnNewPages(operand, side, &pages));
    tensors.back().Write();
    return tensors.back().ToAbi();
  };
  for (const Placed& input : call.inputs) abi.push_back(write(input));
  AssayTensor value = {};
  if (call.value) value = write(*call.value);
  std::vector<PlacedTensor*> outputs;
  for (const Placed& output : call.outputs) {
    if (output.place_of < 0) {
      tensors.push_back(PlacedTensor::OnNewPages(output, side, &pages));
    } else {
      const PlacedTensor& input = *std::next(tensors.begin(), output.place_of);
      tensors.emplace_back(
          output, input.page(),
          input.element0() +
              output.shift * static_cast<int64_t>(SizeOf(output.type)));
    }
    outputs.push_back(&tensors.back());
    abi.push_back(tensors.back().ToAbi());
  }
  std::vector<AssayAttribute> attributes;
  for (const auto& [name, text] : call.attributes)
    attributes.push_back({name.c_str(), text.c_str(), nullptr, {}});
  if (call.value)
    attributes.push_back({call.value_name.c_str(), "", &value, {}});
  AssayCall c =
      CallOf(call.op.c_str(), abi.data(), static_cast<int>(call.inputs.size()));
  c.num_outputs = static_cast<int32_t>(call.outputs.size());
  c.num_attributes = static_cast<int32_t>(attributes.size());
  c.attributes = attributes.data();
  std::vector<AssayFunction> functions;
  if (call.function != nullptr) {
    functions.push_back(*call.function);
    if (call.second_function != nullptr)
      functions.push_back(*call.second_function);
    c.num_regions = static_cast<int32_t>(functions.size());
    c.functions = functions.data();
    c.num_input_groups = static_cast<int32_t>(call.groups.size());
    c.input_group_sizes = call.groups.data();
    c.num_captures = std::accumulate(call.groups.begin(), call.groups.end(),
                                     c.num_inputs, std::minus<>());
  }
  char message[256] = "";
  Left left = {};
  left.status = assay_backend()->run(&c, message, sizeof(message));
  left.message = message;
  left.rounding = std::fegetround();
  left.flags = std::fetestexcept(FE_ALL_EXCEPT);
  left.control = ControlRegister();
  if (left.status != ASSAY_OK) return left;
  for (Page& page : pages) left.pages.push_back(page.Content());
  for (const PlacedTensor* output : outputs) output->Read(&left.result);
  return left;
}

inline Left RunSound(const LayoutCall& call) {
  ActiveHooks() = SoundHooks();
  return RunCall(call, Side::kTightBehind);
}

inline Values SoundResult(const LayoutCall& call) {
  const Left left = RunSound(call);
  EXPECT_EQ(left.status, ASSAY_OK) << left.message;
  return left.result;
}

// Returns a dense tensor.
inline Placed Dense(const DLDataType& type, const std::vector<int64_t>& shape,
                    Values values = {}) {
  return {type, shape, RowMajor(shape), std::move(values)};
}

inline Placed PlacedScalar(const DLDataType& type, int64_t value) {
  return {type, {}, {}, {value}, true};
}

// Returns a tensor with the i8 elements 1, 2, ..
inline Placed CountingIn(const std::vector<int64_t>& shape,
                         std::vector<int64_t> strides) {
  return {kI8, shape, std::move(strides),
          Iota(static_cast<int>(CountOf(shape)))};
}

inline Placed CountingIn(const std::vector<int64_t>& shape) {
  return CountingIn(shape, RowMajor(shape));
}

// Returns a call of a scalar function on any operands.
inline LayoutCall Pointwise(const std::string& name, std::vector<Placed> inputs,
                            std::vector<Placed> outputs,
                            const std::string& rules) {
  return {"pointwise." + name,
          std::move(inputs),
          std::move(outputs),
          {{"promotion_methods", rules}}};
}

inline LayoutCall AddOfAny(std::vector<Placed> inputs, Placed output,
                           const std::string& method = "DEFAULT") {
  return Pointwise("add", std::move(inputs), {std::move(output)},
                   "[[0, 1, \"" + method + "\"]]");
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_LAYOUT_CALL_TEST_SUPPORT_H_
