#include "cases/run/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "oracle/judge.h"
#include "oracle/scalars.h"

namespace assay {
namespace {

// A Counted has the number of elements that something holds for, and the first.
struct Counted {
  int64_t count = 0, first = -1;
};
template <class F>
Counted Count(int64_t size, F holds) {
  Counted counted;
  for (int64_t i = 0; i < size; ++i) {
    if (holds(i) && counted.count++ == 0) counted.first = i;
  }
  return counted;
}

// Counts the elements that still hold the fill of both runs.
Counted CountNotWritten(const Tensor& a, const Tensor& b) {
  const size_t element = static_cast<size_t>(Info(a.element_type()).bytes);
  const auto holds = [&](const Tensor& t, int64_t i, std::byte fill) {
    const std::byte* at = t.data() + static_cast<size_t>(i) * element;
    return std::all_of(at, at + element,
                       [&](std::byte v) { return v == fill; });
  };
  return Count(a.size(), [&](int64_t i) {
    return holds(a, i, GuardedBuffer::kFillA) &&
           holds(b, i, GuardedBuffer::kFillB);
  });
}

bool HaveSameBytes(const Tensor& a, const Tensor& b) {
  return std::memcmp(a.data(), b.data(), static_cast<size_t>(a.byte_size())) ==
         0;
}

// Returns whether one value is right there, with these bits alone.
bool HasOneRightValue(const Expectation& expectation, int64_t at) {
  return expectation.IsExact(at) &&
         (expectation.KeepsNan(at) ||
          !HasNan(expectation.lo.element_type(), expectation.lo.Bits(at)));
}

}  // namespace

bool CompareRuns(const OpExecutions& run, size_t i, const Policy& policy,
                 const Expectation& expectation, int64_t* not_repeated,
                 Findings* findings) {
  const Tensor &a = run.a.outputs[i], &b = run.b.outputs[i];
  const std::string name = ResultName(*run.op, i);
  const auto element = [&](int64_t at) {
    return DescribeElement(*run.op, run.call.inputs, a, at, run.window, i);
  };
  // An output in the memory of an input had no fill.
  const Counted not_written =
      run.call.alias[i] ? Counted() : CountNotWritten(a, b);
  if (not_written.count > 0) {
    findings->Add(Outcome::kNotWritten, "contract",
                  fmt::format("{} of {} elements of {} still hold the fill\n"
                              "  first at {}",
                              not_written.count, a.size(), name,
                              element(not_written.first)));
    return false;
  }
  if (HaveSameBytes(a, b)) return false;
  const auto differ = [&](int64_t at) { return a.Bits(at) != b.Bits(at); };
  const Counted wrong = Count(a.size(), [&](int64_t at) {
    return differ(at) && HasOneRightValue(expectation, at);
  });
  const Counted free = Count(a.size(), [&](int64_t at) {
    return differ(at) && !HasOneRightValue(expectation, at);
  });
  const auto add = [&](const Counted& different, std::string basis,
                       const std::string& end) {
    findings->Add(
        Outcome::kNondeterministic, std::move(basis),
        fmt::format("{} of {} elements of {} differ between {} and {}\n"
                    "  first at {}\n    {}    {}\n    {}    {}{}",
                    different.count, a.size(), name, run.name_of_a,
                    run.name_of_b, element(different.first), run.name_of_a,
                    ActualText(a, different.first), run.name_of_b,
                    ActualText(b, different.first), end));
  };
  if (wrong.count > 0) {
    add(wrong, "contract", "");
  } else if (free.count > 0 && policy.Get("repeatable") == "required") {
    add(free, "policy:repeatable",
        fmt::format("\n  basis policy:repeatable = required (policy {})",
                    policy.name()));
  } else {
    *not_repeated += free.count;
  }
  return wrong.count + free.count > 0;
}

bool CompareWithBase(const OpExecutions& run, size_t i, const Policy& policy,
                     const Expectation& expectation, Verdict* verdict,
                     Findings* findings) {
  const VariantInfo& variant = *run.c->variant;
  const Tensor &actual = run.a.outputs[i], &base = run.base.outputs[i];
  // If more than one result is right, the choice need not be symmetric, as in
  // the order of complex numbers that are NaN.
  const bool leaves_open = variant.layout == "swapped";
  int64_t count = 0, first = -1, first_base = -1;
  for (int64_t at = 0; at < actual.size(); ++at) {
    if (leaves_open && expectation.IsFree(at)) continue;
    const int64_t of_base = variant.element_of.empty()
                                ? at
                                : variant.element_of[static_cast<size_t>(at)];
    if (IsSameResult(expectation, at, actual.Bits(at), base.Bits(of_base)))
      continue;
    if (count++ > 0) continue;
    first = at;
    first_base = of_base;
  }
  if (count == 0) return false;
  verdict->first_failed = first;
  verdict->failed_output = i;
  if (policy.Get("layout_invariant") != "required") {
    verdict->layout_dependent += count;
    return variant.element_of.empty() && !leaves_open;
  }
  findings->Add(
      Outcome::kFail, "policy:layout_invariant",
      fmt::format(
          "{} of {} elements of {} are others than those of the same "
          "call in row-major order [{}], first {}\n    {}\n    row-major: {}"
          "\n  basis policy:layout_invariant = required (policy {}){}",
          count, actual.size(), ResultName(*run.op, i), variant.layout,
          DescribeElement(*run.op, run.call.inputs, actual, first, {}, i),
          ActualText(actual, first), ActualText(base, first_base),
          policy.name(), LayoutText(run.call)));
  return false;
}

}  // namespace assay
