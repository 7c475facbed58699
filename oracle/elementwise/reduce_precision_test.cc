// Tests reduce_precision: the mantissa is rounded first, then the exponent is
// checked.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "oracle/elementwise/float_test_support.h"

namespace assay {
namespace {

using enum ElementType;

struct Precision {
  ElementType type;
  int exponent_bits, mantissa_bits;
  const char *operand, *result, *labels;
};

TEST(ReducePrecision, RoundsTheMantissaAndThenChecksTheExponent) {
  const Precision rows[] = {
      {kF32, 8, 23, "0x3f800001", "0x3f800001", "S1"},
      {kF32, 11, 52, "0x00000001", "0x00000001", "S1"},
      {kF32, 2147483647, 2147483647, "0x7f7fffff", "0x7f7fffff", "S1"},
      {kF32, 8, 10, "0x3f801000", "1", "S1 S2"},  // a tie, to even
      {kF32, 8, 10, "0x3f803000", "0x3f804000", "S1 S2"},
      {kF32, 8, 10, "0x3f801001", "0x3f802000", "S1 S2"},
      // Without mantissa bits the hidden one is odd, so 1.5 goes up.
      {kF32, 8, 0, "1.5", "2", "S1 S2"},
      {kF32, 8, 0, "-1.25", "-1", "S1 S2"},
      {kF32, 8, 0, "3", "4", "S1 S2 S7"},
      {kF32, 8, 0, "0x7f7fffff", "inf", "S3"},
      // Subnormals are rounded by their field.
      {kF32, 8, 0, "0x00400000", "0", "S1 S2"},
      {kF32, 8, 0, "0x80400001", "0x80800000", "S1 S2"},
      {kF32, 8, 22, "0x00000003", "0x00000004", "S1 S2"},
      // The range is that of f16, without its subnormals.
      {kF32, 5, 10, "65504", "65504", "S1 S2"},
      {kF32, 5, 10, "-65520", "-inf", "S3"},
      {kF32, 5, 10, "65519.99", "65504", "S1 S2"},
      {kF32, 5, 10, "0x1p-14", "0x1p-14", "S1 S2"},
      {kF32, 5, 10, "0x1.fffp-15", "0x1p-14", "S1 S2"},
      {kF32, 5, 10, "0x1.ff8p-15", "0", "S3"},
      {kF32, 5, 10, "-0x1p-15", "-0", "S3"},
      {kF32, 5, 10, "0x00000001", "0", "S3"},
      {kF32, 5, 23, "0", "0", "S3"},
      {kF32, 5, 10, "inf", "inf", "S1"},
      {kF32, 5, 10, "nan", "nan", "S1"},
      // One exponent bit leaves no finite number but zero.
      {kF32, 1, 23, "1", "0", "S3"},
      {kF32, 1, 23, "-1", "-0", "S3"},
      {kF32, 1, 23, "2", "inf", "S3"},
      {kF32, 1, 0, "1.5", "inf", "S3"},
      {kF64, 8, 23, "0x1.fffffefffffffp127", "0x1.fffffep127", "S1 S2"},
      {kF64, 8, 23, "0x1.ffffffp127", "inf", "S3"},
      {kBF16, 5, 3, "1.0625", "1", "S1 S2"},
      {kF8E4M3FN, 4, 2, "448", "448", "S1 S2"},
      {kF8E4M3FN, 4, 1, "448", "nan", "S3 E1"},
      {kF8E4M3FN, 3, 3, "16", "nan", "S3 E1"},
      {kF8E4M3FN, 3, 3, "0.125", "0", "S3"},
      {kF4E2M1FN, 2, 0, "1.5", "2", "S1 S2"},
      {kF4E2M1FN, 2, 0, "-6", "-6", "S3 E1"},
      {kF4E2M1FN, 1, 1, "0.5", "0", "S3"},
      // If there is no -0, a value that rounds to zero becomes the only zero.
      {kF8E4M3FNUZ, 4, 0, "0x81", "0", "S1 S2"},
      {kF8E4M3FNUZ, 3, 3, "-0.125", "0", "S3 S6"},
      {kF8E4M3FNUZ, 4, 3, "0x80", "nan", "S1"},
      {kF8E8M0FNU, 8, 0, "0x00", "0x00", "S1"},
      {kF8E8M0FNU, 8, 0, "0x1p127", "0x1p127", "S1"},
      {kF8E8M0FNU, 4, 0, "256", "nan", "S3 E6"},
      {kF8E8M0FNU, 4, 0, "0x1p-6", "0x1p-6", "S1"},
      {kF8E8M0FNU, 4, 0, "0x1p-7", "0x00", "S3 E4"},
  };
  for (const Precision& row : rows) {
    SCOPED_TRACE(fmt::format("{} e {} m {} of {}", row.operand,
                             row.exponent_bits, row.mantissa_bits,
                             Name(row.type)));
    const auto scalar = [](int value) {
      Tensor tensor(TensorType{{}, kI32});
      tensor.SetBits(0, BitsOf(kI32, value));
      return tensor;
    };
    const FloatCall call =
        MakeFloatCall("reduce_precision", {RowOfTexts(row.type, {row.operand})},
                      {{1}, row.type},
                      {{"exponent_bits", scalar(row.exponent_bits)},
                       {"mantissa_bits", scalar(row.mantissa_bits)}});
    const Evaluation evaluation = EvaluateCall(call);
    EXPECT_EQ(TextOfResult(evaluation.outputs[0], 0),
              ExpectedText(row.type, row.result));
    EXPECT_EQ(LabelsOf(call, evaluation), row.labels);
  }
}

}  // namespace
}  // namespace assay
