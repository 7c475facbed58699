// A call leaves the caller's floating-point environment as it was, does not
// depend on it, and treats subnormals as the plugin was told to.
#include <fenv.h>
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>
#include <xmmintrin.h>

#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {
namespace {

// These are the bits of MXCSR.
constexpr unsigned kFlags = 0x3F;
constexpr unsigned kMasks = 0x1F80;
constexpr unsigned kUpward = 0x4000;
constexpr unsigned kFlush = 0x8040;

// These operands raise every exception: invalid, denormal operand, division by
// zero, overflow, underflow, inexact.
Raw Raising(const FloatType& t) {
  return {0,           t.sign(),           1,
          t.one() + 1, Encode(t, 1),       Encode(t, 3),
          t.max(),     t.max() | t.sign(), t.max() + 1,
          t.max() + 2, Encode(t, 0.1)};
}

struct X87 {
  uint16_t control;
  uint16_t status;
};

X87 ReadX87() {
  X87 x87;
  __asm__ volatile("fnstcw %0" : "=m"(x87.control));
  __asm__ volatile("fnstsw %0" : "=m"(x87.status));
  return x87;
}

class EnvironmentTest : public testing::Test {
 protected:
  ~EnvironmentTest() override {
    _mm_setcsr(kMasks);
    Configure("subnormals", "keep");
  }

  static void Configure(const char* key, const char* value) {
    char message[200];
    ASSERT_EQ(assay_backend()->configure(key, value, message, sizeof(message)),
              ASSAY_OK)
        << message;
  }

  // Returns the results of arithmetic on all pairs and of other ops on the left
  // operands of all pairs, called in the given environment, and checks that the
  // environment is the same afterwards. Nothing else is computed in it.
  static Raw Results(const FloatType& t, unsigned environment) {
    Raw a;
    Raw b;
    for (const uint64_t x : Raising(t)) {
      for (const uint64_t y : Raising(t)) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    Tensor lhs(t.type, a.size(), {});
    Tensor rhs(t.type, a.size(), {});
    lhs.Fill(a);
    rhs.Fill(b);
    Raw raw;
    const auto run = [&](const Op& op, const std::vector<AssayTensor>& operands,
                         const FloatType& to) {
      Tensor result(to.type, a.size(), {});
      const char* const name = op.name.c_str();
      const X87 before = ReadX87();
      _mm_setcsr(environment);
      const int32_t status = RunOp(op, operands, result.assay());
      const unsigned after = _mm_getcsr();
      _mm_setcsr(kMasks);
      const X87 x87 = ReadX87();
      EXPECT_EQ(status, ASSAY_OK);
      EXPECT_EQ(after, environment) << name;
      EXPECT_EQ(x87.control, before.control) << name;
      EXPECT_EQ(x87.status, before.status) << name;
      for (size_t i = 0; i < a.size(); ++i) raw.push_back(result.At(i));
    };
    for (const char* name :
         {"add", "remainder", "multiply", "divide", "atan2", "power"})
      run({name, "", ""}, {lhs.assay(), rhs.assay()}, t);
    for (const char* name : {"sqrt", "ceil", "round_nearest_even", "cbrt",
                             "exponential", "exponential_minus_one", "log",
                             "log_plus_one", "rsqrt", "sine", "tan", "tanh"})
      run({name, "", ""}, {lhs.assay()}, t);
    for (const char* to : {"f8E4M3FN", "bf16", "f16", "f32", "f64"})
      run({"convert", "", ""}, {lhs.assay()}, FloatNamed(to));
    return raw;
  }
};

TEST_F(EnvironmentTest, TheCallersIsLeftAndDoesNotMatter) {
  ForEachTarget([&](const std::string& target) {
    for (const char* name : {"bf16", "f16", "f32", "f64"}) {
      const FloatType& t = FloatNamed(name);
      const Raw wanted = Results(t, kMasks);
      for (const unsigned environment :
           {0u, kMasks | kFlags, kMasks | kUpward, kMasks | kFlush,
            kUpward | kFlush, 0x0080u}) {
        EXPECT_EQ(Results(t, environment), wanted)
            << name << " on " << target << " in " << environment;
      }
    }
  });
}

// Both a subnormal result and a subnormal operand count as zero. Without the
// option they do not: 2^-126 * 0.5 is 2^-127, and times 2 that is 2^-126.
TEST_F(EnvironmentTest, SubnormalsAreFlushedOnDemand) {
  const FloatType& t = FloatNamed("f32");
  const uint64_t least = t.one();
  const std::vector<FloatInput> results = {{t.type, {least}},
                                           {t.type, {Encode(t, 0.5)}}};
  const std::vector<FloatInput> operands = {{t.type, {least / 2}},
                                            {t.type, {Encode(t, 2)}}};
  const Op op = {"multiply", "", ""};
  ForEachTarget([&](const std::string& target) {
    for (const size_t n : {1, 100}) {
      Configure("subnormals", "keep");
      EXPECT_EQ(RunFloats(op, results, {t.type, {}}, n), Raw(n, least / 2))
          << target;
      EXPECT_EQ(RunFloats(op, operands, {t.type, {}}, n), Raw(n, least))
          << target;
      Configure("subnormals", "flush");
      EXPECT_EQ(RunFloats(op, results, {t.type, {}}, n), Raw(n, 0)) << target;
      EXPECT_EQ(RunFloats(op, operands, {t.type, {}}, n), Raw(n, 0)) << target;
    }
  });
}

}  // namespace
}  // namespace assay::simd_test
