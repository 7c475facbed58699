// Tests that each embedded policy decides every key, and that the values are
// those that the files mean. They are repeated here so that a change in a file
// that others extend is noticed where it takes effect.
#include "spec/policy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "spec/error.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Policy, ThereAreThesePoliciesByName) {
  EXPECT_THAT(Policy::Names(),
              ElementsAre("assay", "cuda_fast", "flush", "mask", "mlir_strict",
                          "numpy", "stablehlo", "stablehlo_flush", "tensorflow",
                          "torch", "xla", "xla_cuda"));
}

TEST(Policy, EveryPolicyGivesEveryKeyAndNoOther) {
  ASSERT_FALSE(PolicyKeys().empty());
  for (const std::string& name : Policy::Names()) {
    const Policy& policy = Policy::Find(name);
    EXPECT_EQ(policy.name(), name);
    EXPECT_FALSE(policy.description().empty()) << name;
    EXPECT_EQ(policy.values().size(), PolicyKeys().size()) << name;
    for (const auto& [key, meaning] : PolicyKeys()) {
      EXPECT_FALSE(policy.Get(key).empty()) << name << ' ' << key;
      EXPECT_GT(meaning.size(), 20u) << key;
    }
  }
}

TEST(Policy, ValuesOfIntegerKeysAreThese) {
  struct Row {
    const char *policy, *shift, *unsigned_shift, *overflow, *by_zero, *power,
        *power_overflow;
  };
  const Row rows[] = {
      {"assay", "saturate", "top_bit", "wrap", "all_ones", "zero_unless_unit",
       "wrap"},
      {"flush", "saturate", "top_bit", "wrap", "all_ones", "zero_unless_unit",
       "wrap"},
      {"mask", "mask", "top_bit", "wrap", "any", "zero_unless_unit", "wrap"},
      {"numpy", "saturate", "zero", "wrap", "zero", "any", "wrap"},
      {"stablehlo", "any", "top_bit_or_zero", "any", "any", "any_unless_unit",
       "any"},
      {"tensorflow", "clamp", "zero", "wrap", "any", "any_unless_unit", "wrap"},
      {"torch", "saturate", "zero", "wrap", "any", "zero_but_for_units",
       "wrap"},
      {"xla", "saturate", "top_bit", "wrap", "all_ones", "zero_but_for_units",
       "wrap_below_64"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.policy);
    const Policy& policy = Policy::Find(row.policy);
    EXPECT_EQ(policy.Get("shift_overflow"), row.shift);
    EXPECT_EQ(policy.Get("unsigned_arithmetic_shift"), row.unsigned_shift);
    EXPECT_EQ(policy.Get("integer_overflow"), row.overflow);
    EXPECT_EQ(policy.Get("integer_divide_by_zero"), row.by_zero);
    EXPECT_EQ(policy.Get("integer_power_negative_exponent"), row.power);
    EXPECT_EQ(policy.Get("integer_power_overflow"), row.power_overflow);
  }
}

