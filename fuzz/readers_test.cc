// Tests that all readers of a call agree: none of our backends says that a call
// is invalid that satisfies the constraints, and none accepts a pointwise call
// that violates one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/host/open.h"
#include "cases/run/runner.h"
#include "fuzz/fuzz_test_support.h"
#include "spec/pointwise/promotion.h"

namespace assay {
namespace {

constexpr const char* kMethods[] = {
    "DEFAULT",     "NO_OPMATH",        "INT_TO_FLOAT",
    "ALWAYS_BOOL", "COMPLEX_TO_FLOAT", "BOOL_TO_LONG",
    "default",     "DEFAULTS",         ""};
// These lists of arguments, as text, have none, one, all, twice, out of order,
// out of range, and something that is no index.
constexpr const char* kArguments[] = {
    "",          "0, ",          "1, ",          "2, ",    "3, ",
    "0, 1, ",    "1, 0, ",       "0, 0, ",       "1, 1, ", "0, 1, 2, ",
    "2, 1, 0, ", "0, 1, 0, 1, ", "2, 2, 2, ",    "-1, ",   "+0, ",
    "00, ",      "64, ",         "4294967296, ", "0.0, ",  "0,\v1, "};

std::string List(const std::string& arguments, const std::string& method) {
  return fmt::format("[{}\"{}\"]", arguments, method);
}

// Returns texts of promotion_methods for a call of so many outputs.
std::vector<std::string> Texts(size_t outputs) {
  std::vector<std::string> texts = {"",        "[]", "[[]]",
                                    "DEFAULT", "[",  "[[0, 1]]"};
  const std::string usual = List("0, ", "DEFAULT");
  const auto around = [&](const std::string& list, size_t count) {
    std::vector<std::string> lists(count, usual);
    if (count > 0) lists.back() = list;
    return fmt::format("[{}]", fmt::join(lists, ", "));
  };
  for (const char* const arguments : kArguments) {
    for (const char* const method : kMethods)
      texts.push_back(around(List(arguments, method), outputs));
  }
  for (size_t count = 0; count <= 3; ++count)
    texts.push_back(around(usual, count));
  const std::string list = around(usual, outputs);
  for (const char* const behind : {" ", "\n", "\f", "]", ",", "1", "\""})
    texts.push_back(list + behind);
  for (const char* const before : {" ", "\t", "\r", "\v", "["})
    texts.push_back(before + list);
  texts.push_back(list + std::string(kMaxPromotionText - list.size(), ' '));
  texts.push_back(texts.back() + " ");
  std::string often;
  for (int i = 0; i < 1000; ++i) often += "0, ";
  texts.push_back(around(List(often, "DEFAULT"), outputs));
  return texts;
}

// Returns valid pointwise calls of few elements, two for each op.
const std::vector<Case>& Calls() {
  static const std::vector<Case> calls = [] {
    DrawOptions draw;
    draw.ops = {"pointwise.*"};
    draw.violations = false;
    draw.programs = false;
    draw.enumerates = false;
    draw.most_elements = 6;
    Generator generator(draw);
    std::map<std::string, int> count;
    std::vector<Case> drawn;
    for (uint64_t n = 0; n < 4000; ++n) {
      Case c = generator.Draw(11, n).c;
      if (!c.output_layouts.empty() || !c.alias.empty()) continue;
      if (++count[c.op] <= 2) drawn.push_back(std::move(c));
    }
    EXPECT_EQ(drawn.size(), 2 * count.size());
    EXPECT_EQ(count.size(), generator.ops().size());
    return drawn;
  }();
  return calls;
}

// Returns the case with these attributes. It has the types that follow, if any
// do, and names all constraints that are false.
Case WithAttributes(Case c, const std::vector<Attribute>& attributes) {
  Op& op = c.program.functions[0].body[0];
  for (const Attribute& attribute : attributes) {
    std::ranges::find(op.attributes, attribute.name, &Attribute::name)->value =
        attribute.value;
  }
  const std::vector<InferredType> inferred =
      InferResultTypes(*FindOp(op.op), op);
  for (size_t i = 0; i < inferred.size(); ++i) {
    if (inferred[i].element_type)
      op.outputs[i].type.tensor().element_type = *inferred[i].element_type;
  }
  c.violates = ViolatedBy(c);
  if (!c.violates.empty()) c.inputs.clear();
  return c;
}

// Readings say how the backend and the constraints read the calls.
struct Readings {
  std::map<std::string, int> outcomes;
  int valid = 0, invalid = 0;
  std::string first_complaint;
};

class Reader {
 public:
  explicit Reader(const std::string& backend) {
    OpenOptions open;
    open.in_process = true;
    executor_ = OpenBackend(backend, open);
    runner_.emplace(executor_.get(), Policy::Find("assay"));
  }

