// Tests that every rule refuses what it is for, with a reason that names it,
// and accepts formulas that are right or whose kinds are not known.
#include "spec/formula/formula_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

nlohmann::ordered_json OpFileOfTest() {
  return nlohmann::ordered_json::parse(R"op({
    "op": "t", "source": "stablehlo", "spec": {"lines": [1, 2]},
    "inputs": [{"label": "I1", "name": "x", "kind": "tensor", "types": ["any"]},
      {"label": "I2", "name": "y", "kind": "tensor", "types": ["any"]},
      {"label": "I3", "name": "axis", "kind": "constant", "type": "tensor<i64>"},
      {"label": "I4", "name": "low", "kind": "constant", "type": "tensor<?xi64>"},
      {"label": "I5", "name": "pairs", "kind": "constant",
       "type": "tensor<?x2xi64>"},
      {"label": "I6", "name": "flag", "kind": "constant", "type": "tensor<i1>"},
      {"label": "I7", "name": "mode", "kind": "enum", "values": ["FAST", "SLOW"]},
      {"label": "I8", "name": "other", "kind": "enum", "values": ["LEFT"]}],
    "outputs": [{"name": "result", "kind": "tensor", "types": ["any"]}],
    "where": {"R": "rank(x)"}, "constraints": {"C1": {"formula": "true"}},
    "infer": {"type(result)": "type(x)"}, "semantics": {},
    "accuracy": {"rule": "exact"}})op");
}

std::vector<std::string> Complaints(const nlohmann::ordered_json& op) {
  std::vector<std::string> lines;
  for (const auto& [pointer, reason] : CheckTypes(ParseOpSpec("f", op.dump())))
    lines.push_back(pointer + ": " + reason);
  return lines;
}

std::vector<std::string> Constraint(const std::string& formula) {
  nlohmann::ordered_json op = OpFileOfTest();
  op["constraints"]["C1"]["formula"] = formula;
  return Complaints(op);
}

TEST(FormulaCheck, AcceptsWhatIsRight) {
  for (const char* formula : {"type(x) = type(y) = type(result)",
                              "type(x) = x",
                              "0 <= axis and axis < R",
                              "shape(result) = shape(x) + low",
                              "0 <= low",
                              "low != 1",
                              "0 < shape(x)",
                              "is_integer(x) or flag",
                              "is_integer(element_type(x))",
                              "element_type(x) in [i8, i16]",
                              "mode = FAST or mode in [SLOW, FAST]",
                              "dim(x, low...) = 1",
                              "If flag, then rank(x) = 0",
                              "size(low) = R",
                              "size(x) = 3",
                              "shape(x)[1:R] = low[:axis]",
                              "low[axis] = 3",
                              "axis[] = 3",
                              "pairs[0] = low",
                              "pairs = low",
                              "[axis, low..., 1] = shape(x)",
                              "(1 if flag else 2) = axis",
                              "storage_type(x) = None",
                              "quantization_dimension(x) = None",
                              "rank(x) - 1 = -axis",
                              "range(R) = axes(x)",
                              "num_bits(x) * 2 = num_bits(i8)",
                              "[flag, true] and [is_float(x)]",
                              "For all d in axes(x), dim(x, d) = low[d]",
                              "For all d in low, d = 1 or flag",
                              "is_unique(low)",
                              "(axis if flag else element_type(x)) = i8",
                              "flag = is_float(x)"}) {
    EXPECT_THAT(Constraint(formula), IsEmpty()) << formula;
  }
}

