// Tests that drawn programs are as many and as different as they should be, and
// that the oracle decides them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/read/case_json.h"
#include "cases/run/runner.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/draw/draw.h"
#include "oracle/control/entry.h"
#include "oracle/control/of_tensors.h"
#include "spec/policy.h"

namespace assay {
namespace {

DrawOptions ProgramsAlone() {
  DrawOptions options;
  options.violations = options.enumerates = false;
  options.percent_programs = 100;
  return options;
}

void CountOps(const Function& function, std::map<std::string, int>* ops) {
  for (const Op& op : function.body) {
    ++(*ops)[op.op];
    for (const Function& region : op.regions) CountOps(region, ops);
    if (op.callee != nullptr) CountOps(*op.callee, ops);
  }
}

// What a number of drawn programs have.
struct Distribution {
  std::map<std::string, int> with_op;  // programs
  std::vector<int> sizes;              // ops of each program, sorted
  int with_control = 0;

  // Returns a line of figures, and one of the ops, the rarest first.
  std::string Table() const {
    const auto count = static_cast<int>(sizes.size());
    std::vector<std::pair<int, std::string>> ops;
    for (const auto& [op, programs] : with_op) ops.emplace_back(programs, op);
    std::ranges::sort(ops);
    std::string table = fmt::format(
        "{} programs, of {} to {} ops, {} in the median; {} % have control "
        "flow or functions. Programs that have an op, in thousandths:\n",
        count, sizes.front(), sizes.back(), sizes[sizes.size() / 2],
        100 * with_control / count);
    for (const auto& [programs, op] : ops)
      table += fmt::format("{} {}  ", op, 1000 * programs / count);
    return table;
  }
};

bool HasControl(const Function& main) {
  return std::ranges::any_of(main.body, [](const Op& op) {
    return !op.regions.empty() || FindOp(op.op)->control;
  });
}

// With sanitizers 20,000 programs take minutes, so these are fewer.
Distribution DistributionOf(uint64_t programs) {
  Generator generator(ProgramsAlone());
  EXPECT_THAT(generator.not_drawn(), testing::ElementsAre("custom_call"));
  Distribution drawn;
  for (const OpSpec& spec : Ops()) {
    if (spec.executable && spec.Target() == nullptr &&
        (spec.source == "stablehlo" || spec.source == "func"))
      drawn.with_op[spec.id] = 0;
  }
  for (uint64_t index = 0; index < programs; ++index) {
    const Case c = generator.Draw(11, index).c;
    // Formulas take longer than all else.
    if (index % 16 == 0) {
      EXPECT_NO_THROW(RequireConstraints(c)) << index;
    }
    std::map<std::string, int> ops;
    CountOps(c.program.main(), &ops);
    int size = 0;
    for (const auto& [op, count] : ops) {
      size += count;
      ++drawn.with_op[op];
    }
    drawn.sizes.push_back(size);
    drawn.with_control += HasControl(c.program.main());
  }
  std::ranges::sort(drawn.sizes);
  return drawn;
}

TEST(ProgramDrawer, ProgramsHaveAllOpsAndControlFlow) {
  constexpr int kPrograms = 2000;
  const Distribution drawn = DistributionOf(kPrograms);
  const std::string table = drawn.Table();
  EXPECT_GE(drawn.sizes[kPrograms / 2], 5) << table;
  EXPECT_LE(drawn.sizes[kPrograms / 2], 8) << table;
  EXPECT_GE(drawn.with_control, kPrograms * 3 / 10) << table;
  for (const auto& [op, programs] : drawn.with_op)
    EXPECT_GE(programs, kPrograms / 25) << op << '\n' << table;
}

// Returns whether few values are right there: the ends of their range have few
// codes between them, part by part.
bool IsNarrow(const Expectation& expectation, int64_t i) {
  constexpr uint64_t kFew = 64;
  const ElementType type = expectation.lo.element_type();
  for (int part = 0; part < PartCount(type); ++part) {
    const auto lo = PartOf(type, expectation.lo.Bits(i), part);
    const auto hi = PartOf(type, expectation.hi.Bits(i), part);
    if (std::max(lo, hi) - std::min(lo, hi) > kFew) return false;
  }
  return !expectation.IsPartlyOpen(i);
}

TEST(ProgramDrawer, ProgramsAreDecidedAsAWhole) {
  constexpr uint64_t kDecided = 400;
  for (const char* name : {"assay", "xla"}) {
    const Policy& policy = Policy::Find(name);
    Generator generator(ProgramsAlone());
    int64_t elements = 0, narrow = 0;
    for (uint64_t index = 0; index < kDecided; ++index) {
      const Drawn drawn = generator.Draw(12, index);
      const Function& main = drawn.c.program.main();
      const Op call = CallOf(OfTensors(main));
      std::vector<Tensor> inputs;
      for (const CaseInput& input : drawn.c.inputs)
        inputs.push_back(input.data.Materialise());
      const Evaluation evaluation =
          Evaluate(call, inputs, policy, Marks::kNone);
      for (const Expectation& output : evaluation.outputs) {
        elements += output.lo.size();
        for (int64_t i = 0; i < output.lo.size(); ++i)
          narrow += IsNarrow(output, i);
      }
    }
    EXPECT_GE(100 * narrow, 95 * elements) << name;
  }
}

TEST(ProgramDrawer, SimdIsRightOnEveryProgram) {
  CampaignOptions options;
  options.backend = "simd";
  options.open.in_process = true;
  options.policy = &Policy::Find("assay");
  options.seed = 15;
  options.count = 5000;
  options.jobs = 2;
  Generator generator(ProgramsAlone());
  CampaignState state;
  Campaign(options, &generator)
      .Run(
          &state, [](const Finding&) {}, [](const CampaignState&) {});
  for (const auto& [signature, finding] : state.findings)
    ADD_FAILURE() << finding.case_name << ": " << finding.message;
  EXPECT_GE(state.outcomes[Outcome::kPass], 4900u);
  EXPECT_EQ(state.judged, 5000u);
}

TEST(ProgramDrawer, AProgramIsReadAsItIsWritten) {
  Generator generator(ProgramsAlone());
  for (uint64_t index = 0; index < 300; ++index) {
    const Drawn drawn = generator.Draw(13, index);
    const Json json = CaseAsJson(drawn.c, "id");
    const Json file = {{"op", drawn.c.op}, {"cases", Json::array({json})}};
    std::vector<Case> cases;
    ASSERT_NO_THROW(cases = ParseCases("file", file, {})) << json.dump();
    EXPECT_EQ(CaseAsJson(cases.at(0), "id"), json);
  }
}

TEST(ProgramDrawer, RecordedChoicesDrawTheProgramAgain) {
  Generator generator(ProgramsAlone());
  for (uint64_t index = 0; index < 100; ++index) {
    Recording recording;
    Choices choices(14, index);
    choices.Record(&recording);
    const Drawn drawn = generator.Draw(&choices);
    Choices played(&recording);
    const Drawn again = generator.Draw(&played);
    EXPECT_EQ(CaseAsJson(again.c, "id"), CaseAsJson(drawn.c, "id"));
  }
}

}  // namespace
}  // namespace assay
