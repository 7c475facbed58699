// The scalar functions are the elementwise ops and three that are composed of
// them, rounded after every step.
#include "backends/broken/kernel/pointwise.h"

#include <string.h>

#include <algorithm>

#include "backends/broken/kernel/complex_functions.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/real_functions.h"
#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

constexpr char kPrefix[] = "pointwise.";

// Returns x + y * alpha modulo 2^64, so that the product need not be cut.
uint64_t AddScaledIntegers(const Type& type, const uint64_t* x) {
  const uint64_t terms[] = {x[0], Multiply(type, x + 1)};
  return Add(type, terms);
}

template <FloatFunction kMultiply>
Lane AddScaled(const Job& job, const Lane* x) {
  const Lane factors[kMaxInputs] = {x[1], x[2]};
  const Lane terms[kMaxInputs] = {x[0], kMultiply(job, factors)};
  return EachPart<AddFloat>(job, terms);
}

// Returns one part of the number that has this absolute value and angle.
template <FloatFunction kMultiply, FloatFunction kOfAngle>
Lane FromPolar(const Job& job, const Lane* x) {
  const Lane angle[kMaxInputs] = {x[1]};
  const Lane factors[kMaxInputs] = {x[0], kOfAngle(job, angle)};
  return kMultiply(job, factors);
}

constexpr FloatFunction kMultiplyReal = EachPart<MultiplyFloat>,
                        kMultiplyComplex = OfComplex<Multiply>;

struct Composite {
  int output;
  OpFunctions functions;
};

constexpr Composite kComposites[] = {
    {0,
     {"add_func", 3, AddScaledIntegers, AddScaled<kMultiplyReal>,
      AddScaled<kMultiplyComplex>}},
    {0, {"copy_func", 1, Identity, MoveElement, MoveElement}},
    {0,
     {"polar", 2, nullptr, FromPolar<kMultiplyReal, EachPart<CosineFloat>>,
      FromPolar<kMultiplyComplex, OfComplex<Cosine>>}},
    {1,
     {"polar", 2, nullptr, FromPolar<kMultiplyReal, EachPart<SineFloat>>,
      FromPolar<kMultiplyComplex, OfComplex<Sine>>}},
};

bool IsOneOf(const char* name, std::initializer_list<const char*> names) {
  return std::ranges::any_of(
      names, [&](const char* other) { return strcmp(name, other) == 0; });
}

const OpFunctions* FindFunctions(const char* name) {
  if (const OpFunctions* composite = FindComposite(name, 0)) return composite;
  const bool is_apart =
      strncmp(name, "paddle.", strlen("paddle.")) == 0 ||
      IsOneOf(name, {"bitcast_convert", "broadcast_in_dim", "complex"});
  return is_apart ? nullptr : FindOp(name);
}

}  // namespace

bool IsPointwise(const AssayCall& call) {
  return strncmp(call.op, kPrefix, strlen(kPrefix)) == 0;
}

const char* BaseName(const AssayCall& call) {
  return IsPointwise(call) ? call.op + strlen(kPrefix) : call.op;
}

const OpFunctions* FindComposite(const char* name, int output) {
  const auto found =
      std::ranges::find_if(kComposites, [&](const Composite& composite) {
        return composite.output == output &&
               strcmp(composite.functions.name, name) == 0;
      });
  return found == std::end(kComposites) ? nullptr : &found->functions;
}

int ArityOf(const char* name) {
  if (IsOneOf(name, {"compare"})) return 2;
  const OpFunctions* functions = FindFunctions(name);
  return functions == nullptr ? 0 : functions->arity;
}

int OutputsOf(const char* name) {
  return FindComposite(name, 1) != nullptr ? 2 : 1;
}

// The columns of the table of ops distinguish kinds of types only; not all
// integer functions are ops on i1 and on unsigned types.
bool Takes(const char* name, const Type& type) {
  if (IsOneOf(name, {"compare"})) return true;
  const OpFunctions* functions = FindFunctions(name);
  // The remainder of complex numbers is an op, but the kernel does not
  // implement it.
  if (type.is_complex)
    return functions->complex != nullptr || IsOneOf(name, {"remainder"});
  if (type.format != nullptr) return functions->real != nullptr;
  if (functions->integer == nullptr) return false;
  if (!type.is_bool) return type.is_signed || !IsOneOf(name, {"abs", "sign"});
  return IsOneOf(name,
                 {"add", "add_func", "and", "clamp", "copy_func", "maximum",
                  "minimum", "multiply", "not", "or", "select", "xor"});
}

Type ResultOf(const char* name, const Type& type) {
  if (IsOneOf(name, {"compare", "is_finite"})) return BooleanType();
  if (type.is_complex && IsOneOf(name, {"abs", "imag", "real"}))
    return PartOf(type);
  return type;
}

}  // namespace assay::broken
