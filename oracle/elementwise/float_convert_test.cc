// Tests convert with floats and complex numbers: the clause of each kind of
// pair, and every conversion between floats of 16 bits or fewer against exact
// numbers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "spec/types/float_reference_test_support.h"

namespace assay {
namespace {

using enum ElementType;

struct Row {
  ElementType from, to;
  const char *operand, *result, *labels;
  // The result under that policy, if it is another: the nearest value comes
  // first.
  const char* stablehlo = nullptr;
};

void Check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{} of {} to {}", row.operand, Name(row.from),
                             Name(row.to)));
    const FloatCall call = MakeFloatCall(
        "convert", {RowOfTexts(row.from, {row.operand})}, {{1}, row.to});
    const Evaluation evaluation = EvaluateCall(call);
    const std::string result = TextOfResult(evaluation.outputs[0], 0);
    EXPECT_EQ(result, ExpectedText(row.to, row.result));
    EXPECT_EQ(LabelsOf(call, evaluation), row.labels);
    EXPECT_EQ(TextOfResult(EvaluateCall(call, "stablehlo").outputs[0], 0),
              row.stablehlo == nullptr ? result
                                       : ExpectedText(row.to, row.stablehlo));
  }
}

// All codes that a policy other than assay accepts; "nan" stands for those of
// NaNs.
struct OtherRow {
  const char* policy;
  ElementType from, to;
  const char* operand;
  std::vector<const char*> accepted;
};

// Returns the codes of the texts, with every NaN of the type for "nan".
std::set<ElementBits> CodesOf(ElementType type,
                              const std::vector<const char*>& texts) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    std::set<ElementBits> codes;
    for (const std::string text : texts) {
      if (text != "nan") {
        codes.insert(BitsOfText(type, text));
        continue;
      }
      for (ElementBits code = 0; code < ElementBits{1} << T::kBitWidth;
           ++code) {
        if (T::FromBits(static_cast<typename T::Bits>(code)).IsNan())
          codes.insert(code);
      }
    }
    return codes;
  });
}

TEST(ConvertFloat, OtherPoliciesAcceptWhatTheirKeysSayAndNothingElse) {
  const OtherRow rows[] = {
      // Policy inexact_conversion = nearest_even_or_by_f32 is tried just above
      // a tie.
      {"xla", kF64, kBF16, "0x1.0100000001p+0", {"0x3f81", "0x3f80"}},
      {"xla", kF64, kF16, "0x1.00200000001p+0", {"0x3c01", "0x3c00"}},
      {"torch", kI64, kBF16, "1103806595073", {"0x5381", "0x5380"}},
      {"numpy", kF64, kF8E4M3FN, "-0x1.1000000001p+0", {"0xb9", "0xb8"}},
      {"xla", kF32, kBF16, "0x1.0101p+0", {"0x3f81"}},
      {"numpy", kF32, kF8E8M0FNU, "0x1.4p-127", {"0x00", "0x01"}},
      {"torch", kF64, kF8E8M0FNU, "-0x1.4p-127", {"0x00", "0x01"}},
      {"torch", kF32, kF8E8M0FNU, "0x1p-127", {"0x00"}},
      {"torch", kF32, kF8E8M0FNU, "0x1.cp-127", {"0x01"}},
      // The policies are e8m0_zero = nan_for_exact_zero, and smallest.
      {"xla", kF32, kF8E8M0FNU, "0", {"nan"}},
      {"xla", kF32, kF8E8M0FNU, "0x1p-130", {"0x00", "nan"}},
      {"torch", kF32, kF8E8M0FNU, "0x1p-130", {"0x00"}},
      // The policy is e8m0_negative = magnitude.
      {"torch", kF32, kF8E8M0FNU, "-6", {"0x82"}},
      {"torch", kI8, kF8E8M0FNU, "-1", {"0x7f"}},
      {"torch", kF32, kF8E8M0FNU, "-inf", {"nan"}},
      {"xla", kF32, kF8E8M0FNU, "-6", {"nan"}},
      // The policy is nan_without_nan = either_zero.
      {"xla", kF32, kF4E2M1FN, "nan", {"0x0", "0x8"}},
      {"numpy", kF32, kF6E3M2FN, "nan", {"0x00", "0x20"}},
      // The policies are overflow_without_infinity = by_format_but_f6 and
      // saturate_but_fnuz.
      {"xla", kF32, kF4E2M1FN, "-100", {"0xf"}},
      {"xla", kF32, kF6E2M3FN, "100", {"0x00"}},
      {"xla", kF32, kF6E3M2FN, "-inf", {"0x20"}},
      {"xla", kF32, kF8E4M3FN, "inf", {"nan"}},
      {"torch", kF32, kF8E4M3FN, "-inf", {"0xfe"}},
      {"torch", kF32, kF8E4M3FN, "500", {"0x7e"}},
      {"torch", kF32, kF8E5M2FNUZ, "1e30", {"nan"}},
      {"torch", kF32, kF6E2M3FN, "100", {"0x1f"}},
  };
  for (const OtherRow& row : rows) {
    const FloatCall call = MakeFloatCall(
        "convert", {RowOfTexts(row.from, {row.operand})}, {{1}, row.to});
    const Evaluation evaluation = Evaluate(
        call.op, call.inputs, Policy::Find(row.policy), Marks::kCounted);
    std::set<ElementBits> accepted;
    Tensor actual(TensorType{{1}, row.to});
    for (ElementBits code = 0; code < ElementBits{1} << Info(row.to).bits;
         ++code) {
      actual.SetBits(0, code);
      if (Accepts(evaluation.outputs[0], actual, 0)) accepted.insert(code);
    }
    EXPECT_EQ(accepted, CodesOf(row.to, row.accepted))
        << fmt::format("{}: {} of {} to {}", row.policy, row.operand,
                       Name(row.from), Name(row.to));
  }
}

