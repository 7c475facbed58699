// Tests that proposals draw valid calls, and all that kernels tell apart.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "fuzz/draw/draw.h"
#include "fuzz/proposals/proposals.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

constexpr const char* kOps[] = {"concatenate", "constant", "iota",
                                "pad",         "reshape",  "reverse",
                                "slice",       "transpose"};
constexpr uint64_t kCalls = 2000;

Op DrawnCall(std::string_view op, uint64_t index) {
  Choices choices(/*seed=*/3, index);
  const Profile profile = DrawProfile(&choices);
  const Shape shape = DrawShape(&choices, profile, 500);
  Op call;
  call.op = op;
  FindProposal(op)->draw({ElementType::kI16, shape, profile}, &choices, &call);
  return call;
}

std::vector<int64_t> NumbersOf(const Op& op, std::string_view name) {
  const Tensor& tensor = std::get<Tensor>(op.FindAttribute(name)->value);
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    numbers.push_back(static_cast<int64_t>(tensor.Bits(i)));
  return numbers;
}

TEST(MovementProposals, DrawValidCalls) {
  for (const char* op : kOps) {
    for (uint64_t index = 0; index < kCalls; ++index) {
      const Op call = DrawnCall(op, index);
      for (const ConstraintResult& result : CheckConstraints(*FindOp(op), call))
        ASSERT_EQ(result.truth, Truth::kTrue) << index << " " << result.Text();
    }
  }
}

// Returns what of a list of words the calls of an op show.
std::set<std::string> Shown(std::string_view op,
                            std::set<std::string> (*words)(const Op& call)) {
  std::set<std::string> shown;
  for (uint64_t index = 0; index < kCalls; ++index)
    shown.merge(words(DrawnCall(op, index)));
  return shown;
}

bool IsEmpty(const Op::Operand& operand) {
  return *ElementCount(operand.type.tensor().shape) == 0;
}

TEST(MovementProposals, DrawWhatKernelsTellApart) {
  EXPECT_THAT(Shown("concatenate",
                    [](const Op& call) {
                      std::set<std::string> words;
                      const size_t count = call.inputs.size();
                      if (count == 1) words.insert("one");
                      if (count > 8) words.insert("many");
                      for (size_t k = 0; count > 2 && k < count; ++k) {
                        if (IsEmpty(call.inputs[k]))
                          words.insert(k == 0           ? "empty first"
                                       : k + 1 == count ? "empty last"
                                                        : "empty between");
                      }
                      const int64_t dimension = NumbersOf(call, "dimension")[0];
                      words.insert(dimension == 0 ? "outermost" : "further in");
                      return words;
                    }),
              testing::ElementsAre("empty between", "empty first", "empty last",
                                   "further in", "many", "one", "outermost"));
  EXPECT_THAT(
      Shown("pad",
            [](const Op& call) {
              std::set<std::string> words;
              const Shape& shape = call.inputs[0].type.tensor().shape;
              const auto lows = NumbersOf(call, "edge_padding_low");
              const auto highs = NumbersOf(call, "edge_padding_high");
              const auto interiors = NumbersOf(call, "interior_padding");
              for (size_t d = 0; d < lows.size(); ++d) {
                if (lows[d] > 0) words.insert("low");
                if (highs[d] > 0) words.insert("high");
                if (interiors[d] > 0) words.insert("interior");
                if (lows[d] < 0 && highs[d] < 0) words.insert("both cut");
                if (lows[d] < 0 && interiors[d] > 0 && shape[d] > 1 &&
                    lows[d] % (interiors[d] + 1) != 0)
                  words.insert("cut in the padding");
                if (lows[d] <= -shape[d] * (interiors[d] + 1) && highs[d] > 0)
                  words.insert("nothing stays");
                if (shape[d] == 0 && lows[d] + highs[d] > 0)
                  words.insert("around nothing");
              }
              return words;
            }),
      testing::ElementsAre("around nothing", "both cut", "cut in the padding",
                           "high", "interior", "low", "nothing stays"));
  EXPECT_THAT(
      Shown("slice",
            [](const Op& call) {
              std::set<std::string> words;
              const Shape& shape = call.inputs[0].type.tensor().shape;
              const auto starts = NumbersOf(call, "start_indices");
              const auto limits = NumbersOf(call, "limit_indices");
              const auto strides = NumbersOf(call, "strides");
              for (size_t d = 0; d < starts.size(); ++d) {
                if (starts[d] == limits[d]) words.insert("nothing");
                if (starts[d] > 0) words.insert("start");
                if (limits[d] < shape[d]) words.insert("limit");
                if (strides[d] > shape[d]) words.insert("long stride");
                if ((limits[d] - starts[d]) % strides[d] != 0)
                  words.insert("rest");
              }
              return words;
            }),
      testing::ElementsAre("limit", "long stride", "nothing", "rest", "start"));
  EXPECT_THAT(
      Shown("reshape",
            [](const Op& call) {
              const size_t from = call.inputs[0].type.tensor().shape.size();
              const size_t to = call.outputs[0].type.tensor().shape.size();
              return std::set<std::string>{from == to  ? "as many"
                                           : from < to ? "more"
                                                       : "fewer"};
            }),
      testing::ElementsAre("as many", "fewer", "more"));
  EXPECT_THAT(Shown("reverse",
                    [](const Op& call) {
                      const auto dimensions = NumbersOf(call, "dimensions");
                      const size_t rank =
                          call.inputs[0].type.tensor().shape.size();
                      return std::set<std::string>{dimensions.empty() ? "none"
                                                   : dimensions.size() == rank
                                                       ? "all"
                                                       : "some"};
                    }),
              testing::ElementsAre("all", "none", "some"));
}

}  // namespace
}  // namespace assay
