// The element types of tensors are the 30 types of StableHLO ("Types",
// TensorElementType), by their StableHLO names.
//
// One table answers every question about a type: its width, its kind, how many
// bytes an element takes in a buffer, its DLPack 1.1 code. The case files, the
// plugin ABI and the formulas all use it.
#ifndef ASSAY_SPEC_TYPES_ELEMENT_TYPE_H_
#define ASSAY_SPEC_TYPES_ELEMENT_TYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace assay {

enum class ElementType : uint8_t {
  kI1,
  kI2,
  kI4,
  kI8,
  kI16,
  kI32,
  kI64,
  kUi2,
  kUi4,
  kUi8,
  kUi16,
  kUi32,
  kUi64,
  kF4E2M1FN,
  kF6E2M3FN,
  kF6E3M2FN,
  kF8E3M4,
  kF8E4M3,
  kF8E4M3FN,
  kF8E4M3FNUZ,
  kF8E4M3B11FNUZ,
  kF8E5M2,
  kF8E5M2FNUZ,
  kF8E8M0FNU,
  kBF16,
  kF16,
  kF32,
  kF64,
  kComplexF32,
  kComplexF64,
};

enum class ElementKind : uint8_t {
  kBoolean,
  kSignedInteger,
  kUnsignedInteger,
  kFloat,
  kComplex
};

struct ElementTypeInfo {
  ElementType type;
  const char* name;  // As StableHLO writes it: "i1", "ui8", "complex<f32>".
  ElementKind kind;
  int bits;   // Bits of a value. complex<f32>: 64.
  int bytes;  // Bytes that one element takes in a buffer; sub-byte types take
              // one.
  uint8_t dlpack_code;  // DLPack 1.1 DLDataTypeCode.
  uint8_t dlpack_bits;  // DLDataType.bits: `bits`, but 8 for i1, which DLPack
                        // stores as a byte.
};

// These are all types, in the order of the enum.
extern const std::array<ElementTypeInfo, 30> kElementTypes;
inline std::span<const ElementTypeInfo> ElementTypes() { return kElementTypes; }

inline const ElementTypeInfo& Info(ElementType type) {
  return kElementTypes[static_cast<size_t>(type)];
}

// Returns the type of that name. Formulas and case files may also write siN for
// iN, as the grammar of the specification does.
std::optional<ElementType> ParseElementType(std::string_view name);

inline const char* Name(ElementType type) { return Info(type).name; }
inline bool IsBoolean(ElementType type) {
  return Info(type).kind == ElementKind::kBoolean;
}
inline bool IsSignedInteger(ElementType type) {
  return Info(type).kind == ElementKind::kSignedInteger;
}
inline bool IsUnsignedInteger(ElementType type) {
  return Info(type).kind == ElementKind::kUnsignedInteger;
}
inline bool IsInteger(ElementType type) {
  return IsSignedInteger(type) || IsUnsignedInteger(type);
}
inline bool IsFloat(ElementType type) {
  return Info(type).kind == ElementKind::kFloat;
}
inline bool IsComplex(ElementType type) {
  return Info(type).kind == ElementKind::kComplex;
}

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_ELEMENT_TYPE_H_