TEST(ConvertFloat, BooleansBecomeZeroAndOneAndComeFromWhatIsNotZero) {
  Check({
      {kI1, kF32, "true", "1", "S1"},
      {kI1, kF32, "false", "0", "S1"},
      {kI1, kF4E2M1FN, "true", "1", "S1"},
      {kI1, kF8E8M0FNU, "true", "1", "S1"},
      {kI1, kF8E8M0FNU, "false", "0x00", "S1 E4", "0x00|nan"},
      {kI1, kComplexF32, "true", "1 0", "S1 S9"},
      {kF32, kI1, "0", "false", "S2"},
      {kF32, kI1, "-0", "false", "S2"},
      {kF32, kI1, "0x1p-149", "true", "S2"},
      {kF32, kI1, "nan", "true", "S2"},
      {kBF16, kI1, "-inf", "true", "S2"},
      {kF8E8M0FNU, kI1, "0x00", "true", "S2"},
      {kF8E4M3FNUZ, kI1, "0x80", "true", "S2"},
      {kComplexF32, kI1, "0 5", "false", "S2 S9"},
      {kComplexF64, kI1, "0x1p-1074 0", "true", "S2 S9"},
  });
}

TEST(ConvertFloat, IntegersAreRoundedOnce) {
  Check({
      {kI8, kF32, "-100", "-100", "S3"},
      {kI8, kF4E2M1FN, "3", "3", "S3"},
      {kI8, kF4E2M1FN, "5", "4", "S5", "4|6"},  // a tie
      {kI8, kF4E2M1FN, "-100", "-6", "S5 E1"},
      {kI32, kF32, "16777217", "16777216", "S5", "16777216|16777218"},
      {kI32, kF16, "2049", "2048", "S5", "2048|2050"},
      {kI32, kF16, "65520", "inf", "S5", "65504|inf"},
      {kI32, kF8E4M3FN, "464", "448", "S5", "448|nan"},
      {kI32, kF8E4M3FN, "465", "nan", "S5 E1", "448|nan"},
      {kUi64, kF32, "18446744073709551615", "0x1p64", "S5",
       "0x1p64|0x1.fffffep63"},
      {kUi64, kF64, "18446744073709551615", "0x1p64", "S5",
       "0x1p64|0x1.fffffffffffffp63"},
      {kI64, kF64, "-9223372036854775808", "-0x1p63", "S3"},
      {kI64, kF64, "9007199254740993", "9007199254740992", "S5",
       "9007199254740992|9007199254740994"},
      // These are a tie of bf16, and one more than that, which f64 cannot tell
      // from it.
      {kI64, kBF16, "1157425104234217472", "0x5d80", "S5", "0x5d80|0x5d81"},
      {kI64, kBF16, "1157425104234217473", "0x5d81", "S5", "0x5d81|0x5d80"},
      {kI64, kF32, "1152921573326323713", "0x5d800001", "S5",
       "0x5d800001|0x5d800000"},
      {kUi8, kF8E8M0FNU, "64", "64", "S3"},
      {kUi8, kF8E8M0FNU, "0", "0x00", "S5 E4", "0x00|nan"},
      {kUi8, kF8E8M0FNU, "3", "4", "S5 E3", "4|2"},
      {kI8, kF8E8M0FNU, "-1", "nan", "S5 E5", "any"},
      {kI8, kComplexF64, "-7", "-7 0", "S3 S9"},
      {kI64, kComplexF32, "16777217", "16777216 0", "S5 S9",
       "16777216 0|16777218 0"},
  });
}

