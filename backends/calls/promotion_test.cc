// Tests which types promote to which.
#include "backends/calls/promotion.h"

#include <gtest/gtest.h>

namespace assay::calls {
namespace {

// The pairs have equal and different ranks; results follow PyTorch's table.
TEST(PromotionTest, Pairs) {
  const Type i8 = {Kind::kSigned, 8, 0, {}};
  const Type u8 = {Kind::kUnsigned, 8, 0, {}};
  const Type i16 = {Kind::kSigned, 16, 1, {}};
  const Type i32 = {Kind::kSigned, 32, 2, {}};
  const Type i1 = {Kind::kBool, 8, 0, {}};
  const Type f16 = {Kind::kFormat, 16, 1, Format::kF16};
  const Type bf16 = {Kind::kFormat, 16, 1, Format::kBF16};
  const Type f8 = {Kind::kFormat, 8, 0, Format::kF8E5M2};
  const Type f32 = {Kind::kFloat, 32, 2, {}};
  const Type f64 = {Kind::kFloat, 64, 3, {}};
  const Type c64 = {Kind::kComplex, 64, 3, {}};
  const Type c128 = {Kind::kComplex, 128, 4, {}};
  const struct {
    Type a;
    Type b;
    Type computation;
    Type result;
  } pairs[] = {
      {i8, u8, i16, i16},   {i1, i8, i8, i8},       {i16, i32, i32, i32},
      {i32, f16, f32, f16}, {f16, bf16, f32, f32},  {f16, f16, f32, f16},
      {f8, f8, f32, f8},    {f8, i32, f32, f8},     {bf16, f64, f64, f64},
      {f16, c64, c64, c64}, {f64, c64, c128, c128}, {i32, c64, c64, c64}};
  for (const auto& pair : pairs) {
    for (const bool swapped : {false, true}) {
      const Argument arguments[] = {{swapped ? pair.b : pair.a, true, false},
                                    {swapped ? pair.a : pair.b, true, false}};
      Promoted promoted = {};
      ASSERT_TRUE(Promote({2, {0, 1}, Method::kDefault}, arguments, &promoted));
      EXPECT_TRUE(promoted.computation == pair.computation);
      EXPECT_TRUE(promoted.result == pair.result);
    }
  }
  const Argument none[] = {{f8, true, false}, {f32, true, false}};
  Promoted promoted = {};
  EXPECT_FALSE(Promote({2, {0, 1}, Method::kDefault}, none, &promoted));
}

}  // namespace
}  // namespace assay::calls
