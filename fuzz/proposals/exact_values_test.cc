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

class ExactValues : public testing::TestWithParam<const char*> {};

TEST_P(ExactValues, AreMost) {
  const Shares shares = SharesOf(GetParam());
  RecordProperty("elements", std::to_string(shares.elements));
  RecordProperty("exact", std::to_string(shares.exact));
  RecordProperty("open", std::to_string(shares.open));
  EXPECT_GT(shares.elements, 20'000);
  EXPECT_GT(shares.exact * 10, shares.elements * 6)
      << shares.exact << " of " << shares.elements << " are exact";
  // 1.4 % of the elements of batch_norm_training are, and less of the others.
  EXPECT_LT(shares.open * 60, shares.elements)
      << shares.open << " of " << shares.elements << " are open";
}

INSTANTIATE_TEST_SUITE_P(BatchNorm, ExactValues,
                         testing::Values("batch_norm_grad",
                                         "batch_norm_inference",
                                         "batch_norm_training"));

}  // namespace
}  // namespace assay
