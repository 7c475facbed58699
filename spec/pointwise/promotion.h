// Type promotion determines the type in which a pointwise call computes, and
// the type of its result, from the types of the participating arguments.
//
// The rules are PyTorch's, because the pointwise seed takes its six methods
// from there: elementwise_dtypes in torch/_prims_common/__init__.py, whose
// order of types agrees with promoteTypes of c10/core/ScalarType.cpp. The
// category comes first: it is the highest of all arguments, bool < integer <
// float < complex. Then comes the result type: the highest type of that
// category among the tensors of rank 1 and more; if there are none, among those
// of rank 0; if there are none either (only numbers have the category), the
// default: i1, i64, f32, complex<f32>. In the category complex, f32 and f64
// tensors take part as complex<f32> and complex<f64>. "Highest" is by
//   i1 < {ui8, i8} < i16 < i32 < i64 < {f16, bf16} < f32 < f64
//      < complex<f32> < complex<f64>
// where two different types in braces give the next one. The method then
// derives the computation type and the result type from it.
//
// Our types differ from PyTorch's in some cases: it has complex of f16, which
// is complex<f32> here. Types outside of the order promote with themselves only
// (PyTorch refuses them as well, or does not have them), and a float among them
// has no complex type.
#ifndef ASSAY_SPEC_POINTWISE_PROMOTION_H_
#define ASSAY_SPEC_POINTWISE_PROMOTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/types/element_type.h"

namespace assay {

// The methods are those of ELEMENTWISE_TYPE_PROMOTION_KIND. r is the result
// type as above, and computation(r) is f32 for floats that are narrower,
// otherwise r.
enum class PromotionMethod : uint8_t {
  kDefault,         // computes in computation(r), gives r
  kNoOpmath,        // computes in r, gives r
  kIntToFloat,      // r is f32 if it were i1 or an integer; then as kDefault
  kAlwaysBool,      // computes in computation(r), gives i1
  kComplexToFloat,  // as kDefault, but gives the type of the parts of a complex
  kBoolToLong,      // i64 for i1, computed and given; otherwise as kDefault
};

// Parses the names of the seed: "DEFAULT", "NO_OPMATH", ..
std::optional<PromotionMethod> ParsePromotionMethod(std::string_view name);
const char* Name(PromotionMethod method);

enum class PromotionCategory : uint8_t { kBool, kInteger, kFloat, kComplex };
PromotionCategory CategoryOf(ElementType type);
const char* Name(PromotionCategory category);  // "bool", "integer", ..

// Returns f32 for floats that are narrower, otherwise the type itself.
ElementType ComputationType(ElementType type);

struct PromotionOperand {
  enum class Kind : uint8_t {
    kTensor,   // of rank 1 and more
    kZeroDim,  // a tensor of rank 0
    kScalar,   // a number: of its type, only the category counts
  };
  ElementType type;
  Kind kind;
};

struct Promotion {
  ElementType computation;
  ElementType result;
  friend bool operator==(const Promotion&, const Promotion&) = default;
};

// Returns nullopt if the arguments have no common type or there are none;
// `*reason` then names the arguments that do not fit. The result does not
// depend on their order.
std::optional<Promotion> Promote(PromotionMethod method,
                                 std::span<const PromotionOperand> operands,
                                 std::string* reason);

// A PromotionRule is what one output asks for: the arguments that take part,
// and the method.
struct PromotionRule {
  std::vector<int> arguments;  // indices of inputs, at least one
  PromotionMethod method;
  friend bool operator==(const PromotionRule&, const PromotionRule&) = default;
};

// Reads the attribute `promotion_methods`, a list for each output: [[0, 1,
// "DEFAULT"], [0, 1, "ALWAYS_BOOL"]]. The text is untrusted: it is at most
// kMaxPromotionText long, and an index is below kMaxPromotionArguments. The
// caller checks whether the inputs have so many arguments. If the result is
// nullopt, `*reason` says where ("[0][2], column 9") and what is wrong.
inline constexpr size_t kMaxPromotionText = 4096;
inline constexpr int kMaxPromotionArguments = 64;
std::optional<std::vector<PromotionRule>> ParsePromotionMethods(
    std::string_view text, std::string* reason);
std::string ToString(std::span<const PromotionRule> rules);

}  // namespace assay

#endif  // ASSAY_SPEC_POINTWISE_PROMOTION_H_
