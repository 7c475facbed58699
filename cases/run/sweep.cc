#include "cases/run/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "oracle/flush/flush_observation.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr int64_t kRunBEvery = 64;

const Shape& ShapeOf(const Case& sweep) {
  return sweep.program.main().body[0].outputs[0].type.tensor().shape;
}

// Keeps one element for each set of ways of flushing, for every subject.
void MergeFlush(const ChunkVerdicts& chunks, Verdict* merged) {
  std::set<std::pair<std::string, FlushSet>> seen;
  merged->flush.clear();
  for (const auto& [number, verdict] : chunks) {
    for (const std::string& text : verdict.flush) {
      const auto observation = FlushObservation::Parse(text);
      ASSAY_CHECK(observation.has_value());
      if (seen.emplace(observation->subject, observation->survivors).second)
        merged->flush.push_back(text);
    }
  }
}

}  // namespace

int64_t ChunkCount(const Case& c) {
  if (c.chunk == 0) return 1;
  return (*ElementCount(ShapeOf(c)) - 1) / c.chunk + 1;
}

Case SliceOf(const Case& c, int64_t begin, int64_t end) {
  Case slice = c;
  slice.chunk = 0;
  slice.window = Window{ShapeOf(c), begin};
  const Shape flat = {end - begin};
  Function& main = slice.program.functions[0];
  for (TypedName& input : main.inputs) input.type.tensor().shape = flat;
  for (Op::Operand& operand : main.body[0].inputs)
    operand.type.tensor().shape = flat;
  for (Op::Result& result : main.body[0].outputs)
    result.type.tensor().shape = flat;
  for (CaseInput& input : slice.inputs) {
    input.data.type.shape = flat;
    input.data.window = slice.window;
    input.layout = Layout::RowMajor(flat);
  }
  return slice;
}

Case ChunkOf(const Case& sweep, int64_t number) {
  ASSAY_CHECK(sweep.chunk > 0 && number < ChunkCount(sweep));
  const int64_t begin = number * sweep.chunk;
  Case chunk =
      SliceOf(sweep, begin,
              std::min(begin + sweep.chunk, *ElementCount(ShapeOf(sweep))));
  chunk.runs_twice = number % kRunBEvery == 0;
  return chunk;
}

Verdict MergeChunks(const Case& sweep, const ChunkVerdicts& chunks) {
  ASSAY_CHECK(!chunks.empty());
  const auto worst = std::ranges::min_element(
      chunks, {}, [](const auto& chunk) { return Rank(chunk.second.outcome); });
  Verdict merged = worst->second;
  merged.type = sweep.TypeText();
  if (!IsJudged(merged.outcome)) {
    // How many chunks were judged before depends on which worker was faster.
    merged.elements = merged.open = 0;
    merged.accuracy.reset();
    merged.flush.clear();
    merged.layouts.clear();
    return merged;
  }
  std::set<std::pair<ptrdiff_t, Outcome>> others;
  merged.elements = merged.open = 0;
  merged.error_ulps.reset();
  merged.accuracy.reset();
  merged.chunks = Verdict::Chunks();
  int64_t same = 0;
  for (const auto& [number, verdict] : chunks) {
    merged.elements += verdict.elements;
    merged.open += verdict.open;
    if (verdict.error_ulps)
      merged.error_ulps =
          std::max(merged.error_ulps.value_or(0), *verdict.error_ulps);
    if (verdict.accuracy) {
      if (!merged.accuracy) merged.accuracy.emplace();
      merged.accuracy->Merge(*verdict.accuracy);
    }
    others.emplace(Rank(verdict.outcome), verdict.outcome);
    for (const Outcome outcome : verdict.also)
      others.emplace(Rank(outcome), outcome);
    ++merged.chunks->count;
    merged.chunks->run_twice += number % kRunBEvery == 0;
    same += verdict.outcome == merged.outcome;
  }
  merged.also.clear();
  for (const auto& [rank, outcome] : others) {
    if (outcome != merged.outcome && outcome != Outcome::kPass &&
        IsJudged(outcome))
      merged.also.push_back(outcome);
  }
  MergeFlush(chunks, &merged);
  if (merged.outcome != Outcome::kPass)
    merged.message =
        fmt::format("{} of {} chunks, the first from element {} on: {}", same,
                    chunks.size(), worst->first * sweep.chunk, merged.message);
  return merged;
}

}  // namespace assay
