#include "backends/calls/tensors.h"

#include <stdint.h>

#include <string_view>

namespace assay::calls {
namespace {

struct FormatCode {
  int code;
  int bits;
  Format format;
  const char* name;
};

// These are the float types without lanes of their own.
constexpr FormatCode kFormats[] = {
    {ASSAY_DL_FLOAT4_E2M1FN, 4, Format::kF4E2M1FN, "f4E2M1FN"},
    {ASSAY_DL_FLOAT6_E2M3FN, 6, Format::kF6E2M3FN, "f6E2M3FN"},
    {ASSAY_DL_FLOAT6_E3M2FN, 6, Format::kF6E3M2FN, "f6E3M2FN"},
    {ASSAY_DL_FLOAT8_E3M4, 8, Format::kF8E3M4, "f8E3M4"},
    {ASSAY_DL_FLOAT8_E4M3, 8, Format::kF8E4M3, "f8E4M3"},
    {ASSAY_DL_FLOAT8_E4M3FN, 8, Format::kF8E4M3FN, "f8E4M3FN"},
    {ASSAY_DL_FLOAT8_E4M3FNUZ, 8, Format::kF8E4M3FNUZ, "f8E4M3FNUZ"},
    {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8, Format::kF8E4M3B11FNUZ, "f8E4M3B11FNUZ"},
    {ASSAY_DL_FLOAT8_E5M2, 8, Format::kF8E5M2, "f8E5M2"},
    {ASSAY_DL_FLOAT8_E5M2FNUZ, 8, Format::kF8E5M2FNUZ, "f8E5M2FNUZ"},
    {ASSAY_DL_FLOAT8_E8M0FNU, 8, Format::kF8E8M0FNU, "f8E8M0FNU"},
    {kDLBfloat, 16, Format::kBF16, "bf16"},
    {kDLFloat, 16, Format::kF16, "f16"}};

struct PlainType {
  const char* name;
  DLDataType type;
};

// These are the types with lanes of their own.
constexpr PlainType kPlainTypes[] = {{"i1", {ASSAY_DL_BOOL, 8, 1}},
                                     {"i2", {kDLInt, 2, 1}},
                                     {"i4", {kDLInt, 4, 1}},
                                     {"i8", {kDLInt, 8, 1}},
                                     {"i16", {kDLInt, 16, 1}},
                                     {"i32", {kDLInt, 32, 1}},
                                     {"i64", {kDLInt, 64, 1}},
                                     {"ui2", {kDLUInt, 2, 1}},
                                     {"ui4", {kDLUInt, 4, 1}},
                                     {"ui8", {kDLUInt, 8, 1}},
                                     {"ui16", {kDLUInt, 16, 1}},
                                     {"ui32", {kDLUInt, 32, 1}},
                                     {"ui64", {kDLUInt, 64, 1}},
                                     {"f32", {kDLFloat, 32, 1}},
                                     {"f64", {kDLFloat, 64, 1}},
                                     {"complex<f32>", {kDLComplex, 64, 1}},
                                     {"complex<f64>", {kDLComplex, 128, 1}}};

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

bool ParseScalarType(const char* text, DLDataType* type) {
  std::string_view name = text;
  constexpr std::string_view kBegin = "tensor<";
  if (!name.starts_with(kBegin) || !name.ends_with('>')) return false;
  name = name.substr(kBegin.size(), name.size() - kBegin.size() - 1);
  for (const PlainType& plain : kPlainTypes) {
    if (name != plain.name) continue;
    *type = plain.type;
    return true;
  }
  for (const FormatCode& format : kFormats) {
    if (name != format.name) continue;
    *type = {static_cast<uint8_t>(format.code),
             static_cast<uint8_t>(format.bits), 1};
    return true;
  }
  return false;
}

size_t BytesOfScalar(const char* text) {
  AssayTensor tensor = {};
  Type type;
  if (!ParseScalarType(text, &tensor.tensor.dtype) || !ParseType(tensor, &type))
    return 0;
  return type.bytes();
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

AssayCall MakeCall(const char* op, std::span<const AssayTensor> inputs,
                   const AssayTensor& output,
                   std::span<const AssayAttribute> attributes) {
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op;
  call.num_inputs = static_cast<int32_t>(inputs.size());
  call.inputs = inputs.data();
  call.num_outputs = 1;
  call.outputs = &output;
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  return call;
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
