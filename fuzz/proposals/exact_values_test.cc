// Tests that most calls of ops that add have exact sums, so that they are
// judged bit for bit, and that few elements are open.
#include "fuzz/proposals/exact_values.h"

#include <gtest/gtest.h>

#include "fuzz/draw/draw.h"
#include "oracle/oracle.h"

namespace assay {
namespace {

struct Shares {
  int64_t elements = 0, exact = 0, open = 0;
};

Shares SharesOf(const std::string& op) {
  DrawOptions options;
  options.ops = {op};
  options.programs = false;
  options.percent_verified = 0;
  Generator generator(options);
  Shares shares;
  for (uint64_t index = 0; index < 3000; ++index) {
    const Drawn drawn = generator.Draw(3, index);
    if (!drawn.c.violates.empty()) continue;
    std::vector<Tensor> inputs;
    for (const auto& input : drawn.c.inputs)
      inputs.push_back(input.data.Materialise());
    const Evaluation evaluation =
        Evaluate(drawn.c.program.main().body[0], inputs, Policy::Find("assay"),
                 Marks::kNone);
    for (const Expectation& output : evaluation.outputs) {
      for (int64_t i = 0; i < output.lo.size(); ++i) {
        ++shares.elements;
        shares.exact += output.IsExact(i);
        shares.open += output.IsPartlyOpen(i);
      }
    }
  }
  return shares;
}

// An op, and how many elements there are to one that is open at least: those of
// batch_norm_training overflow in narrow formats, of dot_general there are
// results that products cannot be promoted to, and of dynamic_conv results of
// another shape.
struct ExactShare {
  const char* op;
  int64_t elements_by_open;
};

class ExactValues : public testing::TestWithParam<ExactShare> {};

TEST_P(ExactValues, AreMost) {
  const Shares shares = SharesOf(GetParam().op);
  EXPECT_GT(shares.elements, 20'000);
  EXPECT_GT(shares.exact * 10, shares.elements * 6)
      << shares.exact << " of " << shares.elements << " are exact";
  EXPECT_LT(shares.open * GetParam().elements_by_open, shares.elements)
      << shares.open << " of " << shares.elements << " are open";
}

INSTANTIATE_TEST_SUITE_P(
    OfOps, ExactValues,
    testing::Values(ExactShare{"batch_norm_grad", 100},
                    ExactShare{"batch_norm_inference", 100},
                    ExactShare{"batch_norm_training", 60},
                    ExactShare{"convolution", 100},
                    ExactShare{"dot_general", 40},
                    ExactShare{"dynamic_conv", 25}),
    [](const auto& info) { return std::string(info.param.op); });

}  // namespace
}  // namespace assay
