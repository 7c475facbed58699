// How the products of a contraction are formed and added, as its attributes,
// its types and the policy have it.
#ifndef ASSAY_ORACLE_CONTRACTION_CONTRACTION_RULES_H_
#define ASSAY_ORACLE_CONTRACTION_CONTRACTION_RULES_H_

#include <array>
#include <optional>
#include <string>

#include "oracle/contraction/factors.h"
#include "oracle/contraction/product_sum.h"
#include "oracle/oracle.h"

namespace assay {

// What attributes ask for, of lhs and of rhs.
struct ContractionPrecision {
  std::array<std::string, 2> config = {"DEFAULT", "DEFAULT"};
  // The types of an algorithm; none if there is no algorithm.
  std::array<std::optional<NodeFormat>, 2> factors;
  std::optional<NodeFormat> accumulation;
  // An algorithm leaves open what is computed.
  bool is_open = false;
};

// Returns the format of a type of an algorithm, such as "tf32".
NodeFormat FormatOfPrecision(std::string_view type);

// The type in which integers are multiplied, where the result has another one.
enum class ProductType { kOperand, kResult, kEither };

struct ContractionRules {
  // Preconditions: lhs and rhs have one element type, and none is quantized.
  ContractionRules(const OpCall& op, const ContractionPrecision& precision);

  const OpCall& op;
  ElementType operand, result;
  SumRules sums;
  std::array<FactorRounding, 2> factors;
  ProductType product_type;
  bool wraps;  // integers; else what overflows may be anything
  // The text says nothing of such a pair of types, or of such an algorithm.
  bool is_open = false;
  // Sums are put together by reduce, as the text has it.
  bool is_literal = false;
  // Factors are integers that a float of the result need not have.
  bool has_integer_factors = false;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_CONTRACTION_RULES_H_