TEST(Policy, OurOwnValuesOfOtherKeysAreThese) {
  const std::pair<const char*, const char*> values[] = {
      {"float_to_integer", "saturate"},
      {"inexact_conversion", "nearest_even"},
      {"sign_of_zero_operand", "by_example"},
      {"float_remainder", "fmod"},
      {"total_order_equality", "bitwise"},
      {"total_order_single_nan", "greatest"},
      {"complex_overflow", "by_part_of_near_angles"},
      {"complex_order", "either_operand"},
      {"complex_branch_cut", "signed_zero"},
      {"reduce_precision_nan", "nan"},
      {"reduce_precision_tie", "larger"},
      {"reduce_precision_exponents", "by_value"},
      {"overflow_without_infinity", "by_format"},
      {"nan_without_nan", "zero"},
      {"e8m0_tie", "larger"},
      {"e8m0_zero", "smallest"},
      {"e8m0_negative", "nan"},
      {"e8m0_overflow", "nan"},
      {"e8m0_least", "value"},
      {"division_by_reciprocal", "no"},
      {"power_by_logarithm", "no"},
      {"subnormals", "preserve"},
      {"nan_payload_in_movement", "keep"},
      {"iota_unrepresentable", "wrap"},
      {"reduction_init", "at_most_terms"},
      {"reduction_order", "in_order"},
      {"accumulation_type", "element"},
      {"contraction_order", "any"},
      {"dot_product_type", "result"},
      {"dot_precision", "full"},
      {"dot_algorithm", "any"},
      {"sort_equal_elements", "any_order"},
      {"sort_without_order", "permutation"},
      {"scatter_order", "permutation"},
      {"broken_index_promise", "ignored"},
      {"index_without_element", "any"},
      {"empty_selection_window", "skip"},
      {"broken_expansion_promise", "ignored"},
      {"runtime_shape_mismatch", "any"},
      {"bitcast_layout", "little_endian"},
      {"broadcastable_dynamic_to_static", "accept"},
      {"broadcastable_zero", "static"},
      {"broadcastable_runtime_mismatch", "any"}};
  for (const auto& [key, value] : values)
    EXPECT_EQ(Policy::Find("assay").Get(key), value) << key;
  EXPECT_EQ(Policy::Find("xla").Get("subnormals"), "flush_uniformly");
  EXPECT_EQ(Policy::Find("flush").Get("subnormals"), "flush_uniformly");
  EXPECT_EQ(Policy::Find("mlir_strict").Get("broadcastable_dynamic_to_static"),
            "error");
}

TEST(Policy, AFileThatExtendsAnotherTakesWhatItDoesNotGive) {
  // mask.json gives three keys; the others are those of assay.json.
  const Policy& mask = Policy::Find("mask");
  const Policy& assay = Policy::Find("assay");
  for (const auto& [key, value] : assay.values()) {
    if (key == "shift_overflow" || key == "layout_invariant" ||
        key == "integer_divide_by_zero") {
      EXPECT_NE(mask.Get(key), value) << key;
    } else {
      EXPECT_EQ(mask.Get(key), value) << key;
    }
  }
  // There are two steps: tensorflow.json extends stablehlo.json, which extends
  // assay.
  EXPECT_EQ(Policy::Find("tensorflow").Get("float_remainder"),
            "fmod_or_literal");
  EXPECT_EQ(Policy::Find("tensorflow").Get("complex_special"), "any");
}

// If a value is not `any`, the table of spec/README.md says what the text
// leaves open.
TEST(Policy, TheSpecificationsOwnPolicyLeavesOpenWhatTheTextDoes) {
  // Subnormals, quotients and powers are IEEE 754's, which the text points to.
  const std::map<std::string, std::string> others = {
      {"accumulation_type", "wider"},
      {"algebraic_rewrites", "allowed"},
      {"dot_product_type", "either"},
      {"dot_precision", "bf16"},
      {"sort_equal_elements", "any_order"},
      {"bitcast_layout", "either_endian"},
      {"complex_branch_cut", "either_side"},
      {"complex_order", "either_operand_or_nan"},
      {"complex_overflow", "by_part_or_steps"},
      {"e8m0_overflow", "largest_or_nan"},
      {"e8m0_tie", "either_neighbour"},
      {"e8m0_zero", "smallest_or_nan"},
      {"float_remainder", "fmod_or_literal"},
      {"inexact_conversion", "either_neighbour"},
      {"integer_power_negative_exponent", "any_unless_unit"},
      {"overflow_without_infinity", "largest_or_nan"},
      {"reduce_precision_exponents", "either"},
      {"reduction_init", "at_most_terms_and_one"},
      {"reduce_precision_nan", "nan_or_infinity"},
      {"reduce_precision_tie", "either_neighbour"},
      {"scatter_order", "permutation"},
      {"sign_of_zero_operand", "either_zero"},
      {"unsigned_arithmetic_shift", "top_bit_or_zero"},
      {"contraction", "allowed"},
      {"division_by_reciprocal", "no"},
      {"e8m0_least", "value"},
      {"excess_precision", "allowed"},
      {"layout_invariant", "counted"},
      {"repeatable", "counted"},
      {"logistic_formula", "real_or_steps"},
      {"nan_payload_in_movement", "any_nan"},
      {"power_by_logarithm", "no"},
      {"subnormals", "preserve"}};
  for (const auto& [key, value] : Policy::Find("stablehlo").values()) {
    const auto other = others.find(key);
    EXPECT_EQ(value, other == others.end() ? "any" : other->second) << key;
  }
}

