// Types of operands and results, drawn by the columns of an op's tables.
//
// No table says which types go together: a call has a theme, the element type
// of most of its tensors, and other types are often made of those that the call
// has already. Constraints say whether they fit.
#ifndef ASSAY_FUZZ_DRAW_OPEN_TYPES_H_
#define ASSAY_FUZZ_DRAW_OPEN_TYPES_H_

#include <memory>

#include "cases/search/choices.h"
#include "spec/op_spec.h"

namespace assay {

// The element type of a tensor.
struct DrawnElement {
  ElementType type = ElementType::kF32;  // of storage, where it is quantized
  std::shared_ptr<const Quantization> quantization = nullptr;

  ValueType Tensor() const;
  static DrawnElement Of(const TensorType& type) {
    return {type.element_type, type.quantization};
  }
};

// Returns whether some tensors of the op may be quantized.
bool MayBeQuantized(const OpSpec& spec);

// Returns any element type, which is quantized if it must be.
DrawnElement DrawTheme(bool is_quantized, Choices* choices);

class OpenTypes {
 public:
  OpenTypes(const OpSpec& spec, const DrawnElement& theme, Choices* choices)
      : spec_(spec), theme_(theme), choices_(*choices) {}

  // Returns a type without a shape for an input or output of the op; tensors of
  // `call` have types that it may be made of.
  ValueType Draw(const InputSpec& input, const Op& call);
  ValueType Draw(const OutputSpec& output, const Op& call);

 private:
  ValueType DrawOf(InputSpec::Kind kind, const std::vector<std::string>& types,
                   const Op& call);
  ValueType DrawTensor(const std::vector<std::string>& types, const Op& call);
  DrawnElement OfCall(const Op& call);
  DrawnElement MadeOf(const DrawnElement& element);
  uint32_t Below(uint32_t n) { return choices_.Below(Topic::kTypes, n); }

  const OpSpec& spec_;
  const DrawnElement& theme_;
  Choices& choices_;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_OPEN_TYPES_H_
