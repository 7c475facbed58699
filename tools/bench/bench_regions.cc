// The command `assay bench --regions` measures how fast the oracle applies
// functions to scalars, in one thread.
//
// A row is a call on numbers of which the right result is computed here, by a
// loop. The oracle's answer is compared with it before it is timed. Time is
// that of the processor: the oracle waits for nothing, and the machine may have
// other work. A target is what the design asks for; no row is held to it, since
// machines differ.
#include "tools/bench/bench_regions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <random>

#include "cases/read/pattern.h"
#include "oracle/oracle.h"
#include "reports/print.h"
#include "spec/text/program_text.h"
#include "tools/bench/timing.h"

namespace assay {
namespace {

constexpr int64_t kSize = 1 << 21;
// The number of comparisons of a sort grows faster than that of elements.
constexpr int64_t kSorted = 1 << 17;
constexpr int64_t kRowLength = 64;
constexpr int kRegionRounds = 7;

using Integers = std::vector<uint32_t>;

struct RegionRow {
  std::string name, unit;
  double target;  // millions a second; 0: none
  std::string op;
  Integers values;  // the bits of the first operand
  double count;     // units in one call
  // Returns whether a result is right.
  std::function<bool(const Expectation&)> is_right;
};

Integers RandomIntegers() {
  std::mt19937 random(1);
  Integers values(kSize);
  for (uint32_t& value : values) value = random();
  return values;
}

// Returns numbers between -1 and 1.
Integers RandomFloats() {
  Integers values = RandomIntegers();
  for (uint32_t& value : values)
    value = std::bit_cast<uint32_t>(
        static_cast<float>(static_cast<int32_t>(value)) * 0x1p-31f);
  return values;
}

float FloatOf(ElementBits bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

bool IsExactly(const Expectation& result, const Integers& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    if (!result.IsExact(at) || result.lo.Bits(at) != wanted[i]) return false;
  }
  return result.lo.size() == std::ssize(wanted);
}

// Returns whether sums of rows lie in their ranges, and each range is narrow.
bool AreSums(const Expectation& result, const Integers& values) {
  const int64_t rows = result.lo.size(), length = std::ssize(values) / rows;
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += static_cast<double>(
          FloatOf(values[static_cast<size_t>(row * length + i)]));
    const double lo = static_cast<double>(FloatOf(result.lo.Bits(row)));
    const double hi = static_cast<double>(FloatOf(result.hi.Bits(row)));
    const double slack = 1e-6 * static_cast<double>(length);
    if (result.IsOpen(row) || sum < lo - slack || sum > hi + slack ||
        hi - lo > static_cast<double>(length))
      return false;
  }
  return true;
}

std::string ReduceText(const std::string& type, const std::string& shape,
                       const std::string& init, const std::string& result,
                       const std::string& body) {
  return fmt::format(
      "%i = stablehlo.constant dense<{2}> : tensor<{0}>\n"
      "%r = \"stablehlo.reduce\"(%x, %i) <{{dimensions = array<i64: {4}>}}> "
      "({{\n^bb0(%a: tensor<{0}>, %b: tensor<{0}>):\n{5}"
      "stablehlo.return %r : tensor<{0}>\n"
      "}}) : (tensor<{1}x{0}>, tensor<{0}>) -> tensor<{3}{0}>\n"
      "return %r : tensor<{3}{0}>",
      type, shape, init, result, result.empty() ? 0 : 1, body);
}

std::vector<RegionRow> RegionRows() {
  const Integers integers = RandomIntegers(), floats = RandomFloats();
  const std::string n = std::to_string(kSize),
                    rows = std::to_string(kSize / kRowLength);
  const double count = static_cast<double>(kSize);
  Integers sum = {0}, sum_with_product = {1}, greatest = {floats[0]};
  for (const uint32_t value : integers) {
    sum[0] += value;
    sum_with_product[0] *= value + 1;
  }
  --sum_with_product[0];
  for (const uint32_t value : floats) {
    if (FloatOf(value) > FloatOf(greatest[0])) greatest = {value};
  }
  Integers mapped = floats;
  const Integers unsorted(floats.begin(), floats.begin() + kSorted);
  Integers sorted = unsorted;
  for (uint32_t& value : mapped)
    value = std::bit_cast<uint32_t>(2 * FloatOf(value) - 0.5f * FloatOf(value));
  std::ranges::sort(sorted, {}, FloatOf);
  const auto exactly = [](Integers wanted) {
    return [wanted = std::move(wanted)](const Expectation& result) {
      return IsExactly(result, wanted);
    };
  };
  const auto sums = [floats](const Expectation& result) {
    return AreSums(result, floats);
  };
  return {
      {"reduce/general_i32", "applications", 10,
       ReduceText("i32", n, "0", "",
                  "%p = stablehlo.multiply %a, %b : tensor<i32>\n"
                  "%s = stablehlo.add %a, %b : tensor<i32>\n"
                  "%r = stablehlo.add %p, %s : tensor<i32>\n"),
       integers, count, exactly(sum_with_product)},
      {"reduce/add_i32", "elements", 300,
       ReduceText("i32", n, "0", "",
                  "%r = stablehlo.add %a, %b : tensor<i32>\n"),
       integers, count, exactly(sum)},
      {"reduce/maximum_f32", "elements", 300,
       ReduceText("f32", n, "0xFF800000", "",
                  "%r = stablehlo.maximum %a, %b : tensor<f32>\n"),
       floats, count, exactly(greatest)},
      {"reduce/add_f32", "terms", 60,
       ReduceText("f32", n, "0.0", "",
                  "%r = stablehlo.add %a, %b : tensor<f32>\n"),
       floats, count, sums},
      {"reduce/add_f32_rows", "terms", 60,
       ReduceText("f32", rows + "x" + std::to_string(kRowLength), "0.0",
                  rows + "x", "%r = stablehlo.add %a, %b : tensor<f32>\n"),
       floats, count, sums},
      {"map/two_products_f32", "applications", 0,
       fmt::format(
           "%r = \"stablehlo.map\"(%x) <{{dimensions = array<i64: 0>}}> ({{\n"
           "^bb0(%a: tensor<f32>):\n"
           "%c = stablehlo.constant dense<2.0> : tensor<f32>\n"
           "%d = stablehlo.constant dense<0.5> : tensor<f32>\n"
           "%e = stablehlo.multiply %a, %c : tensor<f32>\n"
           "%f = stablehlo.multiply %a, %d : tensor<f32>\n"
           "%g = stablehlo.subtract %e, %f : tensor<f32>\n"
           "stablehlo.return %g : tensor<f32>\n"
           "}}) : (tensor<{0}xf32>) -> tensor<{0}xf32>\n"
           "return %r : tensor<{0}xf32>",
           n),
       floats, count, exactly(mapped)},
      {"sort/f32", "elements", 0,
       fmt::format(
           "%r = \"stablehlo.sort\"(%x) <{{dimension = 0 : i64, is_stable = "
           "true}}> ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
           "%p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, "
           "tensor<f32>) -> tensor<i1>\n"
           "stablehlo.return %p : tensor<i1>\n"
           "}}) : (tensor<{0}xf32>) -> tensor<{0}xf32>\n"
           "return %r : tensor<{0}xf32>",
           kSorted),
       unsorted, static_cast<double>(kSorted), exactly(sorted)},
  };
}

// Returns the program of a row: the op, behind the constants that it uses.
Program ProgramOf(const RegionRow& row) {
  const size_t end = row.op.rfind("tensor<");
  const size_t operand = row.op.find(") : (tensor<");
  const size_t begin = row.op.find("tensor<", operand);
  const std::string type =
      row.op.substr(begin, row.op.find('>', begin) + 1 - begin);
  return ReadProgram("bench", text::SplitChunks(fmt::format(
                                  "func.func @main(%x: {}) -> {} {{\n{}\n}}\n",
                                  type, row.op.substr(end), row.op))[0]);
}

// Returns whether the row was right, and so timed.
bool Measure(const RegionRow& row) {
  const Program program = ProgramOf(row);
  const std::vector<Op>& body = program.main().body;
  const Op& op = body.back();
  Tensor operand(program.main().inputs[0].type.tensor());
  for (size_t i = 0; i < row.values.size(); ++i)
    operand.SetBits(static_cast<int64_t>(i), row.values[i]);
  std::vector<Tensor> operands = {operand};
  const Policy& policy = Policy::Find("assay");
  for (size_t i = 0; i + 1 < body.size(); ++i)
    operands.push_back(
        Evaluate(body[i], {}, policy, Marks::kNone).outputs[0].lo);
  const auto run = [&] { return Evaluate(op, operands, policy, Marks::kNone); };
  const Evaluation evaluation = run();
  if (evaluation.undecided > 0 || !row.is_right(evaluation.outputs[0])) {
    PrintText("{:<24} not measured: the oracle's result is wrong\n", row.name);
    return false;
  }
  std::vector<double> seconds;
  for (int round = 0; round < kRegionRounds; ++round)
    seconds.push_back(CpuSeconds(run));
  const std::string target =
      row.target == 0 ? "" : fmt::format("{:.0f}", row.target);
  PrintText("{:<24} {:>12} {:>10.1f} {:>8}\n", row.name, row.unit,
            row.count / Median(seconds) / 1e6, target);
  std::fflush(stdout);
  return true;
}

}  // namespace

ExitCode BenchRegions(const std::vector<std::string>& patterns) {
  PrintText(
      "the oracle: one thread, time of the processor, median of {}, {} "
      "elements, {} of a sort\n",
      kRegionRounds, kSize, kSorted);
  PrintText("{:<24} {:>12} {:>10} {:>8}\n", "row", "unit", "M/s", "target");
  bool all_right = true, any = false;
  for (const RegionRow& row : RegionRows()) {
    const bool is_chosen =
        patterns.empty() ||
        std::ranges::any_of(patterns, [&](const std::string& pattern) {
          return Matches(pattern, row.name, "");
        });
    if (!is_chosen) continue;
    any = true;
    all_right &= Measure(row);
  }
  if (!any) {
    PrintText(stderr, "assay: no row matches --op '{}'\n",
              fmt::join(patterns, "', '"));
    return kExitNothingJudged;
  }
  return all_right ? kExitOk : kExitFindings;
}

}  // namespace assay
