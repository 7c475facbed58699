// The plugin's ABI: finds the row that serves a call, checks that the operands
// have the types, shapes and layouts of its kernels, and runs the job.
//
// Contiguous row-major tensors only; clamp's bounds and select's predicate may
// be scalars. Nothing here depends on a particular op.
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/simd/driver.h"
#include "backends/simd/kernels.h"
//
#include "hwy/highway.h"

namespace assay::simd {
namespace {

struct Message {
  char* text;
  size_t capacity;
};

__attribute__((format(printf, 3, 4))) int32_t Answer(AssayStatus status,
                                                     const Message& message,
                                                     const char* format, ...) {
  if (message.text != nullptr && message.capacity > 0) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, message.capacity, format, arguments);
    va_end(arguments);
  }
  return status;
}

// -------------------------------------------------------------------- Targets

struct NamedTarget {
  const char* name;
  int64_t bit;
};

constexpr NamedTarget kTargets[] = {
    {"sse4", HWY_SSE4}, {"avx2", HWY_AVX2}, {"avx512", HWY_AVX3}};

bool IsSupported(int64_t targets) {
  return (hwy::SupportedTargets() & HWY_TARGETS & targets) != 0;
}

// Not hwy::GetChosenTarget(): that is shared by all users of libhwy.
hwy::ChosenTarget& Target() {
  static hwy::ChosenTarget target;
  if (!target.IsInitialized()) target.Update(hwy::SupportedTargets());
  return target;
}

int32_t Configure(const char* key, const char* value, char* text,
                  size_t capacity) {
  const Message message = {text, capacity};
  if (strcmp(key, "target") != 0) {
    return Answer(ASSAY_ERROR, message,
                  "simd has no option '%s'; it has 'target'", key);
  }
  for (const NamedTarget& target : kTargets) {
    if (strcmp(value, target.name) != 0) continue;
    if (!IsSupported(target.bit)) {
      return Answer(ASSAY_ERROR, message, "this processor lacks target '%s'",
                    value);
    }
    Target().Update(target.bit);
    return ASSAY_OK;
  }
  return Answer(ASSAY_ERROR, message,
                "simd has no target '%s'; it has 'sse4', 'avx2', 'avx512'",
                value);
}

// ----------------------------------------------------------------------- Types

struct Type {
  bool is_bool = false;
  bool is_signed = false;
  int bits = 0;   // In memory; 8 for i1.
  int width = 0;  // log2 of the bytes.

  size_t bytes() const { return size_t{1} << width; }
};

bool ParseType(const DLDataType& dtype, Type* type) {
  if (dtype.lanes != 1) return false;
  type->is_bool = dtype.code == ASSAY_DL_BOOL;
  type->is_signed = dtype.code == kDLInt;
  if (!type->is_bool && !type->is_signed && dtype.code != kDLUInt) return false;
  type->bits = dtype.bits;
  switch (dtype.bits) {
    case 2:
    case 4:
      type->width = 0;
      return !type->is_bool;
    case 8:
      type->width = 0;
      return true;
    case 16:
      type->width = 1;
      return !type->is_bool;
    case 32:
      type->width = 2;
      return !type->is_bool;
    case 64:
      type->width = 3;
      return !type->is_bool;
    default:
      return false;
  }
}

bool IsSameType(const AssayTensor& a, const AssayTensor& b) {
  return a.tensor.dtype.code == b.tensor.dtype.code &&
         a.tensor.dtype.bits == b.tensor.dtype.bits &&
         a.tensor.dtype.lanes == b.tensor.dtype.lanes;
}

bool HasResultType(Result result, const AssayTensor& operand,
                   const AssayTensor& output) {
  Type type;
  if (!ParseType(output.tensor.dtype, &type)) return false;
  switch (result) {
    case Result::kSame:
      return IsSameType(operand, output);
    case Result::kBool:
      return type.is_bool;
    case Result::k8:
      return !type.is_bool && type.width == 0;
    case Result::k16:
      return type.width == 1;
    case Result::k32:
      return type.width == 2;
    case Result::k64:
      return type.width == 3;
  }
  return false;
}

// ------------------------------------------------------------------- Operands

struct ShapeRules {
  int num_inputs;
  int typed;            // The input whose type selects the kernel.
  unsigned may_scalar;  // Bit k: input k may be a scalar.
};

ShapeRules RulesOf(Shape shape) {
  switch (shape) {
    case Shape::kUnary:
      return {1, 0, 0};
    case Shape::kBinary:
      return {2, 0, 0};
    case Shape::kClamp:
      return {3, 1, 0b101};
    case Shape::kSelect:
      return {3, 1, 0b001};
  }
  return {};
}

size_t CountElements(const DLTensor& tensor) {
  size_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i) {
    count *= static_cast<size_t>(tensor.shape[i]);
  }
  return count;
}

bool IsSameShape(const DLTensor& a, const DLTensor& b) {
  return a.ndim == b.ndim &&
         (a.ndim == 0 ||
          memcmp(a.shape, b.shape,
                 static_cast<size_t>(a.ndim) * sizeof(*a.shape)) == 0);
}

