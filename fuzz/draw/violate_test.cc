// Tests that every constraint that can be violated alone is violated alone by
// some call.
#include "fuzz/draw/violate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "fuzz/draw/verified_calls.h"
#include "fuzz/fuzz_test_support.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

// Returns valid calls to begin with, by op.
const std::vector<Op>& CallsOf(const std::string& id) {
  static const std::map<std::string, std::vector<Op>> calls = [] {
    std::map<std::string, std::vector<Op>> drawn;
    // A tenth of the pointwise calls leaves an argument out of promotion.
    for (uint64_t n = 0; n < 12000; ++n) {
      const Case c = Everything().Draw(7, BehindTheEnumerated(n)).c;
      if (c.violates.empty() && c.program.main().body.size() == 1)
        drawn[c.op].push_back(c.program.main().body[0]);
    }
    return drawn;
  }();
  return calls.at(id);
}

// Returns whether the op is defined on every type, and nothing else can be
// wrong.
bool IsTotal(std::string_view id) {
  const auto entry = std::ranges::find(
      Everything().ops(), id, [](const OpEntry& e) { return e.spec->id; });
  const size_t operands = OperandsOf(*entry->spec).size();
  return std::ranges::all_of(ElementTypes(), [&](const ElementTypeInfo& info) {
    return std::ranges::any_of(
        entry->signatures, [&](const Signature& signature) {
          return signature.operands == std::vector(operands, info.type) &&
                 signature.attributes.empty();
        });
  });
}

// Returns why no call violates a constraint of a pointwise op alone; empty if
// one may. All these ops share the constraints, so their file cannot say it.
std::string WhyNever(const OpSpec& spec, const std::string& label) {
  if (spec.family != kPointwise) return "";
  if (OperandsOf(spec).size() == 1) {
    if (label == "PD-03") return "one operand goes with itself";
    if (label == "P2") return "the one argument takes part in promotion";
  }
  const bool is_total = std::ranges::all_of(
      spec.steps, [](const OpSpec::Step& step) { return IsTotal(step.op); });
  if (label == "P1" && is_total) return "it is defined on every type";
  return "";
}

// The rarest violation may take so many tries.
constexpr int kMostTries = 3000;

// Returns the violated constraints, once all that are wanted were violated or
// the tries were used up.
std::set<std::string> ViolatedAlone(const OpEntry& entry,
                                    const std::set<std::string>& wanted) {
  const std::vector<Op>& calls = CallsOf(entry.spec->id);
  PlainCalls plain_calls;
  std::set<std::string> violated;
  for (int i = 0; i < kMostTries; ++i) {
    // There are many tries, so that a violation that should be impossible would
    // show as well.
    if (i >= 30 && std::ranges::includes(violated, wanted)) break;
    const size_t number = static_cast<size_t>(i);
    Op call = calls[number % calls.size()];
    Choices choices(8, number);
    const auto label = Violate(entry, &plain_calls, &choices, &call);
    if (label) violated.insert(*label);
  }
  return violated;
}

bool IsViolatedByVerifiedCall(const OpSpec& spec, const std::string& label) {
  if (spec.source != "stablehlo") return false;
  VerifiedCalls calls;
  for (uint64_t index = 0; index < 500; ++index) {
    Choices choices(9, index);
    const bool is_quantized = index % 2 == 0;
    if (calls.Draw(spec, label, is_quantized, SearchGoal{{2, 3}}, &choices))
      return true;
  }
  return false;
}

TEST(Violate, ReachesEveryConstraintThatIsViolatedAlone) {
  int reached = 0, exceptions = 0;
  for (const OpEntry& entry : Everything().ops()) {
    std::set<std::string> wanted, never;
    for (const ConstraintSpec& constraint : entry.spec->constraints) {
      if (!constraint.needs.empty()) continue;
      const std::string why = WhyNever(*entry.spec, constraint.label);
      exceptions += !why.empty();
      const bool is_never = !constraint.never_alone.empty() || !why.empty();
      (is_never ? never : wanted).insert(constraint.label);
    }
    const std::set<std::string> violated = ViolatedAlone(entry, wanted);
    // What takes quantized types, or a constant that no enum has, is drawn as
    // a call that is verified alone.
    for (const std::string& label : wanted) {
      EXPECT_TRUE(violated.contains(label) ||
                  IsViolatedByVerifiedCall(*entry.spec, label))
          << entry.spec->id << " " << label;
    }
    for (const std::string& label : never)
      EXPECT_FALSE(violated.contains(label)) << entry.spec->id << " " << label;
    reached += static_cast<int>(wanted.size());
  }
  EXPECT_GT(reached, 300);
  EXPECT_LT(exceptions, 70);
}

std::string CallText(const Op& call) {
  std::string text = call.op;
  for (const Op::Operand& operand : call.inputs)
    text += fmt::format(" {}:{}{}", operand.value, operand.type.ToString(),
                        operand.is_scalar ? " scalar" : "");
  for (const Op::Operand& operand : call.inputs) {
    for (int64_t i = 0; operand.known && i < operand.known->size(); ++i)
      text +=
          fmt::format(" {:x}", static_cast<uint64_t>(operand.known->Bits(i)));
  }
  for (const Attribute& attribute : call.attributes)
    text += fmt::format(" {}={}", attribute.name, AttributeText(attribute));
  for (const Op::Result& result : call.outputs)
    text +=
        fmt::format(" -> {} {}", result.type.ToString(),
                    result.in_place ? call.inputs[*result.in_place].name : "");
  return text;
}

TEST(Violate, ChangesTheCallOrLeavesItAsItWas) {
  int changed = 0, left = 0;
  PlainCalls plain_calls;
  for (const OpEntry& entry : Everything().ops()) {
    for (uint64_t i = 0; i < 12; ++i) {
      const std::vector<Op>& calls = CallsOf(entry.spec->id);
      Op call = calls[i % calls.size()];
      const std::string before = CallText(call);
      Choices choices(9, i);
      const auto label = Violate(entry, &plain_calls, &choices, &call);
      EXPECT_EQ(label.has_value(), CallText(call) != before) << before;
      ++(label ? changed : left);
      for (const Op::Operand& operand : call.inputs)
        EXPECT_TRUE(!operand.is_scalar || operand.type.tensor().shape.empty())
            << CallText(call);
    }
  }
  EXPECT_GT(changed, 800);
  EXPECT_GT(left, 0);
}

TEST(Violate, NumbersKeepToTheirTypes) {
  DrawOptions options;
  options.ops = {"constant"};
  Generator generator(options);
  int violations = 0;
  for (uint64_t index = 0; index < 3000; ++index)
    violations += !generator.Draw(2, index).c.violates.empty();
  EXPECT_GT(violations, 20);
}

}  // namespace
}  // namespace assay
