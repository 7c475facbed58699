// Tests the sound kernel on windows: where their elements are, what is padding,
// and which of them is selected.
#include "backends/broken/kernel/sliding.h"

#include <gmock/gmock.h>

#include "backends/broken/bugs/revealing_sliding_calls_test_support.h"

namespace assay::broken {
namespace {

using testing::ElementsAre;

TEST(Sliding, WindowsAreSlicesOfThePaddedOperand) {
  // 9 9 1 9 2 9: the first two of them are padding, and two more are between
  // and behind the elements.
  const Sliding sliding = {{2}, {2}, {2}, {3}, {2}, {2}, {2}, {1}};
  EXPECT_THAT(Slide(sliding, 0), ElementsAre(kPadding, 0));
  EXPECT_THAT(Slide(sliding, 1), ElementsAre(kPadding, kPadding));
  const Sliding cut = {{3, 2}, {1, 1}, {2, 2},  {1, 1},
                       {1, 1}, {1, 1}, {-1, 0}, {0, 0}};
  EXPECT_THAT(Slide(cut, 0), ElementsAre(2, 3, 4, 5));
}

TEST(Sliding, ReducesEachWindowFromTheInitialValueOn) {
  // Twice what was reduced so far, and the term.
  const AssayFunction* const digits =
      FunctionOf({kOfI8, kOfI8},
                 {{"add", {0, 0}, {kOfI8}}, {"add", {2, 1}, {kOfI8}}}, {3});
  EXPECT_THAT(
      SoundResult(WindowsOfCounting(digits, 3, 5, 3, {1, 0},
                                    {{"window_dimensions", "[2]"}})),
      ElementsAre(4 * 5 + 2 * 5 + 1, 4 * 5 + 2 * 1 + 2, 4 * 5 + 2 * 2 + 3));
}

TEST(Sliding, SelectsAnElementAndNeverPadding) {
  const AssayFunction* const add = Binary("add", kOfI8, "add");
  EXPECT_THAT(
      SoundResult(SelectFromVector(add, {-3, -3, -9}, 4, "[2]", {1, 1})),
      ElementsAre(1 + 2, 3, 4));
  EXPECT_THAT(SoundResult(SelectFromVector(add, {7}, 3, "[1]", {1, 1})),
              ElementsAre(2));
}

}  // namespace
}  // namespace assay::broken
