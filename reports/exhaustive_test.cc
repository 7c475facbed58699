// Tests that the folder of sweeps is consistent: every case can be read,
// reaches every value that its draws have, and slices of it pass. All of it
// runs only when it is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cases/run/runner.h"
#include "cases/run/sweep.h"

namespace assay {
namespace {

constexpr int64_t kSlice = 64;

const std::vector<Case>& Sweeps() {
  static const std::vector<Case> suite =
      ReadSuite({ASSAY_SOURCE_DIR "/cases/exhaustive"}, {int64_t{1} << 30});
  return suite;
}

int64_t Elements(const Case& c) {
  return *ElementCount(c.program.main().inputs[0].type.tensor().shape);
}

TEST(Exhaustive, EveryUnaryFloatOpHasAllOfF32) {
  std::set<std::string> ops, variant;
  for (const OpSpec& spec : Ops()) {
    const bool is_unary = spec.inputs.size() == 1;
    if (is_unary && spec.rule == "ulp") ops.insert(spec.id);
  }
  for (const Case& c : Sweeps()) {
    if (!c.name.ends_with("/every_f32")) continue;
    EXPECT_EQ(Elements(c), int64_t{1} << 32) << c.name;
    EXPECT_EQ(c.chunk, int64_t{1} << 20) << c.name;
    variant.insert(c.op);
  }
  EXPECT_THAT(ops, testing::SizeIs(11));
  EXPECT_TRUE(std::ranges::includes(variant, ops));
  for (const char* op :
       {"abs", "ceil", "floor", "is_finite", "negate", "round_nearest_afz",
        "round_nearest_even", "sign", "sqrt"})
    EXPECT_TRUE(variant.contains(op)) << op;
}

// A dimension that enumerates has room for all values, or is one of pairs of
// the grid.
TEST(Exhaustive, DimensionsAreThoseOfTheirDraws) {
  for (const Case& c : Sweeps()) {
    SCOPED_TRACE(c.name);
    for (const CaseInput& input : c.inputs) {
      const DrawEvery* every = std::get_if<DrawEvery>(&input.data.source);
      if (every == nullptr) continue;
      const ElementType type = input.data.type.element_type;
      const int64_t indices = input.data.type.shape[every->dimension];
      switch (every->kind) {
        case DrawEvery::Kind::kBits:
          EXPECT_EQ(indices, int64_t{1} << Info(type).bits);
          break;
        case DrawEvery::Kind::kBoundary:
          EXPECT_EQ(static_cast<size_t>(indices), BoundaryBits(type).size());
          break;
        case DrawEvery::Kind::kGrid:
          if (input.data.type.shape.size() == 1)
            EXPECT_EQ(static_cast<size_t>(indices), GridBits(type).size());
          else
            EXPECT_EQ(indices, 8192);
      }
    }
    EXPECT_TRUE(c.chunk > 0 || Elements(c) <= int64_t{1} << 17)
        << "larger cases are judged in chunks";
  }
}

TEST(Exhaustive, SlicesPass) {
  InProcessExecutor simd(Backend::Load("simd"));
  Runner runner(&simd, Policy::Find("assay"));
  int64_t judged = 0;
  for (const Case& c : Sweeps()) {
    RequireConstraints(c);
    const int64_t n = Elements(c);
    for (const int64_t begin : {int64_t{0}, n / 3, n - kSlice}) {
      const int64_t from = std::clamp<int64_t>(begin, 0, n - 1);
      const Verdict verdict =
          runner.Run(SliceOf(c, from, std::min(from + kSlice, n)));
      EXPECT_TRUE(verdict.outcome == Outcome::kPass)
          << c.name << " from " << from << ": " << verdict.message;
      judged += verdict.elements;
    }
  }
  EXPECT_GT(judged, 50000);
}

}  // namespace
}  // namespace assay