TEST(ConvertFloat, FloatsAreRoundedOnce) {
  Check({
      {kF32, kF64, "0x1.fffffep-3", "0x1.fffffep-3", "S3"},
      {kF32, kF64, "0x7f800001", "nan", "S3"},
      {kF64, kF32, "0x1.000001p0", "1", "S5", "1|0x1.000002p0"},
      {kF64, kF32, "1e40", "inf", "S5", "0x1.fffffep127|inf"},
      {kF64, kF32, "-1e-60", "-0", "S5", "-0|-0x1p-149"},
      {kF64, kF32, "-inf", "-inf", "S3"},
      // Through f32 this is a tie, which goes down.
      {kF64, kBF16, "0x1.01000001p0", "0x3f81", "S5", "0x3f81|0x3f80"},
      {kF64, kF16, "0x1.00200000001p0", "0x3c01", "S5", "0x3c01|0x3c00"},
      {kF32, kF8E4M3FN, "464", "448", "S5", "448|nan"},
      {kF32, kF8E4M3FN, "464.1", "nan", "S5 E1", "448|nan"},
      {kF32, kF8E4M3FN, "-inf", "nan", "S5 E1", "-448|nan"},
      {kF32, kF8E5M2, "61440", "inf", "S5", "57344|inf"},
      {kF32, kF8E5M2, "61439", "57344", "S5", "57344|inf"},
      {kF32, kF4E2M1FN, "inf", "6", "S5 E1"},
      {kF32, kF4E2M1FN, "nan", "0", "S5 E2", "any"},
      {kF32, kF8E4M3FNUZ, "-0", "0", "S5"},
      {kF32, kF8E4M3FNUZ, "-0x1p-20", "0", "S5", "0|-0x1p-10"},
      {kF32, kF8E8M0FNU, "3", "4", "S5 E3", "4|2"},
      {kF32, kF8E8M0FNU, "2.9", "2", "S5", "2|4"},
      {kF32, kF8E8M0FNU, "0x1p-127", "0x00", "S3"},
      {kF32, kF8E8M0FNU, "-0", "0x00", "S5 E4", "0x00|nan"},
      {kF32, kF8E8M0FNU, "0x1p-140", "0x00", "S5 E4", "0x00|nan"},
      {kF32, kF8E8M0FNU, "-0x1p-140", "nan", "S5 E5", "any"},
      {kF32, kF8E8M0FNU, "-inf", "nan", "S5 E5", "any"},
      {kF32, kF8E8M0FNU, "inf", "nan", "S5 E6", "0x1p127|nan"},
      {kF64, kF8E8M0FNU, "0x1p128", "nan", "S5 E6", "0x1p127|nan"},
      {kF32, kF8E8M0FNU, "nan", "nan", "S3"},
      {kF8E8M0FNU, kF32, "0x00", "0x1p-127", "S3"},
      {kF8E8M0FNU, kF16, "0x00", "0", "S5", "0|0x1p-24"},
  });
}

TEST(ConvertFloat, ToIntegersTruncatesAndSaturates) {
  Check({
      {kF32, kI8, "1.9", "1", "S6"},
      {kF32, kI8, "-0.9", "0", "S6"},
      {kF32, kI8, "127.9", "127", "S6"},
      {kF32, kI8, "128", "127", "S7", "any"},
      {kF32, kI8, "-128.9", "-128", "S6"},
      {kF32, kI8, "-129", "-128", "S7", "any"},
      {kF32, kI8, "nan", "0", "S7", "any"},
      {kF32, kI8, "-inf", "-128", "S7", "any"},
      {kF32, kUi8, "-0.9", "0", "S6"},
      {kF32, kUi8, "-1", "0", "S7", "any"},
      {kF32, kUi8, "255.9", "255", "S6"},
      {kF32, kUi8, "inf", "255", "S7", "any"},
      {kF16, kI2, "-2.5", "-2", "S6"},
      {kF64, kI64, "0x1p63", "9223372036854775807", "S7", "any"},
      {kF64, kI64, "-0x1p63", "-9223372036854775808", "S6"},
      {kF64, kI64, "0x1.fffffffffffffp62", "9223372036854774784", "S6"},
      {kF64, kUi64, "0x1p64", "18446744073709551615", "S7", "any"},
      {kF8E8M0FNU, kI32, "0x1p30", "1073741824", "S6"},
      {kComplexF32, kI8, "-3.5 99", "-3", "S6 S9"},
      {kComplexF32, kUi2, "nan 1", "0", "S7 S9", "any"},
  });
}

