// This file verifies a call whose op has the trait, and determines what happens
// when it runs.
#include <fmt/format.h>

#include <algorithm>

#include "spec/broken_constraint.h"
#include "spec/error.h"
#include "spec/pointwise/broadcast.h"

namespace assay {
namespace {

bool IsBrokenRow(std::string_view label) {
  return IsBroken(kBroadcastable, label);
}

using ShapeKind = ShapedType::Kind;

constexpr std::string_view kSeparator = ", ";

std::string ListedTypes(const std::vector<ShapedType>& types) {
  std::string text;
  for (const ShapedType& type : types) {
    if (!text.empty()) text += kSeparator;
    text += type.text;
  }
  return text;
}

std::vector<ShapedType> ParseListedTypes(std::string_view text) {
  std::vector<ShapedType> types;
  while (!text.empty()) {
    const size_t end = std::min(text.find(kSeparator), text.size());
    std::string reason;
    const auto type = ParseShapedType(text.substr(0, end), &reason);
    ASSAY_CHECK(type);
    types.push_back(*type);
    text.remove_prefix(std::min(end + kSeparator.size(), text.size()));
  }
  return types;
}

// A Verifier holds the call while it is verified.
class Verifier {
 public:
  Verifier(const BroadcastCall& call, const BroadcastRules& rules)
      : call_(call), rules_(rules) {}

  Verification Run() {
    CheckStructure();
    if (std::ranges::find(call_.operands, ShapeKind::kOther,
                          &ShapedType::kind) != call_.operands.end())
      return End("BC-03");  // such an operand has no shape
    std::vector<BroadcastOperand> operands;
    for (size_t i = 0; i < call_.operands.size(); ++i)
      operands.push_back(
          {fmt::format("operands[{}]", i), call_.operands[i].shape});
    if (IsBrokenRow("BC-04")) {
      for (const ShapedType& result : call_.results)
        operands.push_back({"result", result.shape});
    }
    result_.inference = InferResultShape(operands, rules_);
    result_.clauses = result_.inference.clauses;
    MarkElementTypes();
    for (const BroadcastError& error : result_.inference.errors) {
      if (!IsBrokenRow("BC-30"))
        Violate(error.clause, error.truth, error.reason);
    }
    if (result_.inference.failed()) return End("BC-30");
    if (call_.results.size() != 1) return End("BC-02");
    if (call_.results[0].kind == ShapeKind::kOther) return End("BC-03");
    VerifyResult(call_.results[0]);
    return std::move(result_);
  }

 private:
  void Violate(std::string_view constraint, Truth truth, std::string reason) {
    result_.violations.push_back({constraint, truth, std::move(reason)});
  }

  Verification End(std::string_view clause) {
    result_.ended = clause;
    result_.clauses.insert(clause);
    return std::move(result_);
  }

  void CheckStructure() {
    if (call_.operands.empty())
      Violate("BC-01", Truth::kFalse, "there is no operand");
    if (call_.results.size() != 1)
      Violate("BC-02", Truth::kFalse,
              fmt::format("there are {} results", call_.results.size()));
    std::vector<const ShapedType*> types;
    for (const ShapedType& type : call_.operands) types.push_back(&type);
    for (const ShapedType& type : call_.results) types.push_back(&type);
    for (const ShapedType* type : types) {
      if (type->kind == ShapeKind::kOther) {
        Violate("BC-03", Truth::kFalse,
                fmt::format("{} is neither a tensor nor a vector", type->text));
      } else if (types[0]->kind != ShapeKind::kOther &&
                 type->kind != types[0]->kind) {
        Violate("BC-03", Truth::kFalse,
                fmt::format("{} and {}: tensors and vectors are mixed",
                            types[0]->text, type->text));
      }
    }
  }

  void MarkElementTypes() {
    for (const std::vector<ShapedType>* types :
         {&call_.operands, &call_.results}) {
      for (const ShapedType& type : *types) {
        if (call_.operands.empty() ||
            type.element_type == call_.operands[0].element_type)
          continue;
        result_.clauses.insert("BC-07");
        if (IsBrokenRow("BC-07"))
          Violate("BC-03", Truth::kFalse, "element types differ");
      }
    }
  }

  void VerifyResult(const ShapedType& result) {
    const std::optional<Shape>& inferred = result_.inference.shape;
    for (const auto& [ends, clause] :
         {std::pair(!result.IsRanked(), "BC-31"),
          std::pair(!inferred.has_value(), "BC-32")}) {
      if (!ends) continue;
      result_.ended = clause;
      result_.clauses.insert(clause);
      if (IsBrokenRow(clause))
        Violate("BC-33", Truth::kFalse, "a shape is not ranked");
      return;
    }
    result_.clauses.insert("BC-06");
    const Shape& actual = *result.shape;
    if (inferred->size() != actual.size()) {
      Violate("BC-33", Truth::kFalse,
              fmt::format("the result {} has rank {}, the inferred shape {} "
                          "has rank {}",
                          result.text, actual.size(), ShapeTextOrStar(inferred),
                          inferred->size()));
      return;
    }
    for (size_t d = 0; d < actual.size(); ++d)
      VerifyDim(d, (*inferred)[d], actual[d]);
  }

