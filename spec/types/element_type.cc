// This is the table of element types. The DLPack codes are those of DLPack 1.1,
// whose header is newer than the packaged one.
#include "spec/types/element_type.h"

#include "spec/error.h"

namespace assay {
namespace {

using enum ElementType;
using enum ElementKind;

}  // namespace

// The codes of DLPack 1.1 are kDLInt 0, kDLUInt 1, kDLFloat 2, kDLBfloat 4,
// kDLComplex 5, kDLBool 6, and from 7 on a code for each small float.
constinit const std::array<ElementTypeInfo, 30> kElementTypes = {{
    {kI1, "i1", kBoolean, 1, 1, 6, 8},
    {kI2, "i2", kSignedInteger, 2, 1, 0, 2},
    {kI4, "i4", kSignedInteger, 4, 1, 0, 4},
    {kI8, "i8", kSignedInteger, 8, 1, 0, 8},
    {kI16, "i16", kSignedInteger, 16, 2, 0, 16},
    {kI32, "i32", kSignedInteger, 32, 4, 0, 32},
    {kI64, "i64", kSignedInteger, 64, 8, 0, 64},
    {kUi2, "ui2", kUnsignedInteger, 2, 1, 1, 2},
    {kUi4, "ui4", kUnsignedInteger, 4, 1, 1, 4},
    {kUi8, "ui8", kUnsignedInteger, 8, 1, 1, 8},
    {kUi16, "ui16", kUnsignedInteger, 16, 2, 1, 16},
    {kUi32, "ui32", kUnsignedInteger, 32, 4, 1, 32},
    {kUi64, "ui64", kUnsignedInteger, 64, 8, 1, 64},
    {kF4E2M1FN, "f4E2M1FN", kFloat, 4, 1, 17, 4},
    {kF6E2M3FN, "f6E2M3FN", kFloat, 6, 1, 15, 6},
    {kF6E3M2FN, "f6E3M2FN", kFloat, 6, 1, 16, 6},
    {kF8E3M4, "f8E3M4", kFloat, 8, 1, 7, 8},
    {kF8E4M3, "f8E4M3", kFloat, 8, 1, 8, 8},
    {kF8E4M3FN, "f8E4M3FN", kFloat, 8, 1, 10, 8},
    {kF8E4M3FNUZ, "f8E4M3FNUZ", kFloat, 8, 1, 11, 8},
    {kF8E4M3B11FNUZ, "f8E4M3B11FNUZ", kFloat, 8, 1, 9, 8},
    {kF8E5M2, "f8E5M2", kFloat, 8, 1, 12, 8},
    {kF8E5M2FNUZ, "f8E5M2FNUZ", kFloat, 8, 1, 13, 8},
    {kF8E8M0FNU, "f8E8M0FNU", kFloat, 8, 1, 14, 8},
    {kBF16, "bf16", kFloat, 16, 2, 4, 16},
    {kF16, "f16", kFloat, 16, 2, 2, 16},
    {kF32, "f32", kFloat, 32, 4, 2, 32},
    {kF64, "f64", kFloat, 64, 8, 2, 64},
    {kComplexF32, "complex<f32>", kComplex, 64, 8, 5, 64},
    {kComplexF64, "complex<f64>", kComplex, 128, 16, 5, 128},
}};

std::optional<ElementType> ParseElementType(std::string_view name) {
  const bool explicit_sign = name.starts_with("si");
  if (explicit_sign) name.remove_prefix(1);
  for (const ElementTypeInfo& info : kElementTypes) {
    if (name != info.name) continue;
    if (explicit_sign && info.kind != kSignedInteger) return std::nullopt;
    return info.type;
  }
  return std::nullopt;
}

}  // namespace assay
