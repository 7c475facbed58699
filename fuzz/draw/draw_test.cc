// Tests that drawn cases are as they say, of every kind that there is, and the
// same wherever they are drawn.
#include "fuzz/draw/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cases/run/runner.h"
#include "cases/variants/layout_variants.h"
#include "fuzz/draw/first_cases.h"
#include "fuzz/fuzz_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

// A Sight counts what is seen in many cases.
struct Sight {
  std::map<std::string, int> ops, operand_types, result_types, variants, kinds;
  std::map<size_t, int> lengths;  // of programs
  int64_t cases = 0, false_claims = 0, inconsistent = 0;
  std::string first_complaint;
};

// Returns whether elements that share a place have one value.
bool IsOneValueAPlace(const CaseInput& input) {
  if (std::ranges::count(input.layout.strides, 0) == 0) return true;
  const Tensor values = input.data.Materialise();
  std::map<int64_t, ElementBits> at;
  Index index;
  int64_t i = 0;
  for (IndexSpace space(values.type().shape); space.Next(&index); ++i) {
    const auto [there, is_new] =
        at.emplace(input.layout.At(index), values.Bits(i));
    if (there->second != values.Bits(i)) return false;
  }
  return true;
}

void SeeCall(const Op& op, Sight* sight) {
  ++sight->ops[op.op];
  for (const Op::Operand& operand : op.inputs) {
    if (!operand.type.IsTensor() || !op.outputs[0].type.IsTensor()) continue;
    ++sight->operand_types[Name(operand.type.tensor().element_type)];
    if (operand.is_scalar) ++sight->kinds["a scalar"];
    if (operand.type.tensor().shape.empty() &&
        !op.outputs[0].type.tensor().shape.empty())
      ++sight->kinds["rank 0 beside higher ones"];
  }
  for (const Op::Result& result : op.outputs) {
    if (!result.type.IsTensor()) continue;
    ++sight->result_types[Name(result.type.tensor().element_type)];
    if (result.in_place) ++sight->kinds["in place"];
    if (ElementCount(result.type.tensor().shape) == 0)
      ++sight->kinds["no elements"];
    if (result.type.tensor().shape.empty()) ++sight->kinds["rank 0"];
  }
  if (op.outputs.size() > 1) ++sight->kinds["two results"];
  if (op.result_accuracy) ++sight->kinds["a tolerance"];
}

void SeeCase(const Drawn& drawn, Sight* sight) {
  const Case& c = drawn.c;
  ++sight->cases;
  const Verdict verdict = JudgeConstraints(c, Policy::Find("assay"), "");
  if (verdict.violated != c.violates || verdict.outcome != Outcome::kPass) {
    ++sight->false_claims;
    if (sight->first_complaint.empty())
      sight->first_complaint = c.name + ": " + verdict.message;
  }
  if (!c.violates.empty()) {
    ++sight->kinds["a violation"];
    return;
  }
  sight->inconsistent += !std::ranges::all_of(c.inputs, IsOneValueAPlace);
  const std::vector<Op>& body = c.program.main().body;
  ++sight->lengths[body.size()];
  for (const Op& op : body) SeeCall(op, sight);
  if (!c.output_layouts.empty()) ++sight->kinds["a placed result"];
  if (!c.alias.empty()) ++sight->kinds["an alias"];
  const bool is_strided = std::ranges::any_of(c.inputs, [](const auto& input) {
    return !input.layout.IsRowMajor(input.data.type.shape);
  });
  if (is_strided) ++sight->kinds["a strided operand"];
  if (drawn.variant.empty()) return;
  ++sight->variants[drawn.variant];
  const Case variant = ToJudge(drawn);
  sight->inconsistent += variant.name != c.name + "@" + drawn.variant;
  sight->inconsistent += !ViolatedBy(variant).empty();
}

const Sight& SeenInMany() {
  static const Sight sight = [] {
    Sight seen;
    for (uint64_t n = 0; n < 12000; ++n)
      SeeCase(Everything().Draw(1, BehindTheEnumerated(n)), &seen);
    return seen;
  }();
  return sight;
}

TEST(Draw, CasesAreAsTheySay) {
  EXPECT_EQ(SeenInMany().false_claims, 0) << SeenInMany().first_complaint;
  EXPECT_EQ(SeenInMany().inconsistent, 0);
}

