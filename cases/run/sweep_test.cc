// Tests that a slice that is drawn alone equals the slice of the whole, and
// that a sweep has the verdict that its case would have in one piece.
#include "cases/run/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <set>

#include "cases/run/session.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

std::vector<Case> ParseSweep(const std::string& text) {
  return ParseCases("test.json", ParseJsonExactly("test.json", text), {});
}

Case Sweep(const std::string& type, const std::string& draw,
           const std::string& chunk = "7") {
  return ParseSweep(R"({"op": "exponential", "cases": [{"id": "s", "chunk": )" +
                    chunk + R"(, "inputs": {"operand": {"type": "tensor<)" +
                    type + R"(>", "draw": )" + draw + "}}}]}")[0];
}

TEST(Chunks, AreSlicesOfWhatIsDrawn) {
  for (const char* draw : {R"({"seed": 3, "profile": "uniform"})",
                           R"({"seed": 3, "profile": "boundary"})",
                           R"({"every": "bits", "dimension": 0})",
                           R"({"every": "bits", "dimension": 1})",
                           R"({"every": "boundary", "dimension": 1})",
                           R"({"every": "grid", "dimension": 0})",
                           R"({"every": "grid", "dimension": 2})"}) {
    SCOPED_TRACE(draw);
    const Case sweep = Sweep("5x300x2xf16", draw);
    const Tensor whole = sweep.inputs[0].data.Materialise();
    ASSERT_EQ(ChunkCount(sweep), 429);
    int64_t at = 0;
    for (int64_t number = 0; number < ChunkCount(sweep); ++number) {
      const Case chunk = ChunkOf(sweep, number);
      EXPECT_EQ(chunk.runs_twice, number % 64 == 0);
      const Tensor part = chunk.inputs[0].data.Materialise();
      ASSERT_EQ(part.size(), std::min<int64_t>(7, 3000 - at));
      EXPECT_EQ(chunk.TypeText(), part.type().ToString());
      for (int64_t i = 0; i < part.size(); ++i, ++at)
        ASSERT_EQ(part.Bits(i), whole.Bits(at)) << at;
    }
    EXPECT_EQ(at, 3000);
  }
}

TEST(Chunks, OfASweepThatNoMemoryHolds) {
  const Case sweep = Sweep("4294967296xf32",
                           R"({"every": "bits", "dimension": 0})", "1048576");
  ASSERT_EQ(ChunkCount(sweep), 4096);
  const Tensor last = ChunkOf(sweep, 4095).inputs[0].data.Materialise();
  EXPECT_EQ(last.Bits(0), 0xfff00000u);
  EXPECT_EQ(last.Bits(last.size() - 1), 0xffffffffu);
  const std::string text =
      R"({"op": "abs", "cases": [{"id": "a", "chunk": 1024, "inputs": {"operand":
         {"type": "tensor<4294967296xf32>", "draw": {"every": "bits", "dimension": 0}}}}]})";
  const Json json = ParseJsonExactly("test.json", text);
  EXPECT_EQ(ParseCases("test.json", json, {8192}).size(), 1u);
  EXPECT_THROW(ParseCases("test.json", json, {8191}), InputError);
}

TEST(Chunks, OnlyOfWhatCanBeCutUp) {
  const auto refused = [](const std::string& op, const std::string& rest) {
    EXPECT_THAT(
        [&] {
          ParseSweep(R"({"op": ")" + op +
                     R"(", "cases": [{"id": "a", "chunk": 2, )" + rest + "}]}");
        },
        ThrowsMessage<InputError>(HasSubstr("/cases/0/chunk")))
        << rest;
  };
  refused(
      "abs",
      R"("inputs": {"operand": {"type": "tensor<2xf32>", "data": [1, 2]}})");
  refused("abs", R"("inputs": {"operand": {"type": "tensor<2xf32>",
          "strides": [2], "draw": {"seed": 1, "profile": "uniform"}}})");
  refused("abs", R"("source": "hand", "expect": {"result": [1, 2]},
          "inputs": {"operand": {"type": "tensor<2xf32>", "draw": {"seed": 1, "profile": "uniform"}}})");
  refused("abs", R"("inputs": {"operand": {"type": "tensor<0xf32>",
          "draw": {"seed": 1, "profile": "uniform"}}})");
  refused("not", R"("inputs": {"operand": {"type": "tensor<4xi8>",
          "draw": {"seed": 1, "below": 2, "sorted": true}}})");
  // The operands have one shape, but the op is not elementwise.
  refused("broadcast_in_dim", R"("inputs": {"operand": {"type":
          "tensor<2x2xf32>", "draw": {"seed": 1, "profile": "uniform"}},
          "broadcast_dimensions": [1, 0]},
          "outputs": {"result": {"type": "tensor<2x2xf32>"}})");
  refused("clamp", R"("inputs": {
          "min": {"type": "tensor<f32>", "draw": {"seed": 1, "profile": "uniform"}},
          "operand": {"type": "tensor<4xf32>", "draw": {"seed": 1, "profile": "uniform"}},
          "max": {"type": "tensor<f32>", "draw": {"seed": 1, "profile": "uniform"}}})");
}

