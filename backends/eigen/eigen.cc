// This second backend on the CPU shares nothing with `simd`: it computes every
// op by the array expression that a user of Eigen would write.
//
// Eigen is judged, not improved. cases/baselines/eigen.json has the differences
// from the specification, with the reasons. Calls are declined if Eigen has no
// expression for the op (remainder, total order), if they would crash (integers
// divided by 0), or if layouts are not contiguous.
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#include <exception>

#include "backends/backend.h"
#include "backends/eigen/operands.h"

namespace assay::eigen {
namespace {

enum Kind : unsigned { kBoolean = 1, kInteger = 2, kFloat = 4, kComplex = 8 };
constexpr unsigned kReal = kInteger | kFloat;
constexpr unsigned kNumber = kReal | kComplex;

template <typename T>
constexpr Kind KindOf() {
  if (std::is_same_v<T, bool>) return kBoolean;
  if (Eigen::NumTraits<T>::IsComplex) return kComplex;
  return Eigen::NumTraits<T>::IsInteger ? kInteger : kFloat;
}

// Computes result = f(operands..). The operands are all of one type, which is
// of `kinds`.
template <unsigned kinds, auto f>
void Elementwise(const AssayCall& call) {
  Visit(call.inputs[0], [&](auto t) {
    using T = decltype(t);
    if constexpr ((kinds & KindOf<T>()) != 0) {
      const auto x = Elements<T>(call.inputs[0]);
      if constexpr (std::is_invocable_v<decltype(f), decltype(x)>) {
        Assign(call.outputs[0], f(x));
      } else {
        Assign(call.outputs[0], f(x, Elements<T>(call.inputs[1])));
      }
    } else {
      throw Unsupported("elements of " + ElementText(call.inputs[0]));
    }
  });
}

// Returns a scalar among tensors as an array of their size.
template <typename T>
Vector<T> Broadcast(const AssayTensor& operand, Eigen::Index size) {
  const auto elements = Elements<T>(operand);
  if (operand.tensor.ndim > 0) return elements;
  return Vector<T>::Constant(size, elements[0]);
}

void Clamp(const AssayCall& call) {
  Visit(call.inputs[1], [&](auto t) {
    using T = decltype(t);
    if constexpr ((kReal & KindOf<T>()) != 0) {
      const auto x = Elements<T>(call.inputs[1]);
      const auto least = Broadcast<T>(call.inputs[0], x.size());
      const auto most = Broadcast<T>(call.inputs[2], x.size());
      Assign(call.outputs[0], x.max(least).min(most));
    } else {
      throw Unsupported("elements of " + ElementText(call.inputs[1]));
    }
  });
}

void Select(const AssayCall& call) {
  Visit(call.inputs[1], [&](auto t) {
    using T = decltype(t);
    const auto on_true = Elements<T>(call.inputs[1]);
    Assign(call.outputs[0], Broadcast<bool>(call.inputs[0], on_true.size())
                                .select(on_true, Elements<T>(call.inputs[2])));
  });
}

const char* Attribute(const AssayCall& call, const char* name) {
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, name) == 0) {
      return call.attributes[i].text;
    }
  }
  throw Unsupported("the lack of " + std::string(name));
}

// The type of the operands decides how they compare; only the total order of
// compare_type asks for more. Complex numbers are equal or not.
void Compare(const AssayCall& call) {
  const std::string type = Attribute(call, "compare_type");
  const std::string direction = Attribute(call, "comparison_direction");
  if (type != "FLOAT" && type != "SIGNED" && type != "UNSIGNED") {
    throw Unsupported("compare_type " + type);
  }
  constexpr unsigned kOrdered = kBoolean | kReal;
  if (direction == "EQ")
    Elementwise<kOrdered | kComplex, [](auto x, auto y) { return x == y; }>(
        call);
  else if (direction == "NE")
    Elementwise<kOrdered | kComplex, [](auto x, auto y) { return x != y; }>(
        call);
  else if (direction == "LT")
    Elementwise<kOrdered, [](auto x, auto y) { return (x < y); }>(call);
  else if (direction == "LE")
    Elementwise<kOrdered, [](auto x, auto y) { return x <= y; }>(call);
  else if (direction == "GT")
    Elementwise<kOrdered, [](auto x, auto y) { return (x > y); }>(call);
  else if (direction == "GE")
    Elementwise<kOrdered, [](auto x, auto y) { return x >= y; }>(call);
  else
    throw Unsupported("comparison_direction " + direction);
}