TEST(Policy, BudgetsAreThese) {
  const struct {
    const char* op;
    ElementType type;
    double ulp;
  } rows[] = {{"exponential", ElementType::kF32, 2},
              {"exponential", ElementType::kF64, 2},
              {"exponential", ElementType::kF16, 0.51},
              {"tanh", ElementType::kF32, 3.5},
              {"tanh", ElementType::kBF16, 0.51},
              {"tanh", ElementType::kComplexF64, 8},
              {"logistic", ElementType::kF64, 3},
              {"logistic", ElementType::kF8E8M0FNU, 0.51},
              {"rsqrt", ElementType::kF32, 2},
              {"power", ElementType::kF64, 2},
              {"sqrt", ElementType::kComplexF32, 4},
              {"abs", ElementType::kComplexF32, 2}};
  for (const auto& row : rows) {
    for (const char* policy : {"assay", "flush", "stablehlo", "tensorflow"}) {
      const Budget* budget = Policy::Find(policy).FindBudget(row.op, row.type);
      ASSERT_NE(budget, nullptr) << row.op << ' ' << Name(row.type);
      EXPECT_EQ(budget->ulp, row.ulp) << row.op << ' ' << Name(row.type);
      EXPECT_FALSE(budget->result_accuracy.has_value());
    }
  }
  const Policy& assay = Policy::Find("assay");
  EXPECT_EQ(assay.FindBudget("add", ElementType::kF32), nullptr);
  EXPECT_EQ(assay.FindBudget("sqrt", ElementType::kF32), nullptr);
  EXPECT_EQ(assay.FindBudget("power", ElementType::kI32), nullptr);
  EXPECT_EQ(assay.FindBudget("abs", ElementType::kF64), nullptr);
}

// A row that names no op, or comes after one that covers as much, never holds.
// (The rows that a policy takes from assay come after its own.)
TEST(Policy, EveryRowOfBudgetsHoldsForEachOfItsOps) {
  const size_t shared = Policy::Find("assay").budgets().size();
  for (const std::string& name : Policy::Names()) {
    const std::vector<Budget>& rows = Policy::Find(name).budgets();
    ASSERT_GE(rows.size(), shared) << name;
    const size_t own = name == "assay" ? shared : rows.size() - shared;
    for (size_t i = 0; i < own; ++i) {
      EXPECT_GE(rows[i].reason.size(), 10u);
      for (const std::string& op : rows[i].ops) {
        EXPECT_NE(FindOp(op), nullptr) << name << ' ' << op;
        bool holds = false;
        for (const ElementTypeInfo& info : ElementTypes()) {
          for (const Budget* row :
               Policy::Find(name).FindBudgets(op, info.type))
            holds |= row == &rows[i];
        }
        EXPECT_TRUE(holds) << name << ' ' << i << ' ' << op;
      }
    }
  }
}

// On floats, each op whose accuracy the text leaves open has a budget for every
// operand, and no other op has one unless its file says that it may.
TEST(Policy, BudgetsAreOfOpsThatHaveOne) {
  for (const std::string& name : Policy::Names()) {
    for (const OpSpec& spec : Ops()) {
      if (!spec.executable || !spec.steps.empty()) continue;
      for (const ElementTypeInfo& info : ElementTypes()) {
        if (!IsFloat(info.type)) continue;
        const auto rows = Policy::Find(name).FindBudgets(spec.id, info.type);
        SCOPED_TRACE(name + ' ' + spec.id + ' ' + info.name);
        if (spec.rule == "ulp") {
          ASSERT_FALSE(rows.empty());
          EXPECT_TRUE(rows.back()->where.empty());
        } else {
          EXPECT_TRUE(rows.empty() || spec.may_have_budget);
        }
      }
    }
  }
}

