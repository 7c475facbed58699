// Tests that drawn programs are as many and as different as they should be, and
// that the oracle decides them.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>

#include "cases/read/case_json.h"
#include "cases/run/runner.h"
#include "fuzz/draw/draw.h"
#include "oracle/control/entry.h"
#include "oracle/control/of_tensors.h"
#include "spec/policy.h"

namespace assay {
namespace {

constexpr uint64_t kPrograms = 1500;

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

TEST(ProgramDrawer, ProgramsHaveAllOpsAndControlFlow) {
  Generator generator(ProgramsAlone());
  EXPECT_THAT(generator.not_drawn(), testing::IsEmpty());
  std::map<std::string, int> programs_with;
  std::vector<int> sizes;
  uint64_t with_region = 0;
  for (uint64_t index = 0; index < kPrograms; ++index) {
    const Drawn drawn = generator.Draw(11, index);
    std::map<std::string, int> ops;
    CountOps(drawn.c.program.main(), &ops);
    int size = 0;
    for (const auto& [op, count] : ops) {
      size += count;
      ++programs_with[op];
    }
    sizes.push_back(size);
    with_region +=
        std::ranges::any_of(drawn.c.program.main().body, [](const Op& op) {
          return !op.regions.empty() || FindOp(op.op)->control;
        });
    ASSERT_NO_THROW(RequireConstraints(drawn.c)) << index;
  }
  std::ranges::sort(sizes);
  EXPECT_GE(sizes[kPrograms / 2], 5);
  EXPECT_LE(sizes[kPrograms / 2], 8);
  EXPECT_GE(sizes[0], 1);
  EXPECT_GT(with_region, kPrograms * 3 / 10);
  for (const OpSpec& spec : Ops()) {
    if (!spec.executable ||
        (spec.source != "stablehlo" && spec.source != "func"))
      continue;
    EXPECT_GT(programs_with[spec.id], static_cast<int>(kPrograms / 200))
        << spec.id;
  }
}

TEST(ProgramDrawer, ProgramsAreDecidedAsAWhole) {
  constexpr uint64_t kDecided = 400;
  for (const char* name : {"assay", "xla"}) {
    const Policy& policy = Policy::Find(name);
    Generator generator(ProgramsAlone());
    int64_t elements = 0, open = 0;
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
          open += output.IsPartlyOpen(i);
      }
    }
    EXPECT_LT(100 * open, elements) << name;
  }
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
