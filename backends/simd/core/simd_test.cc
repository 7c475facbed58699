// Tests every op, type and instruction set of the simd plugin against
// expectations computed one element at a time, and tests what the plugin
// accepts and declines.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/simd/core/simd_test_support.h"
#include "backends/simd/elementwise/ops_test_support.h"

namespace assay::simd_test {
namespace {

void CheckUnary(const UnaryOp& op, Type type, const Raw& a,
                const Extent& extent) {
  Check(op.op, {{type, a}}, type, extent,
        [&](size_t i) { return op.f(a[i % a.size()], type); });
}

void CheckBinary(const BinaryOp& op, Type type, const Raw& a, const Raw& b,
                 const Extent& extent) {
  Check(op.op, {{type, a}, {type, b}}, op.to_bool ? kBool : type, extent,
        [&](size_t i) {
          return op.f(type.Value(a[i % a.size()]), type.Value(b[i % b.size()]),
                      type);
        });
}

void CheckConvert(Type from, Type to, const Raw& a, const Extent& extent) {
  Check({"convert", "", ""}, {{from, a}}, to, extent, [&](size_t i) -> Result {
    const Wide value = from.Value(a[i % a.size()]);
    return to.is_bool() ? value != 0 : value;
  });
}

void CheckSelect(Type type, const Raw& pred, bool is_scalar, const Raw& a,
                 const Raw& b, const Extent& extent) {
  Check({"select", "", ""}, {{kBool, pred, is_scalar}, {type, a}, {type, b}},
        type, extent, [&](size_t i) -> Result {
          const bool on_true = pred[is_scalar ? 0 : i % pred.size()] != 0;
          return type.Value(on_true ? a[i % a.size()] : b[i % b.size()]);
        });
}

// ----------------------------------------------------------------------- Tests

class SimdTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    char message[200];
    if (assay_backend()->configure("target", GetParam(), message,
                                   sizeof(message)) != ASSAY_OK) {
      GTEST_SKIP() << message;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Targets, SimdTest,
                         testing::Values("sse4", "avx2", "avx512"),
                         [](const auto& test) { return test.param; });

bool Takes(const UnaryOp& op, Type type) {
  if (type.is_bool()) return op.on_bool;
  return type.is_signed() || op.on_unsigned;
}

bool Takes(const BinaryOp& op, Type type) {
  return op.on_bool || !type.is_bool();
}

TEST_P(SimdTest, UnaryValues) {
  for (const UnaryOp& op : kUnary) {
    for (const Type type : AllTypes()) {
      const Raw a = Interesting(type);
      if (Takes(op, type)) CheckUnary(op, type, a, {a.size()});
    }
  }
}

TEST_P(SimdTest, BinaryPairs) {
  for (const BinaryOp& op : kBinary) {
    for (const Type type : AllTypes()) {
      if (!Takes(op, type)) continue;
      Raw a;
      Raw b;
      const Raw values = Interesting(type);
      for (const uint64_t x : values) {
        a.insert(a.end(), values.size(), x);
        b.insert(b.end(), values.begin(), values.end());
      }
      CheckBinary(op, type, a, b, {a.size()});
    }
  }
}

// The dividends are next to a multiple of the divisor, where an estimate of the
// quotient that is off by one shows.
TEST_P(SimdTest, QuotientsNextToMultiples) {
  std::mt19937_64 random(3);
  for (const Type type : kIntegers) {
    const auto bits = static_cast<unsigned>(type.width());
    Raw a;
    Raw b;
    for (int i = 0; i < 20000; ++i) {
      const uint64_t divisor = (random() & type.mask()) >> (random() % bits);
      const uint64_t quotient =
          divisor == 0 ? 0 : (type.mask() / divisor) >> (random() % bits);
      a.push_back((divisor * quotient + random() % 3 - 1) & type.mask());
      b.push_back(divisor);
    }
    for (const BinaryOp& op : kBinary) {
      if (op.op.name == "divide" || op.op.name == "remainder") {
        CheckBinary(op, type, a, b, {a.size()});
      }
    }
  }
}

TEST_P(SimdTest, Clamp) {
  std::mt19937_64 random(1);
  for (const Type type : AllTypes()) {
    Raw a[3];
    for (int i = 0; i < 1000; ++i) {
      for (Raw& raw : a) raw.push_back(random() & type.mask());
    }
    for (const bool low : {false, true}) {
      for (const bool high : {false, true}) {
        Check({"clamp", "", ""},
              {{type, a[0], low}, {type, a[1]}, {type, a[2], high}}, type,
              {1000}, [&](size_t i) -> Result {
                const Wide min = type.Value(a[0][low ? 0 : i]);
                const Wide max = type.Value(a[2][high ? 0 : i]);
                const Wide operand = type.Value(a[1][i]);
                const Wide raised = operand > min ? operand : min;
                return raised < max ? raised : max;
              });
      }
    }
  }
}

TEST_P(SimdTest, Select) {
  std::mt19937_64 random(2);
  for (const Type type : AllTypes()) {
    Raw pred;
    Raw a;
    Raw b;
    for (int i = 0; i < 1000; ++i) {
      pred.push_back(random() & 1);
      a.push_back(random() & type.mask());
      b.push_back(random() & type.mask());
    }
    CheckSelect(type, pred, false, a, b, {1000});
    CheckSelect(type, {0}, true, a, b, {1000});
    CheckSelect(type, {1}, true, a, b, {1000});
  }
}

TEST_P(SimdTest, ConvertBetweenAllTypes) {
  for (const Type from : AllTypes()) {
    const Raw a = Interesting(from);
    for (const Type to : AllTypes()) CheckConvert(from, to, a, {a.size()});
  }
}

// The lengths are around every vector length, at both ends of the accessible
// memory.
TEST_P(SimdTest, LengthsAndPlacements) {
  for (const Type type : AllTypes()) {
    const Raw a = Interesting(type);
    Raw b = a;
    for (uint64_t& raw : b) raw = (raw * 7 + 3) & type.mask();
    std::vector<size_t> lengths = {0, 1, 2, 3, 600};
    for (const size_t vector : {16, 32, 64}) {
      const size_t lanes = vector / type.bytes();
      for (const size_t n : {lanes - 1, lanes, lanes + 1, 2 * lanes + 3}) {
        lengths.push_back(n);
      }
    }
    for (const size_t n : lengths) {
      for (const Placement& placement :
           {Placement{false, 0}, Placement{false, 1}, Placement{true, 0}}) {
        const Extent extent = {n, placement};
        for (const UnaryOp& op : kUnary) {
          if (Takes(op, type)) CheckUnary(op, type, a, extent);
        }
        for (const BinaryOp& op : kBinary) {
          if (Takes(op, type)) CheckBinary(op, type, a, b, extent);
        }
        for (const Type to : AllTypes()) CheckConvert(type, to, a, extent);
        CheckSelect(type, {1, 0, 0}, false, a, b, extent);
      }
    }
  }
}

// The results are large enough for non-temporal stores but not aligned to them.
TEST_P(SimdTest, LargeResults) {
  const size_t bytes = (size_t{8} << 20) + 77;
  const Type i8 = {kDLInt, 8};
  const Raw a = Interesting({kDLUInt, 16});
  const Raw b = {1, 2, 3, 4, 5};
  const size_t period = a.size() * b.size();
  for (const BinaryOp& op : kBinary) {
    if (op.op.name != "add" && op.op.value != "LT") continue;
    CheckBinary(op, i8, a, b, {bytes, {false, 3}, period});
    CheckBinary(op, i8, a, b, {bytes, {true, 0}, period});
  }
  CheckConvert(i8, {kDLInt, 64}, a, {bytes / 8, {true, 0}, period});
  CheckSelect({kDLInt, 32}, {0, 1, 0, 1, 1}, false, a, b,
              {bytes / 4, {false, 3}, period});
}

std::string Configure(const char* key, const char* value) {
  char message[200] = "accepted";
  assay_backend()->configure(key, value, message, sizeof(message));
  return message;
}

TEST(SimdPluginTest, ConfigureNamesWhatItKnows) {
  EXPECT_NE(Configure("speed", "sse4").find("'target'"), std::string::npos);
  EXPECT_NE(Configure("speed", "sse4").find("'subnormals'"), std::string::npos);
  EXPECT_NE(Configure("speed", "sse4").find("'threads'"), std::string::npos);
  for (const char* threads : {"0", "-1", "1025", "2x", ""}) {
    EXPECT_NE(Configure("threads", threads).find("1 to 1024"),
              std::string::npos);
  }
  EXPECT_NE(Configure("subnormals", "no").find("'keep' and 'flush'"),
            std::string::npos);
  EXPECT_NE(Configure("target", "mmx").find("'sse4', 'avx2', 'avx512'"),
            std::string::npos);
}

struct Declined {
  const char* label;
  Op op;
  std::vector<Type> inputs;
  Type result;
};

TEST(SimdPluginTest, DeclinesWhatItLacks) {
  const Type i32 = {kDLInt, 32};
  const Type u32 = {kDLUInt, 32};
  const Type f32 = {kDLFloat, 32};
  const Type c64 = {kDLComplex, 64};
  const Declined declined[] = {
      {"op", {"cosine", "", ""}, {i32}, i32},
      {"logic on floats", {"and", "", ""}, {f32, f32}, f32},
      {"complex remainder", {"remainder", "", ""}, {c64, c64}, c64},
      {"part of another type", {"real", "", ""}, {c64}, {kDLFloat, 64}},
      {"complex of f16",
       {"complex", "", ""},
       {{kDLFloat, 16}, {kDLFloat, 16}},
       {kDLComplex, 32}},
      {"total order of complex numbers",
       {"compare", "compare_type", "TOTALORDER"},
       {c64, c64},
       kBool},
      {"unsigned abs", {"abs", "", ""}, {u32}, u32},
      {"divide i1", {"divide", "", ""}, {kBool, kBool}, kBool},
      {"mixed types", {"add", "", ""}, {i32, u32}, i32},
      {"result type", {"add", "", ""}, {i32, i32}, u32},
      {"predicate", {"select", "", ""}, {i32, i32, i32}, i32},
      {"operands", {"add", "", ""}, {i32}, i32},
      {"direction",
       {"compare", "comparison_direction", "XX"},
       {i32, i32},
       kBool},
      {"no direction", {"compare", "", ""}, {i32, i32}, kBool},
  };
  for (const Declined& d : declined) {
    std::vector<std::unique_ptr<Tensor>> tensors;
    std::vector<AssayTensor> inputs;
    for (const Type type : d.inputs) {
      tensors.push_back(std::make_unique<Tensor>(type, 4, Placement{}));
      inputs.push_back(tensors.back()->assay());
    }
    Tensor output(d.result, 4, {});
    std::string message;
    EXPECT_EQ(RunOp(d.op, inputs, output.assay(), &message), ASSAY_UNSUPPORTED)
        << d.label;
    EXPECT_NE(message, "") << d.label;
    EXPECT_TRUE(output.CanariesLive()) << d.label;
  }
}

// strided_test.cc tests all other layouts.
TEST(SimdPluginTest, StridesOfOneElementOrNoneDoNotMatter) {
  const Type i32 = {kDLInt, 32};
  for (const size_t count : {0, 1}) {
    Tensor a(i32, count, {});
    Tensor output(i32, count, {});
    a.stride() = -999;
    output.stride() = 999;
    EXPECT_EQ(RunOp({"not", "", ""}, {a.assay()}, output.assay()), ASSAY_OK);
  }
}

TEST(SimdPluginTest, ShapesMustAgree) {
  const Type i32 = {kDLInt, 32};
  Tensor a(i32, 8, {});
  Tensor one(i32, 1, {});
  Tensor scalar(i32, 1, {}, true);
  for (Tensor* other : {&one, &scalar}) {
    EXPECT_EQ(RunOp({"add", "", ""}, {a.assay(), other->assay()}, a.assay()),
              ASSAY_UNSUPPORTED);
  }
}

TEST(SimdPluginTest, ResultMayReplaceAnOperand) {
  const size_t count = 1037;
  Tensor a({kDLInt, 32}, count, {});
  Tensor b({kDLInt, 32}, count, {});
  a.Fill({1, 2, 3});
  b.Fill({10, 20, 30, 40});
  ASSERT_EQ(RunOp({"add", "", ""}, {a.assay(), b.assay()}, a.assay()),
            ASSAY_OK);
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(a.At(i), i % 3 + 1 + 10 * (i % 4 + 1));
  }
}

}  // namespace
}  // namespace assay::simd_test
