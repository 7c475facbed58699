// This file converts DLPack's type codes to the kernel's types.
#include "backends/broken/kernel/types.h"

#include "backends/broken/kernel/numbers.h"

namespace assay::broken {

bool ParseType(const AssayTensor& tensor, Type* type) {
  const DLDataType& dtype = tensor.tensor.dtype;
  const int bytes = (dtype.bits + 7) / 8;
  if (dtype.lanes != 1) return false;
  if (dtype.code == ASSAY_DL_BOOL) {
    *type = BooleanType();
    return dtype.bits == 8;
  }
  if (dtype.code != kDLInt && dtype.code != kDLUInt) {
    const bool is_complex = dtype.code == kDLComplex;
    const Format* format = is_complex ? FindFormat(kDLFloat, dtype.bits / 2)
                                      : FindFormat(dtype.code, dtype.bits);
    if (format == nullptr || (is_complex && format->bits < 32)) return false;
    *type = {false, false, format->bits, bytes, format, is_complex};
    return true;
  }
  *type = {false, dtype.code == kDLInt, dtype.bits, bytes};
  for (const int bits : {2, 4, 8, 16, 32, 64}) {
    if (dtype.bits == bits) return true;
  }
  return false;
}

Type BooleanType() { return {true, false, 1, 1}; }

Type IntegerType(int bits) { return {false, true, bits, bits / 8}; }

Type FloatType(int bits) {
  return {false, false, bits, bits / 8, FindFormat(kDLFloat, bits)};
}

Type ComplexOf(const Type& part) {
  Type type = part;
  type.bytes *= 2;
  type.is_complex = true;
  return type;
}

Type PartOf(const Type& complex) {
  Type type = complex;
  type.bytes /= 2;
  type.is_complex = false;
  return type;
}

bool IsInteger(const Type& type) {
  return !type.is_bool && type.format == nullptr;
}

bool IsSameType(const Type& a, const Type& b) {
  return a.is_bool == b.is_bool && a.is_signed == b.is_signed &&
         a.bits == b.bits && a.format == b.format &&
         a.is_complex == b.is_complex;
}

}  // namespace assay::broken