TEST(Grid, HasEverySignAndExponentWithItsMantissas) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    SCOPED_TRACE(info.name);
    const std::vector<ElementBits>& grid = GridBits(info.type);
    if (!IsFloat(info.type)) {
      EXPECT_TRUE(grid.empty());
      continue;
    }
    const FloatFormat format = FormatOf(info.type);
    const std::set<ElementBits> all(grid.begin(), grid.end());
    EXPECT_EQ(all.size(), grid.size()) << "none stands twice";
    const uint64_t mask = format.mantissa_mask();
    for (uint64_t high = 0;
         high < (uint64_t{1} << (info.bits - format.mantissa_bits)); ++high) {
      for (const uint64_t mantissa :
           {uint64_t{0}, uint64_t{1}, mask, (mask + 1) / 2,
            uint64_t{0x5555555555555555}, uint64_t{0xaaaaaaaaaaaaaaaa}}) {
        EXPECT_TRUE(
            all.contains(high << format.mantissa_bits | (mantissa & mask)));
      }
    }
  }
  EXPECT_EQ(GridBits(ElementType::kF64).size(), 73728u);
  EXPECT_EQ(GridBits(ElementType::kF32).size(), 9216u);
}

TEST(Grid, FewIndicesAreSpreadOverAll) {
  for (const int64_t size : {1, 2, 18, 9216, 73728}) {
    std::vector<bool> seen(static_cast<size_t>(size));
    for (int64_t i = 0; i < size; ++i)
      seen[static_cast<size_t>(GridIndex(i, size))] = true;
    EXPECT_TRUE(std::ranges::all_of(seen, [](bool is) { return is; })) << size;
  }
  // A ninth of the grid of f64 leaves out few signs and exponents.
  std::set<ElementBits> high;
  const std::vector<ElementBits>& grid = GridBits(ElementType::kF64);
  for (int64_t i = 0; i < 8192; ++i)
    high.insert(grid[static_cast<size_t>(GridIndex(i, 73728))] >> 52);
  EXPECT_GT(high.size(), 4000u);
}

std::atomic<bool> declines = false;

// This is exp of f32 by libm, wrong at one operand.
int32_t Exponential(const AssayCall* call, char*, size_t) {
  if (declines) return ASSAY_UNSUPPORTED;
  const auto data = [](const AssayTensor& t) {
    return reinterpret_cast<float*>(static_cast<char*>(t.tensor.data) +
                                    t.tensor.byte_offset);
  };
  const float* x = data(call->inputs[0]);
  float* y = data(call->outputs[0]);
  for (int64_t i = 0; i < call->inputs[0].tensor.shape[0]; ++i) {
    y[i] = static_cast<float>(std::exp(static_cast<double>(x[i])));
    uint32_t bits;
    std::memcpy(&bits, &x[i], sizeof(bits));
    if (bits == 0x3f800001) y[i] *= 1.00001f;
  }
  return ASSAY_OK;
}

std::unique_ptr<Executor> Open() {
  static const AssayBackend plugin = [] {
    AssayBackend backend = {};
    backend.struct_size = sizeof(backend);
    backend.abi_major = ASSAY_ABI_MAJOR;
    backend.name = backend.version = "test";
    backend.device = {kDLCPU, 0};
    backend.run = Exponential;
    return backend;
  }();
  return std::make_unique<InProcessExecutor>(Backend::Adopt("test", &plugin));
}

struct SweepRun {
  std::vector<Verdict> verdicts;
  ChunkVerdicts chunks;
};

SweepRun Judge(const std::vector<Case>& suite, int jobs = 1,
               const ChunkVerdicts& done = {}) {
  SweepRun run;
  std::vector<size_t> cases;
  for (size_t i = 0; i < suite.size(); ++i) cases.push_back(i);
  SessionOptions options;
  options.jobs = jobs;
  options.chunks_done[0] = done;
  options.chunk_sink = [&](int64_t number, const Verdict& verdict) {
    EXPECT_TRUE(run.chunks.emplace(number, verdict).second);
  };
  const SessionResult result = JudgeSuite(
      suite, cases, Policy::Find("assay"), Open(), [] { return Open(); },
      options, [&](Verdict v) { run.verdicts.push_back(std::move(v)); });
  EXPECT_EQ(result.error, "");
  return run;
}

// Returns the grid of f32, with the one wrong operand, in 36 chunks or in one.
std::vector<Case> GridOfF32(bool in_chunks) {
  return ParseSweep(
      std::string(R"({"op": "exponential", "cases": [{"id": "s",)") +
      (in_chunks ? R"("chunk": 256,)" : "") +
      R"("inputs": {"operand": {"type": "tensor<9216x1xf32>",
               "draw": {"every": "grid", "dimension": 0}}}},
               {"id": "after", "inputs": {"operand": {"type": "tensor<1xf32>", "data": [1]}}}]})");
}

