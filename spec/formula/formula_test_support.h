// The tests of formulas share these functions.
#ifndef ASSAY_SPEC_FORMULA_FORMULA_TEST_SUPPORT_H_
#define ASSAY_SPEC_FORMULA_FORMULA_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "spec/formula/formula.h"

namespace assay {

// Returns the members that the tests share: tensors by their types, constants
// by their values, and the truth values that no literal has.
inline Environment Members() {
  Environment environment;
  const auto tensor = [&](const char* name, const char* text) {
    std::string reason;
    environment.members.emplace(
        name, Value::Placeholder{*ParseTensorType(text, &reason)});
  };
  tensor("lhs", "tensor<2x3x4xi8>");
  tensor("rhs", "tensor<2x4x5xi8>");
  tensor("scalar", "tensor<f32>");
  tensor("mask", "tensor<2x3x4xi1>");
  tensor("z", "tensor<3xcomplex<f64>>");
  tensor("dynamic", "tensor<?x3xi8>");
  tensor("two_three", "tensor<2x3xi8>");
  tensor("two_four", "tensor<2x4xi8>");
  tensor("unknown", "tensor<?x?xi8>");
  environment.members.emplace("direction", Symbol{"LT"});
  environment.members.emplace("text", std::string("abc"));
  environment.members.emplace("D", Value::Unknown{});
  environment.members.emplace("U", Value::Undefined{"test"});
  for (const auto& [name, list] :
       {std::pair("lhs_batching_dimensions", "[0]"),
        std::pair("rhs_batching_dimensions", "[0]"),
        std::pair("xs", "[1, 2, 3]"), std::pair("none_of_them", "[]")}) {
    environment.members.emplace(name, Evaluate(Formula::Parse(list), {}));
  }
  return environment;
}

inline Value Eval(const std::string& text) {
  return Evaluate(Formula::Parse(text), Members());
}

inline std::string ErrorOf(const std::string& text) {
  try {
    Eval(text);
  } catch (const FormulaError& e) {
    return e.what();
  }
  return "no error";
}

struct FormulaRow {
  const char *formula, *expected;
};

inline void ExpectValues(std::initializer_list<FormulaRow> rows) {
  for (const FormulaRow& row : rows) {
    EXPECT_EQ(Eval(row.formula).ToString(), row.expected) << row.formula;
  }
}

inline void ExpectTruths(std::initializer_list<FormulaRow> rows) {
  for (const FormulaRow& row : rows) {
    EXPECT_STREQ(Name(TruthOf(Eval(row.formula))), row.expected) << row.formula;
  }
}

}  // namespace assay

#endif  // ASSAY_SPEC_FORMULA_FORMULA_TEST_SUPPORT_H_
