// Inference is in the order of the document. Verification is in
// broadcast_verify.cc.
//
// Where a clause can be broken (broken_constraint.h), the broken clause decides
// for something that the document does not say, and some case has to notice.
#include "spec/pointwise/broadcast.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/broken_constraint.h"

namespace assay {
namespace {

bool IsBrokenClause(std::string_view label) {
  return IsBroken(kBroadcastable, label);
}

enum Category { kUnknown, kOne, kMany };

Category CategoryOf(int64_t dim) {
  return dim == kDynamic ? kUnknown : dim == 1 ? kOne : kMany;
}

constexpr int Pair(Category first, Category second) {
  return first * 3 + second;
}

// Returns the size of dimension `d` of a shape that is aligned at the right
// with one of `rank` dimensions, or 1 if the shape does not have that
// dimension.
int64_t AlignedSize(const Shape& shape, size_t d, size_t rank) {
  return d + shape.size() < rank ? 1 : shape[d + shape.size() - rank];
}

// Returns "dimension 0 is 3 in lhs and 2 in rhs". The first of the two sizes
// may come from any earlier operand.
std::string DifferenceText(const Inference& inference, size_t d,
                           const InferredDim& dim, size_t last) {
  const size_t rank = inference.shape->size();
  std::string source = "the operands before";
  for (size_t k = 0; k < last; ++k) {
    const BroadcastOperand& operand = inference.operands[k];
    if (!operand.shape || AlignedSize(*operand.shape, d, rank) != dim.dim0)
      continue;
    source = operand.name;
    break;
  }
  return fmt::format("dimension {} is {} in {} and {} in {}", d, dim.dim0,
                     source, dim.dim1, inference.operands[last].name);
}

// Collects the decisions of the steps about every dimension.
void CollectDims(Inference* inference) {
  const size_t rank = inference->shape->size();
  for (const Inference::Step& step : inference->steps) {
    for (size_t i = 0; i < step.joined.dims.size(); ++i) {
      const InferredDim& dim = step.joined.dims[i];
      if (dim.clause.empty()) continue;
      inference->clauses.insert({dim.clause, "BC-16"});
      if (dim.compatible == Truth::kTrue) continue;
      const size_t d = i + rank - step.joined.dims.size();
      inference->errors.push_back(
          {d, dim.clause, dim.compatible,
           DifferenceText(*inference, d, dim, step.operand)});
    }
  }
}

}  // namespace

BroadcastRules BroadcastRules::Of(const Policy& policy) {
  BroadcastRules rules;
  const std::string& to_static = policy.Get("broadcastable_dynamic_to_static");
  rules.dynamic_to_static = to_static == "accept"  ? Truth::kTrue
                            : to_static == "error" ? Truth::kFalse
                                                   : Truth::kUndefined;
  rules.zero_with_many = policy.Get("broadcastable_zero") == "any"
                             ? Truth::kUndefined
                             : Truth::kFalse;
  return rules;
}

InferredDim InferDim(int64_t dim0, int64_t dim1, const BroadcastRules& rules) {
  const auto infer = [&](int64_t dim, std::string_view clause) {
    if (IsBrokenClause("BC-16")) dim = dim == dim0 ? dim1 : dim0;
    if (IsBrokenClause(clause)) dim = dim == kDynamic ? 1 : kDynamic;
    return InferredDim{dim0, dim1, dim, clause, Truth::kTrue};
  };
  const auto differ = [&](std::string_view clause) {
    if (IsBrokenClause("BC-05")) return infer(dim0, clause);
    return InferredDim{dim0, dim1, kIncompatible, clause, Truth::kFalse};
  };
  if (dim0 == kIncompatible || dim1 == kIncompatible)
    return {dim0, dim1, kIncompatible, "", Truth::kTrue};
  if (dim0 == 0 || dim1 == 0) {  // BC-17: the table has no such category
    const int64_t other = dim0 == 0 ? dim1 : dim0;
    if (other <= 1) return {dim0, dim1, 0, "BC-17", Truth::kTrue};
    if (rules.zero_with_many == Truth::kFalse) return differ("BC-17");
    return {dim0, dim1, 0, "BC-17", rules.zero_with_many};
  }
  switch (Pair(CategoryOf(dim0), CategoryOf(dim1))) {
    case Pair(kUnknown, kUnknown):
      return infer(dim0, "BC-10");
    case Pair(kUnknown, kOne):
      return infer(dim0, "BC-11");
    case Pair(kOne, kOne):
      return infer(dim0, "BC-13");
    case Pair(kMany, kUnknown):
      return infer(dim0, "BC-12");
    case Pair(kMany, kOne):
      return infer(dim0, "BC-14");
    case Pair(kUnknown, kMany):
      return infer(dim1, "BC-12");
    case Pair(kOne, kUnknown):
      return infer(dim1, "BC-11");
    case Pair(kOne, kMany):
      return infer(dim1, "BC-14");
    default:  // kMany, kMany
      return dim0 != dim1 ? differ("BC-15") : infer(dim0, "BC-15");
  }
}

void ExpandRank(Shape* shape, size_t rank) {
  while (shape->size() < rank)
    shape->insert(IsBrokenClause("BC-20") ? shape->end() : shape->begin(), 1);
}

InferredShape InferShape(Shape shape0, Shape shape1,
                         const BroadcastRules& rules) {
  const size_t rank = std::max(shape0.size(), shape1.size()) +
                      (IsBrokenClause("BC-21") ? 1 : 0);
  ExpandRank(&shape0, rank);
  ExpandRank(&shape1, rank);
  InferredShape inferred;
  for (size_t i = 0; i < rank; ++i) {
    inferred.dims.push_back(InferDim(shape0[i], shape1[i], rules));
    inferred.shape.push_back(inferred.dims.back().dim);
  }
  return inferred;
}

bool Inference::failed() const {
  return std::ranges::any_of(errors, [](const BroadcastError& error) {
    return error.truth == Truth::kFalse;
  });
}

Inference InferResultShape(std::span<const BroadcastOperand> operands,
                           const BroadcastRules& rules) {
  Inference inference;
  inference.operands.assign(operands.begin(), operands.end());
  size_t unranked = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].shape) {
      ++unranked;
    } else if (!inference.first) {
      inference.first = i;
      inference.shape = operands[i].shape;
    } else {
      if (inference.shape->size() != operands[i].shape->size())
        inference.clauses.insert("BC-20");
      inference.steps.push_back(
          {i, InferShape(*inference.shape, *operands[i].shape, rules)});
      inference.shape = inference.steps.back().joined.shape;
      inference.clauses.insert({"BC-05", "BC-21", "BC-22"});
      if (IsBrokenClause("BC-22")) break;
    }
  }
  if (!inference.shape) {
    inference.clauses.insert("BC-23");
    if (IsBrokenClause("BC-23")) inference.shape = Shape();
    return inference;
  }
  CollectDims(&inference);
  inference.clauses.insert("BC-04");
  if (inference.steps.empty()) {
    inference.clauses.insert("BC-24");
    if (IsBrokenClause("BC-24"))
      ExpandRank(&*inference.shape, inference.shape->size() + 1);
  }
  if (unranked > 0) {
    inference.clauses.insert("BC-25");
    if (IsBrokenClause("BC-25")) inference.shape.reset();
  }
  return inference;
}

std::optional<Shape> BroadcastShapes(std::span<const BroadcastOperand> operands,
                                     std::string* reason) {
  const Inference inference = InferResultShape(operands);
  if (inference.failed()) {
    *reason = inference.errors.front().reason;
    return std::nullopt;
  }
  return inference.shape ? inference.shape : Shape();
}

}  // namespace assay
