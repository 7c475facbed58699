// The plugin's ABI: chooses the instruction set, finds the row that serves a
// call, has its operands checked and runs the job.
//
// Nothing here depends on a particular op: see the tables of rows.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/simd/driver.h"
#include "backends/simd/environment.h"
#include "backends/simd/kernels.h"
#include "backends/simd/operands.h"
#include "backends/simd/whole_ops.h"
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

// Kept: it executes CPUID, which took 14 us a call in a virtual machine.
int64_t SupportedTargets() {
  static const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets;
}

// Not hwy::GetChosenTarget(): that is shared by all users of libhwy.
hwy::ChosenTarget& Target() {
  static hwy::ChosenTarget target;
  if (!target.IsInitialized()) target.Update(SupportedTargets());
  return target;
}

int32_t ConfigureTarget(const char* value, const Message& message) {
  for (const NamedTarget& target : kTargets) {
    if (strcmp(value, target.name) != 0) continue;
    if ((SupportedTargets() & target.bit) == 0) {
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

// `flush` shows what hardware looks like that has no subnormals.
Subnormals g_subnormals = Subnormals::kKeep;

int32_t ConfigureSubnormals(const char* value, const Message& message) {
  if (strcmp(value, "keep") == 0) {
    g_subnormals = Subnormals::kKeep;
  } else if (strcmp(value, "flush") == 0) {
    g_subnormals = Subnormals::kFlush;
  } else {
    return Answer(ASSAY_ERROR, message,
                  "simd cannot '%s' subnormals; it has 'keep' and 'flush'",
                  value);
  }
  return ASSAY_OK;
}

int32_t Configure(const char* key, const char* value, char* text,
                  size_t capacity) {
  const Message message = {text, capacity};
  if (strcmp(key, "target") == 0) return ConfigureTarget(value, message);
  if (strcmp(key, "subnormals") == 0) {
    return ConfigureSubnormals(value, message);
  }
  return Answer(ASSAY_ERROR, message,
                "simd has no option '%s'; it has 'target' and 'subnormals'",
                key);
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

// What an attribute that is not known here asks for is not known either.
bool HasOnlyKnownAttributes(const AssayCall& call) {
  static constexpr struct {
    const char* op;
    const char* name;
  } kKnown[] = {{"compare", "comparison_direction"},
                {"compare", "compare_type"},
                {"paddle.bitwise_left_shift", "is_arithmetic"},
                {"paddle.bitwise_right_shift", "is_arithmetic"},
                {"reduce_precision", "exponent_bits"},
                {"reduce_precision", "mantissa_bits"}};
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    bool is_known = false;
    for (const auto& [op, name] : kKnown) {
      is_known |= strcmp(call.op, op) == 0 &&
                  strcmp(call.attributes[i].name, name) == 0;
    }
    if (!is_known) return false;
  }
  return call.num_regions == 0;
}

bool HasAttribute(const AssayCall& call, const Attribute& attribute) {
  if (attribute.name == nullptr) return true;
  const char* text = AttributeText(call, attribute.name);
  if (text == nullptr || attribute.value == nullptr) {
    return text == attribute.value;
  }
  return strcmp(text, attribute.value) == 0;
}

struct Match {
  const Row* row = nullptr;
  size_t vector_bytes = 0;
  const char* failure = "op";  // What no row was found for.
};

Match FindRow(const AssayCall& call) {
  static constexpr decltype(&ArithmeticTable) kTables[] = {
      ArithmeticTable,   BitwiseTable,      CompareSelectTable,
      ComplexTable,      ConvertTable,      FloatArithmeticTable,
      FloatCompareTable, RealFunctionTable, ShiftTable};
  const std::string_view op = call.op;
  Match match;
  for (const auto table_of : kTables) {
    const Table table = table_of(Target());
    for (size_t i = 0; i < table.size; ++i) {
      const Row& row = table.rows[i];
      if (row.op != op) continue;
      if (!HasArity(call, row.kernels)) {
        match.failure = "number of operands";
      } else if (!HasAttribute(call, row.attributes[0]) ||
                 !HasAttribute(call, row.attributes[1])) {
        match.failure = "attribute value";
      } else if (!HasResultType(call, row.kernels)) {
        match.failure = "result type";
      } else if (!HasKernel(call, row)) {
        match.failure = "element type";
      } else {
        return {&row, table.vector_bytes, nullptr};
      }
    }
  }
  return match;
}

// `flush` is for the arithmetic of f32, f64 and complex numbers. The narrower
// formats lie in f32 lanes, where a normal number of theirs may be subnormal
// (2^-127 of f8E8M0FNU); extrema, sign and remainder may deliver an operand as
// it is, and would deliver whole what they had compared as zero; and elementary
// functions are made of many operations, whose own results would be flushed.
Subnormals SubnormalsOf(const AssayCall& call) {
  static constexpr std::string_view kKeeping[] = {
      "atan2",     "cbrt",         "clamp",
      "cosine",    "exponential",  "exponential_minus_one",
      "log",       "log_plus_one", "logistic",
      "maximum",   "minimum",      "power",
      "remainder", "rsqrt",        "sign",
      "sine",      "tan",          "tanh"};
  const DLDataType& type = call.inputs[0].tensor.dtype;
  const bool is_narrow =
      type.code != kDLComplex && (type.code != kDLFloat || type.bits < 32);
  bool keeps = is_narrow;
  for (const std::string_view op : kKeeping) keeps |= op == call.op;
  return keeps ? Subnormals::kKeep : g_subnormals;
}

const char* RunRow(const AssayCall& call) {
  const Match match = FindRow(call);
  if (match.failure != nullptr) return match.failure;
  Job job = {};
  job.vector_bytes = match.vector_bytes;
  const char* failure = PlanJob(call, *match.row, Target(), &job);
  if (failure == nullptr && job.count != 0) {
    const Environment environment(SubnormalsOf(call));
    Run(job);
  }
  return failure;
}

using WholeOp = decltype(&RunConvert);

// nullptr if the op is not one of them.
WholeOp FindWholeOp(const AssayCall& call) {
  static constexpr struct {
    const char* op;
    WholeOp run;
  } kWholeOps[] = {{"bitcast_convert", RunBitcastConvert},
                   {"convert", RunConvert},
                   {"reduce_precision", RunReducePrecision}};
  if (IsComplexFunction(call)) return RunComplexFunction;
  for (const auto& [op, run] : kWholeOps) {
    if (strcmp(call.op, op) == 0) return run;
  }
  return nullptr;
}

int32_t RunCall(const AssayCall* call, char* text, size_t capacity) {
  const Message message = {text, capacity};
  if (SupportedTargets() == 0) {
    return Answer(ASSAY_ERROR, message, "simd needs a processor with SSE4.2");
  }
  const char* failure = "an attribute or region";
  if (HasOnlyKnownAttributes(*call)) {
    failure = RunRow(*call);
    const WholeOp run = FindWholeOp(*call);
    if (failure != nullptr && run != nullptr) {
      // Movements of bits have no say in subnormals: a flush would hit numbers
      // that are subnormal only in between, such as 2^-127 of f8E8M0FNU in f32.
      const Environment environment(Subnormals::kKeep);
      failure = run(*call, Target());
    }
  }
  if (failure == nullptr) return ASSAY_OK;
  return Answer(ASSAY_UNSUPPORTED, message, "%s: %s not implemented", call->op,
                failure);
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