TEST(FormulaCheck, RefusesWhatIsNot) {
  struct Row {
    const char *formula, *reason;
  };
  const Row rows[] = {
      {"rank(axis) = 0",
       "rank() takes a tensor or a type or a tensor constant, not a number"},
      {"rank([1]) = 1",
       "rank() takes a tensor or a type or a tensor constant, not a list"},
      {"shape(flag) = low",
       "shape() takes a tensor or a type or a tensor constant, not a truth"},
      {"is_integer(mode)", "not an enum constant"},
      {"dim(x, flag) = 1", "dim() takes a number, not a truth value"},
      {"shape(x) = 2", "'=' between a shape and a number: rank() or dim()"},
      {"2 != shape(x)", "'!=' between a shape and a number"},
      {"shape(x) = type(y)", "'=' between a number and a type"},
      {"element_type(x) = type(x)", "'=' between an element type and a type"},
      {"low = flag", "'=' between a number and a truth value"},
      {"element_type(x) in [1, 2]",
       "'in' between an element type and a number"},
      {"axis in axis", "'in' is followed by a list, not a number"},
      {"x < y", "'<' compares numbers, not a tensor"},
      {"type(x) >= 1", "'>=' compares numbers, not a type"},
      {"axis + flag = 1", "'+' takes numbers, not a truth value"},
      {"-type(x) = 1", "'-' takes numbers, not a type"},
      {"x[0] = 1", "a subscript follows a list, not a tensor"},
      {"axis[0] = 1", "a subscript follows a list, not a number"},
      {"low[flag] = 1", "a subscript is a number, not a truth value"},
      {"low[:flag] = 1", "a subscript is a number, not a truth value"},
      {"dim(x, axis...) = 1", "'...' follows a list, not a number"},
      {"not axis", "'not' takes a truth value, not a number"},
      {"flag and rank(x)", "'and' takes a truth value, not a number"},
      {"shape(x) or flag", "'or' takes a truth value, not a shape"},
      {"If axis, then flag", "'If .., then ..' takes a truth value"},
      {"(1 if axis else 2) = 1", "'if' takes a truth value, not a number"},
      {"rank(x)", "the formula must be a truth value, not a number"},
      {"shape(x)", "the formula must be a truth value, not a shape"},
      {"mode = LEFT",
       "enum constants that are never equal: FAST, SLOW and LEFT"},
      {"mode in [LEFT]", "never equal"},
      {"mode = 1", "'=' between an enum constant and a number"},
      {"true if flag else rank(flag) = 1", "rank() takes"},
      {"For all d in axis, d = 1", "a loop goes through a list, not a num"},
      {"For all d in low, d", "'For all' takes a truth value, not a number"},
      {"For all d in low, rank(d) = 1", "rank() takes a tensor or a type"},
      {"is_unique(axis)", "is_unique() takes a list, not a number"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(
        Constraint(row.formula),
        ::testing::ElementsAre(AllOf(HasSubstr("/constraints/C1/formula: "),
                                     HasSubstr(row.reason))))
        << row.formula;
  }
}

TEST(FormulaCheck, NamesThePlaceOfEveryKindOfFormula) {
  nlohmann::ordered_json op = OpFileOfTest();
  op["where"]["R"] = "rank(axis)";
  op["where"]["S"] = "S + 1";
  op["infer"] = {{"shape(result)", "rank(x)"}, {"element_type(result)", "x"}};
  op["inputs"][2]["types"] = {"integer"};
  EXPECT_THAT(
      Complaints(op),
      ::testing::ElementsAre(
          HasSubstr("/where/R: rank() takes"),
          HasSubstr("/where/S: 'S' is defined by itself"),
          HasSubstr("/inputs/2: is_integer() takes"),
          HasSubstr("/infer/element_type(result): the formula must be an "
                    "element type, not a tensor"),
          HasSubstr(
              "/infer/shape(result): the formula must be a shape or a list or "
              "a tensor constant, not a number")));
  op = OpFileOfTest();
  op["infer"] = {{"type(result)", "type(result)"}};
  EXPECT_THAT(Complaints(op),
              ::testing::ElementsAre(
                  "/infer/type(result): 'result' is an output, and not there "
                  "yet"));
}

TEST(FormulaCheck, TheOpsThatThereAreHaveNoComplaint) {
  ASSERT_FALSE(Ops().empty());
  for (const OpSpec& spec : Ops())
    EXPECT_EQ(CheckTypes(spec).size(), 0u) << spec.id;
}

}  // namespace
}  // namespace assay