  void Read(const Case& c, const std::string& what) {
    const Verdict verdict = runner_->Run(c);
    ++(c.violates.empty() ? readings.valid : readings.invalid);
    ++readings.outcomes[Name(verdict.outcome)];
    const bool agrees = verdict.outcome == Outcome::kPass ||
                        verdict.outcome == Outcome::kUnsupported;
    if (agrees || !readings.first_complaint.empty()) return;
    readings.first_complaint =
        fmt::format("{} {} violates [{}]: {}", c.name, what,
                    fmt::join(c.violates, ", "), verdict.message);
  }

  Readings readings;

 private:
  std::unique_ptr<Executor> executor_;
  std::optional<Runner> runner_;
};

class Readers : public testing::TestWithParam<const char*> {};

TEST_P(Readers, AgreeWithTheConstraintsOnPromotionMethods) {
  Reader reader(GetParam());
  for (const Case& c : Calls()) {
    for (const std::string& text :
         Texts(c.program.main().body[0].outputs.size())) {
      reader.Read(WithAttributes(c, {{"promotion_methods", text}}), text);
    }
  }
  EXPECT_EQ(reader.readings.first_complaint, "");
  EXPECT_GT(reader.readings.valid, 500);
  EXPECT_GT(reader.readings.invalid, 5000);
  EXPECT_GT(reader.readings.outcomes["pass"], 5000);
}

// The direction in which values are compared must fit the type that they are
// compared in.
TEST_P(Readers, AgreeWithTheConstraintsOnOtherAttributes) {
  Reader reader(GetParam());
  for (const Case& c : Calls()) {
    const auto entry = std::ranges::find(
        Everything().ops(), c.op, [](const OpEntry& e) { return e.spec->id; });
    const size_t outputs = c.program.main().body[0].outputs.size();
    for (const std::vector<Attribute>& attributes : entry->attributes) {
      for (const char* const method : kMethods) {
        std::vector<Attribute> all = attributes;
        const std::vector<std::string> lists(outputs, List("0, ", method));
        all.push_back(
            {"promotion_methods", fmt::format("[{}]", fmt::join(lists, ", "))});
        reader.Read(WithAttributes(c, all), AttributeText(all.back()));
      }
    }
  }
  EXPECT_EQ(reader.readings.first_complaint, "");
  EXPECT_GT(reader.readings.valid, 200);
  EXPECT_GT(reader.readings.invalid, 200);
}

INSTANTIATE_TEST_SUITE_P(Ours, Readers, testing::Values("simd", "cuda-host"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

// Every op is called as it is drawn. Calls that violate a constraint are of ops
// that broadcast.
TEST(ReadersOfAllOps, CallNoValidCallInvalid) {
  DrawOptions draw;
  draw.enumerates = false;
  draw.programs = false;
  draw.only_pointwise_violations = true;
  draw.most_elements = 6;
  Generator generator(draw);
  for (const char* const backend : {"simd", "cuda-host", "eigen"}) {
    SCOPED_TRACE(backend);
    OpenOptions open;
    open.in_process = true;
    const auto executor = OpenBackend(backend, open);
    Runner runner(executor.get(), Policy::Find("assay"));
    std::map<std::string, int> answered;
    for (uint64_t n = 0; n < 3000; ++n) {
      const Case c = generator.Draw(12, n).c;
      const Verdict verdict = runner.Run(c);
      EXPECT_NE(verdict.outcome, Outcome::kRejectedValid)
          << c.name << " " << verdict.message;
      EXPECT_NE(verdict.outcome, Outcome::kAcceptedInvalid)
          << c.name << " " << verdict.message;
      if (verdict.outcome != Outcome::kUnsupported) ++answered[c.op];
    }
    EXPECT_GT(answered.size(), 20u);
  }
}

}  // namespace
}  // namespace assay