TEST(Draw, OfAnOpThatIsNotDrawnIsRefused) {
  DrawOptions options;
  options.ops = {"while"};
  EXPECT_THAT([&] { Generator generator(options); },
              testing::ThrowsMessage<InputError>(
                  testing::HasSubstr("no op that is drawn matches 'while'")));
}

TEST(Draw, ReachesEveryOp) {
  // A drawn target would be one that no backend knows.
  EXPECT_THAT(Everything().not_drawn(), ElementsAre("custom_call"));
  for (const OpSpec& spec : Ops())
    EXPECT_EQ(SeenInMany().ops.contains(spec.id),
              spec.executable && spec.Target() == nullptr)
        << spec.id;
}

TEST(Draw, WithoutProgramsOpsOfControlAreCounted) {
  DrawOptions options;
  options.programs = false;
  EXPECT_THAT(Generator(options).not_drawn(),
              ElementsAre("after_all", "case", "composite", "custom_call",
                          "func.call", "get_tuple_element", "if",
                          "optimization_barrier", "tuple", "while"));
}

TEST(Draw, ReachesEveryTypeAndNoneTooOften) {
  int operands = 0;
  for (const auto& [name, count] : SeenInMany().operand_types)
    operands += count;
  for (const ElementTypeInfo& info : ElementTypes()) {
    const auto count = SeenInMany().operand_types.find(info.name);
    ASSERT_NE(count, SeenInMany().operand_types.end()) << info.name;
    EXPECT_GT(count->second, operands / 100) << info.name;
    EXPECT_LT(count->second, operands / 8) << info.name;
    EXPECT_TRUE(SeenInMany().result_types.contains(info.name)) << info.name;
  }
}

TEST(Draw, ReachesEveryKindOfCase) {
  for (const char* kind :
       {"a scalar", "rank 0 beside higher ones", "in place", "no elements",
        "rank 0", "two results", "a tolerance", "a violation",
        "a placed result", "an alias", "a strided operand"}) {
    const auto count = SeenInMany().kinds.find(kind);
    ASSERT_NE(count, SeenInMany().kinds.end()) << kind;
    EXPECT_GT(count->second, 20) << kind;
  }
  EXPECT_GT(SeenInMany().kinds.at("a violation"), 240);
  EXPECT_LT(SeenInMany().kinds.at("a violation"), 720);
  const std::map<size_t, int>& lengths = SeenInMany().lengths;
  EXPECT_GT(lengths.at(1), 10000);
  for (size_t length = 2; length <= 8; ++length)
    EXPECT_TRUE(lengths.contains(length)) << length;
  EXPECT_EQ(lengths.rbegin()->first, 20u);
}

TEST(Draw, ReachesEveryLayoutAndRelation) {
  std::set<std::string> seen;
  for (const auto& [name, count] : SeenInMany().variants) seen.insert(name);
  // Few calls are promoted alike with a scalar.
  DrawOptions options;
  options.ops = {"pointwise.add"};
  Generator additions(options);
  for (uint64_t index = 0; index < 20000 && !seen.contains("scalar"); ++index) {
    const Drawn drawn = additions.Draw(1, index);
    if (!drawn.variant.empty()) seen.insert(drawn.variant);
  }
  std::set<std::string> all;
  for (const VariantKind& kind : VariantKinds()) all.insert(kind.name);
  EXPECT_EQ(seen, all);
}

TEST(Draw, CasesAreTheSameReadFromAFile) {
  for (uint64_t n = 0; n < 400; ++n) {
    const Drawn drawn = Everything().Draw(2, BehindTheEnumerated(n));
    const std::string text = JsonTextOf(drawn.c);
    const Case read = ParsedFrom(drawn.c.op, text);
    ASSERT_EQ(JsonTextOf(read), text);
    ASSERT_EQ(read.violates, drawn.c.violates);
    ASSERT_EQ(read.alias, drawn.c.alias);
    ASSERT_EQ(read.output_layouts.size(), drawn.c.output_layouts.size());
    if (!drawn.variant.empty()) {
      EXPECT_TRUE(HasVariant(read, drawn.variant));
    }
  }
}