constexpr struct {
  const char* op;
  int num_inputs;
  int num_attributes;
  void (*run)(const AssayCall&);
  int num_regions = 0;
} kOps[] = {
    {"abs", 1, 0, Elementwise<kReal, [](auto x) { return x.abs(); }>},
    {"add", 2, 0, Elementwise<kNumber, [](auto x, auto y) { return x + y; }>},
    {"ceil", 1, 0, Elementwise<kFloat, [](auto x) { return x.ceil(); }>},
    {"clamp", 3, 0, Clamp},
    {"compare", 2, 2, Compare},
    {"complex", 2, 0,
     Elementwise<kFloat,
                 [](auto x, auto y) {
                   return x.binaryExpr(y, [](auto re, auto im) {
                     return std::complex<decltype(re)>(re, im);
                   });
                 }>},
    {"convert", 1, 0,
     [](const AssayCall& call) { Convert(call.inputs[0], call.outputs[0]); }},
    {"divide", 2, 0, Elementwise<kFloat, [](auto x, auto y) { return x / y; }>},
    {"dot_general", 2, 5, DotGeneral},
    {"floor", 1, 0, Elementwise<kFloat, [](auto x) { return x.floor(); }>},
    {"imag", 1, 0,
     Elementwise<kFloat | kComplex, [](const auto x) { return x.imag(); }>},
    {"is_finite", 1, 0,
     Elementwise<kFloat, [](auto x) { return x.isFinite(); }>},
    {"maximum", 2, 0,
     Elementwise<kReal, [](auto x, auto y) { return x.max(y); }>},
    {"minimum", 2, 0,
     Elementwise<kReal, [](auto x, auto y) { return x.min(y); }>},
    {"multiply", 2, 0,
     Elementwise<kReal, [](auto x, auto y) { return x * y; }>},
    {"negate", 1, 0, Elementwise<kNumber, [](auto x) { return -x; }>},
    {"real", 1, 0,
     Elementwise<kFloat | kComplex, [](auto x) { return x.real(); }>},
    {"reduce", 2, 1, Reduce, 1},
    {"round_nearest_afz", 1, 0,
     Elementwise<kFloat, [](auto x) { return x.round(); }>},
    {"round_nearest_even", 1, 0,
     Elementwise<kFloat, [](auto x) { return x.rint(); }>},
    {"select", 3, 0, Select},
    {"sign", 1, 0, Elementwise<kReal, [](auto x) { return x.sign(); }>},
    {"sqrt", 1, 0, Elementwise<kFloat, [](auto x) { return x.sqrt(); }>},
    {"subtract", 2, 0,
     Elementwise<kNumber, [](auto x, auto y) { return x - y; }>},
};

void RunOp(const AssayCall& call) {
  for (const auto& row : kOps) {
    if (strcmp(row.op, call.op) != 0) continue;
    if (call.num_inputs != row.num_inputs || call.num_outputs != 1 ||
        call.num_attributes != row.num_attributes ||
        call.num_regions != row.num_regions) {
      throw Unsupported("another number of operands, attributes or regions");
    }
    return row.run(call);
  }
  throw Unsupported("this op");
}

// A QuietFloats restores the caller's flags and masks of floating-point
// exceptions.
class QuietFloats {
 public:
  QuietFloats() { feholdexcept(&environment_); }
  ~QuietFloats() { fesetenv(&environment_); }

 private:
  fenv_t environment_;
};

int32_t Run(const AssayCall* call, char* message, size_t capacity) {
  const QuietFloats quiet;
  AssayStatus status = ASSAY_OK;
  try {
    RunOp(*call);
  } catch (const Unsupported& what) {
    status = ASSAY_UNSUPPORTED;
    snprintf(message, capacity, "%s: not implemented: %s", call->op,
             what.what());
  } catch (const std::exception& failure) {  // There is no memory.
    status = ASSAY_ERROR;
    snprintf(message, capacity, "%s: %s", call->op, failure.what());
  }
  return status;
}

#define ASSAY_TEXT_OF(x) #x
#define ASSAY_TEXT(x) ASSAY_TEXT_OF(x)

constexpr AssayBackend kBackend = {
    .struct_size = sizeof(AssayBackend),
    .abi_major = ASSAY_ABI_MAJOR,
    .abi_minor = ASSAY_ABI_MINOR,
    .name = "eigen",
    .version = ASSAY_TEXT(EIGEN_WORLD_VERSION) "." ASSAY_TEXT(
        EIGEN_MAJOR_VERSION) "." ASSAY_TEXT(EIGEN_MINOR_VERSION),
    .device = {kDLCPU, 0},
    .capabilities = 0,
    .over_read_bytes = 0,
    .configure = nullptr,
    .run = Run,
    .run_batch = nullptr,
    .run_program = nullptr,
    .synchronise = nullptr,
    .start = nullptr,
};

}  // namespace
}  // namespace assay::eigen

extern "C" __attribute__((visibility("default"))) const AssayBackend*
assay_backend(void) {
  return &assay::eigen::kBackend;
}