bool IsContiguous(const DLTensor& tensor) {
  int64_t stride = 1;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 1) continue;
    if (tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

Operand OperandOf(const DLTensor& tensor, const Type& type, bool is_scalar) {
  return {static_cast<unsigned char*>(tensor.data) + tensor.byte_offset,
          type.bytes(), type.bits, is_scalar};
}

// ------------------------------------------------------------------------ Rows

const char* AttributeText(const AssayCall& call, const char* name) {
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, name) == 0) {
      return call.attributes[i].text;
    }
  }
  return nullptr;
}

bool HasAttribute(const AssayCall& call, const Row& row) {
  if (row.attribute == nullptr) return true;
  const char* text = AttributeText(call, row.attribute);
  if (text == nullptr || row.value == nullptr) return text == row.value;
  return strcmp(text, row.value) == 0;
}

struct Match {
  const Row* row = nullptr;
  size_t vector_bytes = 0;
  const char* failure = "op";  // What no row was found for.
};

Match FindRow(const AssayCall& call) {
  static constexpr decltype(&ArithmeticTable) kTables[] = {
      ArithmeticTable, BitwiseTable, CompareSelectTable, ConvertTable,
      ShiftTable};
  Match match;
  for (const auto table_of : kTables) {
    const Table table = table_of(Target());
    for (size_t i = 0; i < table.size; ++i) {
      const Row& row = table.rows[i];
      if (strcmp(call.op, row.op) != 0) continue;
      const ShapeRules rules = RulesOf(row.kernels.shape);
      if (call.num_inputs != rules.num_inputs || call.num_outputs != 1) {
        match.failure = "number of operands";
      } else if (!HasAttribute(call, row)) {
        match.failure = "attribute value";
      } else if (!HasResultType(row.kernels.result, call.inputs[rules.typed],
                                call.outputs[0])) {
        match.failure = "result type";
      } else {
        return {&row, table.vector_bytes, nullptr};
      }
    }
  }
  return match;
}

// What is wrong with the types, shapes and layouts, or nullptr.
const char* CheckOperands(const AssayCall& call, const Row& row) {
  const ShapeRules rules = RulesOf(row.kernels.shape);
  const DLTensor& output = call.outputs[0].tensor;
  if (!IsContiguous(output)) return "layout of the result";
  for (int k = 0; k < rules.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    Type type;
    if (row.kernels.shape == Shape::kSelect && k == 0) {
      if (!ParseType(input.dtype, &type) || !type.is_bool) {
        return "type of the predicate";
      }
    } else if (!IsSameType(call.inputs[k], call.inputs[rules.typed])) {
      return "mix of operand types";
    }
    const bool is_scalar =
        input.ndim == 0 && ((rules.may_scalar >> k) & 1) != 0;
    if (is_scalar) continue;
    if (!IsSameShape(input, output)) return "mix of operand shapes";
    if (!IsContiguous(input)) return "layout of an operand";
  }
  return nullptr;
}

int32_t RunCall(const AssayCall* call, char* text, size_t capacity) {
  const Message message = {text, capacity};
  if (!IsSupported(~int64_t{0})) {
    return Answer(ASSAY_ERROR, message, "simd needs a processor with SSE4.2");
  }
  const Match match = FindRow(*call);
  const char* failure = match.failure;
  Type type;
  Job job = {};
  if (failure == nullptr) {
    const Kernels& kernels = match.row->kernels;
    const ShapeRules rules = RulesOf(kernels.shape);
    if (ParseType(call->inputs[rules.typed].tensor.dtype, &type)) {
      const LaneKernels& lanes =
          type.is_signed ? kernels.of_signed : kernels.of_unsigned;
      job.kernel = type.is_bool ? match.row->boolean : lanes.width[type.width];
      job.extend = lanes.extend;
    }
    if (job.kernel.store == nullptr) failure = "element type";
  }
  if (failure != nullptr) {
    return Answer(ASSAY_UNSUPPORTED, message, "%s: %s not implemented",
                  call->op, failure);
  }
  const DLTensor& output = call->outputs[0].tensor;
  job.count = CountElements(output);
  if (job.count == 0) return ASSAY_OK;
  failure = CheckOperands(*call, *match.row);
  if (failure != nullptr) {
    return Answer(ASSAY_UNSUPPORTED, message, "%s: %s not implemented",
                  call->op, failure);
  }
  job.vector_bytes = match.vector_bytes;
  job.num_inputs = call->num_inputs;
  for (int k = 0; k < job.num_inputs; ++k) {
    const DLTensor& input = call->inputs[k].tensor;
    ParseType(input.dtype, &type);
    job.in[k] = OperandOf(input, type, !IsSameShape(input, output));
  }
  ParseType(output.dtype, &type);
  job.out = OperandOf(output, type, false);
  Run(job);
  return ASSAY_OK;
}

constexpr AssayBackend kBackend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = "simd",
    .version = "0.1.0",
    .device = {kDLCPU, 0},
    .capabilities = 0,
    .over_read_bytes = 0,
    .configure = Configure,
    .run = RunCall,
    .run_batch = nullptr,
    .run_program = nullptr,
    .synchronise = nullptr,
};

}  // namespace
}  // namespace assay::simd

extern "C" __attribute__((visibility("default"))) const AssayBackend*
assay_backend(void) {
  return &assay::simd::kBackend;
}