  // These are the table's rows. The rows that accept have no constraint of
  // their own; if one of them is broken, its sizes violate BC-37.
  void VerifyDim(size_t d, int64_t inferred, int64_t actual) {
    VerifiedDim dim{inferred, actual, "", Truth::kTrue};
    std::string_view constraint = "BC-37";
    if (inferred == kDynamic && actual != kDynamic) {
      constraint = dim.clause = "BC-35";
      dim.ok = IsBrokenRow("BC-38") ? Truth::kFalse : rules_.dynamic_to_static;
      result_.clauses.insert("BC-38");
    } else if (inferred == kDynamic) {
      dim.clause = "BC-34";
    } else if (actual == kDynamic) {
      dim.clause = "BC-36";
      if (IsBrokenRow("BC-06")) dim.ok = Truth::kFalse;
    } else {
      dim.clause = "BC-37";
      dim.ok = inferred == actual ? Truth::kTrue : Truth::kFalse;
    }
    if (dim.clause != constraint && IsBrokenRow(dim.clause))
      dim.ok = Truth::kFalse;
    result_.clauses.insert(dim.clause);
    result_.dims.push_back(dim);
    if (dim.ok != Truth::kTrue)
      Violate(constraint, dim.ok,
              fmt::format("dimension {} of the result is {}; inferred is {}", d,
                          ShapeText({actual}), ShapeText({inferred})));
  }

  const BroadcastCall& call_;
  const BroadcastRules& rules_;
  Verification result_;
};

}  // namespace

Op BroadcastCall::ToOp() const {
  Op op;
  op.op = kBroadcastable;
  op.attributes = {{"operands", ListedTypes(operands)},
                   {"results", ListedTypes(results)}};
  return op;
}

BroadcastCall BroadcastCall::FromOp(const Op& op) {
  ASSAY_CHECK(op.op == kBroadcastable && op.attributes.size() == 2);
  return {ParseListedTypes(std::get<std::string>(op.attributes[0].value)),
          ParseListedTypes(std::get<std::string>(op.attributes[1].value))};
}

Verification Verify(const BroadcastCall& call, const BroadcastRules& rules) {
  return Verifier(call, rules).Run();
}

Truth Verification::TruthOfConstraint(std::string_view label) const {
  Truth truth = Truth::kTrue;
  for (const BroadcastViolation& violation : violations) {
    if (violation.constraint != label) continue;
    if (violation.truth == Truth::kFalse) return Truth::kFalse;
    truth = violation.truth;
  }
  const auto ended_before = [&](std::initializer_list<std::string_view> at) {
    return std::ranges::find(at, ended) != at.end();
  };
  if (label == "BC-15" || label == "BC-17")
    return ended == "BC-03" && inference.operands.empty() ? Truth::kUndefined
                                                          : truth;
  if (label == "BC-33" && ended_before({"BC-02", "BC-03", "BC-30"}))
    return Truth::kUndefined;
  if ((label == "BC-35" || label == "BC-37") &&
      (ended_before({"BC-02", "BC-03", "BC-30"}) ||
       TruthOfConstraint("BC-33") == Truth::kFalse))
    return Truth::kUndefined;
  return truth;
}

RuntimeShape InferRuntimeShape(const BroadcastCall& call,
                               std::span<const Shape> shapes,
                               const Verification& verification) {
  const size_t rank = verification.inference.shape->size();
  RuntimeShape runtime{Shape(rank, 1), "", ""};
  Shape types(rank, 1);  // what is inferred of the dimensions so far
  const auto undefined = [](std::string_view clause, std::string reason) {
    return RuntimeShape{std::nullopt, clause, std::move(reason)};
  };
  for (size_t k = 0; k < shapes.size(); ++k) {
    Shape type = *call.operands[k].shape, shape = shapes[k];
    ExpandRank(&type, rank);
    ExpandRank(&shape, rank);
    for (size_t d = 0; d < rank; ++d) {
      int64_t& size = (*runtime.shape)[d];
      const std::string_view clause =
          types[d] == kDynamic && type[d] == kDynamic ? "BC-18" : "BC-19";
      if (size != 1 && shape[d] != 1 && size != shape[d] &&
          !IsBrokenRow(clause))
        return undefined(
            clause, fmt::format("dimension {} is {} in operands[{}] when it "
                                "runs, and {} in those before it",
                                d, shape[d], k, size));
      if (size == 1) size = shape[d];
      types[d] = InferDim(types[d], type[d]).dim;
    }
  }
  const std::optional<Shape>& result = call.results[0].shape;
  for (size_t d = 0; result && d < rank; ++d) {
    if ((*result)[d] != kDynamic && (*result)[d] != (*runtime.shape)[d])
      return undefined("BC-35",
                       fmt::format("dimension {} of the result is {}, and {} "
                                   "when it runs",
                                   d, (*result)[d], (*runtime.shape)[d]));
  }
  return runtime;
}

}  // namespace assay