TEST(Draw, DoesNotDependOnWhatWasDrawnBefore) {
  DrawOptions options;
  options.ops = {"a*", "pointwise.a*"};
  options.enumerates = false;
  Generator one(options), other(options);
  std::vector<std::string> forwards, backwards;
  for (uint64_t index = 0; index < 500; ++index)
    forwards.push_back(JsonTextOf(one.Draw(3, index).c));
  for (uint64_t index = 500; index-- > 0;)
    backwards.push_back(JsonTextOf(other.Draw(3, index).c));
  std::ranges::reverse(backwards);
  EXPECT_EQ(forwards, backwards);
}

// The cases are the same in every build and on every machine. make_corpus.cc,
// which is built by another compiler, checks it as well.
TEST(Draw, TheFirstCasesOfASeedAreThese) {
  EXPECT_EQ(DigestOfCases(&Everything()), kDigestOfFirstCases);
  EXPECT_THAT(Everything().Draw(1, 199).c.name, EndsWith("/seed_1_199"));
  DrawOptions options;
  options.programs = false;
  Generator other(options);
  EXPECT_NE(DigestOfCases(&other), DigestOfCases(&Everything()));
}

TEST(Draw, OfARecordingIsTheSameCase) {
  for (uint64_t index = 0; index < 400; ++index) {
    Choices seeded(4, index);
    Recording recording;
    seeded.Record(&recording);
    const Drawn drawn = Everything().Draw(&seeded);
    const Recording decoded = Recording::Decode(recording.Encode());
    Choices played(&decoded);
    const Drawn again = Everything().Draw(&played);
    EXPECT_EQ(JsonTextOf(again.c), JsonTextOf(drawn.c));
    EXPECT_EQ(again.variant, drawn.variant);
  }
  // The empty recording is a case as well.
  const Recording nothing;
  Choices played(&nothing);
  const Drawn drawn = Everything().Draw(&played);
  EXPECT_THAT(ViolatedBy(drawn.c), IsEmpty());
  EXPECT_THAT(drawn.c.program.main().body, SizeIs(1));
}

std::set<std::string> OpsOf(const Case& c) {
  std::set<std::string> ops;
  for (const Op& op : c.program.main().body) ops.insert(op.op);
  return ops;
}

TEST(Draw, KeepsToTheOptions) {
  DrawOptions options;
  options.ops = {"shift*", "pointwise.ab?"};
  options.violations = options.programs = options.enumerates = false;
  Generator some(options);
  EXPECT_EQ(some.ops().size(), 4u);
  EXPECT_EQ(some.enumerated(), 0u);
  std::set<std::string> ops;
  for (uint64_t index = 0; index < 2000; ++index) {
    const Drawn drawn = some.Draw(5, index);
    EXPECT_THAT(drawn.c.violates, IsEmpty());
    EXPECT_THAT(drawn.c.program.main().body, SizeIs(1));
    ops.merge(OpsOf(drawn.c));
  }
  EXPECT_THAT(
      ops, ElementsAre("pointwise.abs", "shift_left", "shift_right_arithmetic",
                       "shift_right_logical"));
  options.ops = {"shift_left", "paddle.bitwise_left_shift", "pointwise.abs"};
  options.programs = options.violations = true;
  options.only_pointwise_violations = true;
  options.most_elements = 5;
  Generator others(options);
  std::set<std::string> violating;
  int programs = 0;
  for (uint64_t index = 0; index < 3000; ++index) {
    const Drawn drawn = others.Draw(6, index);
    if (!drawn.c.violates.empty()) violating.insert(drawn.c.op);
    programs += drawn.c.program.main().body.size() > 1;
    for (const CaseInput& input : drawn.c.inputs)
      EXPECT_LE(*ElementCount(input.data.type.shape), 5);
  }
  EXPECT_THAT(violating,
              ElementsAre("paddle.bitwise_left_shift", "pointwise.abs"));
  EXPECT_GT(programs, 20);
}

TEST(Draw, OfNoOpIsRefused) {
  DrawOptions options;
  for (const char* pattern : {"nosuch*", "mlir.broadcastable", "substract"}) {
    options.ops = {"add", pattern};
    EXPECT_THAT([&] { Generator generator(options); },
                ThrowsMessage<InputError>(HasSubstr(
                    std::string("no op that runs matches '") + pattern)));
  }
}

}  // namespace
}  // namespace assay