TEST(ConvertFloat, ComplexNumbersAreTheirPartsOrTheirRealPart) {
  Check({
      {kComplexF32, kComplexF64, "1.5 -0", "1.5 -0", "S3 S8"},
      {kComplexF64, kComplexF32, "1.5 1e40", "1.5 inf", "S3 S5 S8",
       "1.5 0x1.fffffep127|1.5 inf"},
      {kComplexF64, kComplexF32, "nan -1", "nan -1", "S3 S8"},
      {kComplexF32, kF32, "-2 nan", "-2", "S3 S9"},
      {kComplexF64, kF4E2M1FN, "nan 1", "0", "S5 S9 E2", "any"},
      {kF32, kComplexF32, "-0", "-0 0", "S3 S9"},
      {kF64, kComplexF32, "0x1.000001p0", "1 0", "S5 S9", "1 0|0x1.000002p0 0"},
      {kF8E4M3FN, kComplexF64, "448", "448 0", "S3 S9"},
  });
}

template <class T>
std::string Difference(const Expectation& actual, int64_t i,
                       const reference::Delivered& expected) {
  const T value = T::FromBits(static_cast<typename T::Bits>(actual.lo.Bits(i)));
  if (expected.is_nan ? value.IsNan() : value.ToBits() == expected.bits)
    return "";
  return fmt::format(
      "expected {}, not {}",
      expected.is_nan ? "NaN" : FormatBits(T::kElementType, expected.bits),
      FormatBits(T::kElementType, value.ToBits()));
}

// `reals` are the values of the operand.
void CheckConversion(const Tensor& operand,
                     const std::vector<reference::Real>& reals,
                     ElementType to) {
  const FloatCall call =
      MakeFloatCall("convert", {operand}, {operand.type().shape, to});
  const Expectation result =
      Evaluate(call.op, call.inputs, Policy::Find("assay"), Marks::kNone)
          .outputs[0];
  VisitKinds<kFloats>(to, [&]<class T>() {
    for (int64_t i = 0; i < operand.size(); ++i) {
      ASSERT_EQ(Difference<T>(result, i,
                              Deliver(reference::FormatOf(to),
                                      reals[static_cast<size_t>(i)])),
                "")
          << FormatBits(operand.element_type(), operand.Bits(i));
    }
  });
}

TEST(ConvertFloat, BetweenAllFormatsIsTheNearestValue) {
  std::mt19937_64 random(8);
  for (const reference::Format& from : reference::kFormats) {
    // All codes of 8 bits or fewer are tried; of the others a spread, and
    // random ones.
    std::vector<uint64_t> codes;
    const int bits = Info(from.type).bits;
    for (uint64_t code = 0; bits <= 16 && code < from.codes();
         code += bits <= 8 ? 1 : 29)
      codes.push_back(code);
    while (codes.size() < 2000 && bits > 16) {
      const uint64_t code = random() >> (64 - bits);
      // Most lie where the narrow formats have values.
      const int field = static_cast<int>(random() % 320) - 160 + from.bias;
      const uint64_t exponent = ((uint64_t{1} << from.exponent_bits) - 1)
                                << from.mantissa_bits;
      const uint64_t moved =
          (code & ~exponent) |
          (static_cast<uint64_t>(field) << from.mantissa_bits & exponent);
      codes.push_back(codes.size() % 4 == 0 ? code : moved);
    }
    Tensor operand(TensorType{{static_cast<int64_t>(codes.size())}, from.type});
    std::vector<reference::Real> reals;
    for (size_t i = 0; i < codes.size(); ++i) {
      operand.SetBits(static_cast<int64_t>(i), codes[i]);
      reals.push_back(Decode(from, codes[i]));
    }
    for (const reference::Format& to : reference::kFormats) {
      SCOPED_TRACE(fmt::format("{} to {}", Name(from.type), Name(to.type)));
      CheckConversion(operand, reals, to.type);
      if (HasFatalFailure()) return;
    }
  }
}