void ExpectSame(const Verdict& a, const Verdict& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.error_ulps, b.error_ulps);
  EXPECT_EQ(a.replay, b.replay);
  EXPECT_EQ(a.clauses, b.clauses);
  EXPECT_EQ(a.basis, b.basis);
  ASSERT_TRUE(a.accuracy && b.accuracy);
  EXPECT_EQ(a.accuracy->errors.worst, b.accuracy->errors.worst);
  EXPECT_EQ(a.accuracy->errors.histogram, b.accuracy->errors.histogram);
  EXPECT_EQ(a.accuracy->tiers, b.accuracy->tiers);
  EXPECT_EQ(a.accuracy->worst, b.accuracy->worst);
  EXPECT_EQ(a.accuracy->worst_index, b.accuracy->worst_index);
}

TEST(Sweep, HasTheVerdictOfItsCaseInOnePiece) {
  const SweepRun whole = Judge(GridOfF32(false)),
                 sweep = Judge(GridOfF32(true));
  ASSERT_EQ(whole.verdicts.size(), 2u);
  ASSERT_EQ(sweep.verdicts.size(), 2u);
  const Verdict &a = whole.verdicts[0], &b = sweep.verdicts[0];
  EXPECT_EQ(a.outcome, Outcome::kFail);
  ExpectSame(a, b);
  EXPECT_THAT(b.message, StartsWith("1 of 36 chunks, the first from element "));
  EXPECT_FALSE(a.chunks.has_value());
  EXPECT_EQ(b.chunks, (Verdict::Chunks{36, 1}));
  EXPECT_EQ(sweep.chunks.size(), 36u);
  // Both messages name the place in the whole sweep, and the operand.
  const std::string place = a.message.substr(a.message.find("first at "), 80);
  EXPECT_THAT(b.message, HasSubstr(place));
  EXPECT_THAT(b.accuracy->worst, HasSubstr("0x3f800001"));
}

TEST(Sweep, IsTheSameByManyWorkersAndAfterAnInterruption) {
  const SweepRun one = Judge(GridOfF32(true));
  const SweepRun three = Judge(GridOfF32(true), 3);
  ASSERT_EQ(three.verdicts.size(), 2u);
  ExpectSame(one.verdicts[0], three.verdicts[0]);
  EXPECT_EQ(one.verdicts[0].message, three.verdicts[0].message);
  for (const size_t every : {1, 2, 5}) {
    ChunkVerdicts done;
    for (const auto& [number, verdict] : one.chunks) {
      if (static_cast<size_t>(number) % every == 0) done[number] = verdict;
    }
    const SweepRun rest = Judge(GridOfF32(true), 1, done);
    EXPECT_EQ(rest.chunks.size(), 36 - done.size());
    ASSERT_EQ(rest.verdicts.size(), 2u);
    EXPECT_EQ(rest.verdicts[0].index, 0);
    ExpectSame(one.verdicts[0], rest.verdicts[0]);
    EXPECT_EQ(one.verdicts[0].message, rest.verdicts[0].message);
    EXPECT_EQ(one.verdicts[0].chunks, rest.verdicts[0].chunks);
  }
}

TEST(Sweep, ThatIsDeclinedIsNotAskedForChunkByChunk) {
  declines = true;
  const SweepRun run = Judge(GridOfF32(true));
  declines = false;
  EXPECT_EQ(run.chunks.size(), 1u);
  ASSERT_EQ(run.verdicts.size(), 2u);
  EXPECT_EQ(run.verdicts[0].outcome, Outcome::kUnsupported);
  EXPECT_EQ(run.verdicts[0].type, "tensor<9216x1xf32>");
  EXPECT_EQ(run.verdicts[0].chunks, std::nullopt);
}

TEST(MergeChunks, TheWorstStandsForAll) {
  const Case sweep = GridOfF32(true)[0];
  Verdict pass, fail, worse;
  pass.elements = fail.elements = 256;
  pass.open = 1;
  fail.outcome = Outcome::kFail;
  fail.error_ulps = 2;
  fail.message = "first";
  worse = fail;
  worse.error_ulps = 7;
  worse.message = "second";
  Verdict crash;
  crash.outcome = Outcome::kCrash;
  const Verdict merged =
      MergeChunks(sweep, {{0, pass}, {1, fail}, {2, worse}, {3, pass}});
  EXPECT_EQ(merged.outcome, Outcome::kFail);
  EXPECT_EQ(merged.message,
            "2 of 4 chunks, the first from element 256 on: first");
  EXPECT_EQ(merged.error_ulps, 7);
  EXPECT_EQ(merged.elements, 1024);
  EXPECT_EQ(merged.open, 2);
  EXPECT_EQ(merged.chunks, (Verdict::Chunks{4, 1}));
  const Verdict crashed = MergeChunks(sweep, {{0, fail}, {1, crash}});
  EXPECT_EQ(crashed.outcome, Outcome::kCrash);
  EXPECT_EQ(crashed.also, std::vector{Outcome::kFail});
}

}  // namespace
}  // namespace assay