TEST(Policy, OnlyOurOwnRequiresBitsThatDoNotDependOnTheLayout) {
  const std::set<std::string> own = {"assay", "cuda_fast", "flush",
                                     "mlir_strict"};
  for (const std::string& name : Policy::Names()) {
    EXPECT_EQ(Policy::Find(name).Get("layout_invariant"),
              own.contains(name) ? "required" : "counted")
        << name;
  }
}

TEST(Policy, UnknownNameListsThoseThereAre) {
  for (const char* name : {"", "Assay", "policy", "nunpy", "assay.json"}) {
    try {
      Policy::Find(name);
      ADD_FAILURE() << "no error for " << name;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(fmt::format("'{}'", name)));
      EXPECT_THAT(e.what(),
                  HasSubstr("assay, cuda_fast, flush, mask, mlir_strict, "
                            "numpy, stablehlo, stablehlo_flush, tensorflow, "
                            "torch, xla, xla_cuda"));
    }
  }
}

// Everything that nvcc's fast mathematics does not change is as in assay.
TEST(Policy, CudaFastDiffersFromOurOwnInF32AndNarrowerFloatsOnly) {
  const Policy& fast = Policy::Find("cuda_fast");
  const Policy& assay = Policy::Find("assay");
  const std::map<std::string, std::string> others = {
      {"division_by_reciprocal", "allowed"},
      {"e8m0_least", "subnormal"},
      {"power_by_logarithm", "allowed"},
      {"subnormals", "flush_uniformly"}};
  for (const auto& [key, value] : assay.values()) {
    const auto other = others.find(key);
    EXPECT_EQ(fast.Get(key), other == others.end() ? value : other->second)
        << key;
  }
  for (const OpSpec& spec : Ops()) {
    for (const ElementTypeInfo& info : ElementTypes()) {
      if (IsFloat(info.type) && info.type != ElementType::kF64) continue;
      const Budget* const of_fast = fast.FindBudget(spec.id, info.type);
      const Budget* const of_assay = assay.FindBudget(spec.id, info.type);
      ASSERT_EQ(of_fast == nullptr, of_assay == nullptr);
      if (of_fast == nullptr) continue;
      EXPECT_EQ(of_fast->Text(), of_assay->Text()) << spec.id << info.name;
      EXPECT_TRUE(of_fast->IsConstant());
    }
  }
  EXPECT_EQ(assay.FindBudget("divide", ElementType::kF32), nullptr);
  EXPECT_NE(fast.FindBudget("divide", ElementType::kF32), nullptr);
  EXPECT_EQ(fast.FindBudgets("sine", ElementType::kF32).size(), 4u);
}

TEST(Policy, XlaOnCudaDiffersFromXlaOnCpuInSumsOnly) {
  const Policy& cuda = Policy::Find("xla_cuda");
  const Policy& cpu = Policy::Find("xla");
  const std::map<std::string, std::string> others = {
      {"accumulation_type", "wider"},
      {"dot_precision", "tf32"},
      {"e8m0_zero", "smallest_or_nan"},
      {"reduction_init", "any"},
      {"reduction_order", "any"}};
  for (const auto& [key, value] : cpu.values()) {
    const auto other = others.find(key);
    EXPECT_EQ(cuda.Get(key), other == others.end() ? value : other->second)
        << key;
    EXPECT_EQ(other == others.end(), cuda.Get(key) == value) << key;
  }
}

TEST(PolicyDeathTest, KeysAreKnown) {
  EXPECT_DEATH(Policy::Find("assay").Get("shift_overflows"), "values_");
}

}  // namespace
}  // namespace assay
