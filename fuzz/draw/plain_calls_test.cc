// Tests that calls of every op are valid, of many shapes, and show all that
// kernels tell apart.
#include "fuzz/draw/plain_calls.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>

#include "fuzz/draw/shapes.h"
#include "fuzz/draw/values.h"
#include "oracle/oracle.h"
#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

constexpr uint64_t kCalls = 2000;

const std::vector<OpEntry>& AllEntries() {
  static const std::vector<OpEntry> entries =
      DrawnOps([](const OpSpec& spec) { return spec.family != kPointwise; });
  return entries;
}

Op DrawnCall(const OpEntry& entry, uint64_t index) {
  static PlainCalls calls;
  Choices choices(/*seed=*/3, index);
  const Profile profile = DrawProfile(&choices);
  const int64_t most = index % 16 == 0 ? 4200 : 300;
  const Shape shape = DrawShape(&choices, profile, most);
  const Signature& signature = choices.Of(Topic::kTypes, entry.signatures);
  return calls.Draw(entry, signature, {shape, most}, &choices);
}

Op DrawnCall(std::string_view op, uint64_t index) {
  return DrawnCall(
      *std::ranges::find(AllEntries(), op,
                         [](const OpEntry& entry) { return entry.spec->id; }),
      index);
}

std::vector<int64_t> NumbersOf(const Op& op, std::string_view name) {
  const Tensor& tensor = std::get<Tensor>(op.FindAttribute(name)->value);
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < tensor.size(); ++i)
    numbers.push_back(static_cast<int64_t>(tensor.Bits(i)));
  return numbers;
}

// An op is drawn by its file alone.
TEST(PlainCalls, OfEveryOpAreValidAndOfManyShapes) {
  EXPECT_GE(AllEntries().size(), 60u);
  const std::span<const BoundarySize> special = BoundarySizes();
  for (const OpEntry& entry : AllEntries()) {
    SCOPED_TRACE(entry.spec->id);
    std::set<size_t> ranks;
    std::set<int64_t> sizes;
    std::set<ElementType> types;
    int simplest = 0;
    // What such an op tells is about the shape of its operand.
    const bool has_scalar = entry.spec->id == "get_dimension_size";
    constexpr uint64_t kOfEach = 1000;
    for (uint64_t index = 0; index < kOfEach; ++index) {
      const Op call = DrawnCall(entry, index);
      for (const ConstraintResult& result : CheckConstraints(*entry.spec, call))
        ASSERT_EQ(result.truth, Truth::kTrue) << index << " " << result.Text();
      types.insert(call.outputs[0].type.tensor().element_type);
      const TensorType& type = has_scalar ? call.inputs[0].type.tensor()
                                          : call.outputs[0].type.tensor();
      for (const Op::Operand& operand : call.inputs)
        types.insert(operand.type.tensor().element_type);
      ranks.insert(type.shape.size());
      for (const int64_t size : type.shape) sizes.insert(size);
      simplest += type.shape == Shape{1} &&
                  std::ranges::all_of(call.inputs, [](const auto& operand) {
                    return *ElementCount(operand.type.tensor().shape) == 1;
                  });
    }
    // A dimension of these is an attribute, so they have one; convolutions have
    // two.
    const bool has_dimension = entry.spec->Input("dimension") ||
                               entry.spec->Input("iota_dimension") ||
                               entry.spec->Input("feature_index");
    const bool has_two = entry.spec->Input("input_feature_dimension");
    for (size_t rank = has_two ? 2 : has_dimension ? 1 : 0; rank <= 8; ++rank)
      EXPECT_TRUE(ranks.contains(rank)) << rank;
    EXPECT_TRUE(sizes.contains(0));
    EXPECT_TRUE(sizes.contains(1));
    size_t seen = 0;
    for (const BoundarySize& boundary : special)
      seen += boundary.size <= 300 && sizes.contains(boundary.size);
    EXPECT_GT(seen, 18u);
    EXPECT_GT(types.size(), entry.signatures.size() < 3 ? 1u : 3u);
    // Where a search gives up, the call is the simplest one.
    EXPECT_LT(simplest, static_cast<int>(kOfEach / 8));
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

TEST(PlainCalls, ShowWhatKernelsTellApart) {
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

// Sizes and indices that are operands may be any numbers. Whoever asks where an
// element comes from looks it up in the operands.
TEST(PlainCalls, ElementsComeFromOperandsWhateverTheirValuesAre) {
  std::set<std::string> with_sources;
  for (const OpEntry& entry : AllEntries()) {
    if (!entry.spec->moves) continue;
    for (uint64_t index = 0; index < 200; ++index) {
      const Op call = DrawnCall(entry, index);
      Choices choices(/*seed=*/5, index);
      std::vector<Tensor> inputs;
      for (const Op::Operand& operand : call.inputs)
        inputs.push_back(DrawValues(&choices, Profile::kAdversarial,
                                    operand.type.tensor(), nullptr));
      const int64_t count = *ElementCount(call.outputs[0].type.tensor().shape);
      for (int64_t i = 0; i < std::min<int64_t>(count, 20); ++i) {
        for (const Source& source : SourcesOf(call, inputs, i)) {
          ASSERT_LT(source.operand, inputs.size()) << entry.spec->id;
          ASSERT_GE(source.element, 0) << entry.spec->id;
          ASSERT_LT(source.element, inputs[source.operand].size())
              << entry.spec->id;
          with_sources.insert(entry.spec->id);
        }
      }
    }
  }
  EXPECT_GT(with_sources.size(), 12u);
}

// A constraint on a list is violated alone as well, by its name.
TEST(PlainCalls, ViolateAConstraintOfAListAlone) {
  PlainCalls calls;
  const OpEntry& reverse =
      *std::ranges::find(AllEntries(), "reverse",
                         [](const OpEntry& entry) { return entry.spec->id; });
  for (const char* label : {"C1", "C2", "C3"}) {
    for (uint64_t index = 0; index < 200; ++index) {
      Op call = DrawnCall(reverse, index);
      Choices choices(/*seed=*/4, index);
      ASSERT_TRUE(calls.Violate(reverse, label, {2, 3}, &choices, &call));
      for (const ConstraintResult& result :
           CheckConstraints(*reverse.spec, call))
        ASSERT_EQ(result.truth == Truth::kFalse,
                  result.constraint->label == label)
            << index << " " << result.Text();
    }
  }
}

}  // namespace
}  // namespace assay