// Under policy stablehlo a result is right if it is the last value of the
// format on one side of the operand or, if there is none, the replacement for
// overflow.
TEST(ConvertFloat, EitherNeighbourIsAllThatAnOpenConversionAccepts) {
  std::mt19937_64 random(11);
  for (const ElementType to :
       {kF4E2M1FN, kF6E2M3FN, kF6E3M2FN, kF8E3M4, kF8E4M3, kF8E4M3FN,
        kF8E4M3FNUZ, kF8E4M3B11FNUZ, kF8E5M2, kF8E5M2FNUZ, kF8E8M0FNU}) {
    Tensor operand(TensorType{{600}, kF32});
    for (int64_t i = 0; i < operand.size(); ++i) {
      const auto exponent = static_cast<uint32_t>(100 + random() % 50);
      operand.SetBits(i, (random() & 0x807fffff) | exponent << 23);
    }
    const FloatCall call =
        MakeFloatCall("convert", {operand}, {operand.type().shape, to});
    const Expectation result =
        Evaluate(call.op, call.inputs, Policy::Find("stablehlo"), Marks::kNone)
            .outputs[0];
    VisitKinds<kFloats>(to, [&]<class T>() {
      for (int64_t i = 0; i < operand.size(); ++i) {
        const double x =
            F32::FromBits(static_cast<uint32_t>(operand.Bits(i))).ToDouble();
        if (!T::kFormat.has_sign && x < 0) continue;  // open
        // The format has 8 bits at most.
        constexpr uint32_t kCodes = 1u << (T::kBitWidth % 32);
        const double infinity = std::numeric_limits<double>::infinity();
        double below = -infinity, above = infinity;
        for (uint32_t code = 0; code < kCodes; ++code) {
          const T value = T::FromBits(static_cast<typename T::Bits>(code));
          if (value.IsNan() || value.IsInfinite()) continue;
          if (value.ToDouble() <= x) below = std::max(below, value.ToDouble());
          if (value.ToDouble() >= x) above = std::min(above, value.ToDouble());
        }
        const double least = T::FromBits(0).ToDouble();
        const bool is_below_all = !T::kFormat.has_zero && x < least;
        for (uint32_t code = 0; code < kCodes; ++code) {
          const T value = T::FromBits(static_cast<typename T::Bits>(code));
          bool is_right =
              value.ToDouble() == below || value.ToDouble() == above;
          const bool overflows = std::isinf(below) || std::isinf(above);
          if (value.IsInfinite())
            is_right = overflows && value.SignBit() == (x < 0);
          if (value.IsNan())
            is_right =
                (overflows || is_below_all) && !T::kFormat.has_infinity();
          // A zero has the sign of the operand.
          if (value.IsZero() && T::kFormat.has_negative_zero())
            is_right = is_right && value.SignBit() == (x < 0);
          Tensor actual(TensorType{operand.type().shape, to});
          actual.SetBits(i, code);
          ASSERT_EQ(Accepts(result, actual, i), is_right)
              << Name(to) << ' ' << x << ' ' << code;
        }
      }
    });
    if (HasFatalFailure()) return;
  }
}

TEST(ConvertFloat, FromIntegersIsTheNearestValue) {
  std::mt19937_64 random(9);
  for (const ElementType from : {kI64, kUi64, kI16}) {
    Tensor operand(TensorType{{1000}, from});
    std::vector<reference::Real> reals;
    for (int64_t i = 0; i < 1000; ++i) {
      // Ones behind a few bits are near ties of every format.
      uint64_t bits = random() >> (random() % 60);
      if (i % 2 == 0) bits |= (uint64_t{1} << random() % 60) - 1;
      operand.SetBits(i, from == kI16 ? bits & 0xffff : bits);
      const __int128 value = ValueOf(from, operand.Bits(i));
      reals.push_back(
          {.negative = value < 0,
           .n = static_cast<reference::Wide>(value < 0 ? -value : value)});
    }
    for (const reference::Format& to : reference::kFormats) {
      SCOPED_TRACE(fmt::format("{} to {}", Name(from), Name(to.type)));
      CheckConversion(operand, reals, to.type);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace assay
