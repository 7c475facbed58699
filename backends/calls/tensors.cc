#include "backends/calls/tensors.h"

#include <stdint.h>

namespace assay::calls {
namespace {

struct FormatCode {
  int code;
  int bits;
  Format format;
};

// These are the float types without lanes of their own.
constexpr FormatCode kFormats[] = {
    {ASSAY_DL_FLOAT4_E2M1FN, 4, Format::kF4E2M1FN},
    {ASSAY_DL_FLOAT6_E2M3FN, 6, Format::kF6E2M3FN},
    {ASSAY_DL_FLOAT6_E3M2FN, 6, Format::kF6E3M2FN},
    {ASSAY_DL_FLOAT8_E3M4, 8, Format::kF8E3M4},
    {ASSAY_DL_FLOAT8_E4M3, 8, Format::kF8E4M3},
    {ASSAY_DL_FLOAT8_E4M3FN, 8, Format::kF8E4M3FN},
    {ASSAY_DL_FLOAT8_E4M3FNUZ, 8, Format::kF8E4M3FNUZ},
    {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8, Format::kF8E4M3B11FNUZ},
    {ASSAY_DL_FLOAT8_E5M2, 8, Format::kF8E5M2},
    {ASSAY_DL_FLOAT8_E5M2FNUZ, 8, Format::kF8E5M2FNUZ},
    {ASSAY_DL_FLOAT8_E8M0FNU, 8, Format::kF8E8M0FNU},
    {kDLBfloat, 16, Format::kBF16},
    {kDLFloat, 16, Format::kF16}};

// Returns whether a type of this kind may have this size.
bool HasBits(Kind kind, int bits) {
  switch (kind) {
    case Kind::kBool:
      return bits == 8;
    case Kind::kFloat:
      return bits == 32 || bits == 64;
    case Kind::kComplex:
      return bits == 64 || bits == 128;
    default:
      return bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 ||
             bits == 64;
  }
}

const char* CheckTensor(const DLTensor& tensor) {
  if (tensor.ndim < 0) return "an operand has a negative number of dimensions";
  if (tensor.ndim > 0 && (tensor.shape == nullptr || tensor.strides == nullptr))
    return "an operand has no shape or no strides";
  bool is_empty = false;
  for (int i = 0; i < tensor.ndim; ++i) {
    if (tensor.shape[i] < 0) return "an operand has a negative size";
    is_empty = is_empty || tensor.shape[i] == 0;
  }
  if (is_empty) return nullptr;
  const int64_t bytes = (tensor.dtype.bits + 7) / 8;
  int64_t count = bytes;
  // This is the distance from one end of the elements to the other, in bytes.
  int64_t reach = 0;
  for (int i = 0; i < tensor.ndim; ++i) {
    int64_t step = 0;
    if (__builtin_mul_overflow(count, tensor.shape[i], &count) ||
        __builtin_mul_overflow(tensor.strides[i], bytes, &step) ||
        __builtin_mul_overflow(step, tensor.shape[i] - 1, &step) ||
        step == INT64_MIN ||
        __builtin_add_overflow(reach, step < 0 ? -step : step, &reach))
      return "an operand is larger than there are addresses";
  }
  return nullptr;
}

}  // namespace

bool ParseType(const AssayTensor& tensor, Type* type) {
  const DLDataType& dtype = tensor.tensor.dtype;
  if (dtype.lanes != 1) return false;
  type->bits = dtype.bits;
  type->width = 0;
  type->format = {};
  while ((8 << type->width) < dtype.bits) ++type->width;
  for (const FormatCode& format : kFormats) {
    if (dtype.code != format.code || dtype.bits != format.bits) continue;
    type->kind = Kind::kFormat;
    type->format = format.format;
    return true;
  }
  static constexpr struct {
    int code;
    Kind kind;
  } kKinds[] = {{ASSAY_DL_BOOL, Kind::kBool},
                {kDLInt, Kind::kSigned},
                {kDLUInt, Kind::kUnsigned},
                {kDLFloat, Kind::kFloat},
                {kDLComplex, Kind::kComplex}};
  for (const auto& [code, kind] : kKinds) {
    if (dtype.code != code) continue;
    type->kind = kind;
    return HasBits(kind, dtype.bits);
  }
  return false;
}

const char* CheckTensors(const AssayCall& call) {
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    if (const char* wrong = CheckTensor(call.inputs[k].tensor)) return wrong;
  }
  for (int32_t o = 0; o < call.num_outputs; ++o) {
    if (const char* wrong = CheckTensor(call.outputs[o].tensor)) return wrong;
  }
  return nullptr;
}

size_t CountElements(const DLTensor& tensor) {
  size_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i) {
    count *= static_cast<size_t>(tensor.shape[i]);
  }
  return count;
}

bool IsSameShape(const DLTensor& a, const DLTensor& b) {
  if (a.ndim != b.ndim) return false;
  for (int i = 0; i < a.ndim; ++i) {
    if (a.shape[i] != b.shape[i]) return false;
  }
  return true;
}

}  // namespace assay::calls
