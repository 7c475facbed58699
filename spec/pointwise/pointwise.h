// A pointwise call is a call of an elementwise op as kernels really are called:
// on operands of different shapes and types, with results that are given.
//
// A pointwise op has no semantics of its own. A call is defined as a program
// (Desugar): each operand is converted to the computation type and broadcast to
// the shape of the task space, the op is applied, and its result is converted
// to the result type. Types follow from the promotion method that the call
// names (promotion.h), shapes from the shapes of the operands (broadcast.h).
// pointwise.json has the clauses, which all these ops share, and the functions
// that are several ops.
#ifndef ASSAY_SPEC_POINTWISE_POINTWISE_H_
#define ASSAY_SPEC_POINTWISE_POINTWISE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/builtin_constraint.h"
#include "spec/op_spec.h"
#include "spec/pointwise/promotion.h"

namespace assay {

inline constexpr std::string_view kPointwise = "pointwise";

// Returns the op files of the pointwise ops, one for each elementwise op and
// for each function of pointwise.json. `op_files` are the files of all other
// ops.
struct MadeOpFile {
  std::string path, text;
};
std::vector<MadeOpFile> MakePointwiseOpFiles(
    const std::vector<std::string_view>& op_files,
    std::string_view pointwise_file);

// This is what a call of a pointwise op asks for.
struct PointwiseCall {
  std::optional<Shape> shape;            // of the task space
  std::vector<Promotion> promotions;     // by output; empty if there are none
  std::vector<PromotionRule> rules;      // by output
  std::vector<BuiltinFinding> findings;  // constraints that do not hold
};
PointwiseCall AnalysePointwise(const OpSpec& spec, const Op& call);
// Does the same without findings about the outputs.
PointwiseCall AnalyseOperands(const OpSpec& spec, const Op& call);

// This check is a row of builtin_constraint.cc.
std::vector<BuiltinFinding> CheckPointwise(const OpSpec& spec, const Op& call,
                                           const Policy& policy);

// Returns the types of the results, as far as they follow from the operands.
std::vector<InferredType> InferPointwiseTypes(const OpSpec& spec,
                                              const Op& call);

// Returns broadcast_in_dim of a value to `shape`, right-aligned, as `result`.
Op BroadcastOp(const TypedName& value, const Shape& shape,
               const std::string& result);

// Returns the program that defines output `output` of a call: `convert`,
// `broadcast_in_dim`, the ops of the function, `convert`, in dataflow order.
// Its operands are the values of the call's operands; the last op defines the
// output's value. `analysed` must be of this call. Precondition: no constraint
// is false.
std::vector<Op> Desugar(const OpSpec& spec, const Op& call,
                        const PointwiseCall& analysed, size_t output);

}  // namespace assay

#endif  // ASSAY_SPEC_POINTWISE_POINTWISE_H_
