#include "oracle/relation.h"

#include <gtest/gtest.h>

#include "spec/types/element.h"

namespace assay {
namespace {

TEST(CanonicalValue, HasOneNanForAllWhoseBitsAreOpen) {
  const ElementBits one = 0x3F800000, nan = 0x7FC00000, other = 0xFFC00001;
  EXPECT_EQ(CanonicalValue(ElementType::kF32, nan, true),
            CanonicalValue(ElementType::kF32, other, true));
  EXPECT_NE(CanonicalValue(ElementType::kF32, nan, false),
            CanonicalValue(ElementType::kF32, other, false));
  const auto complex = [](ElementBits real, ElementBits imag, bool any_nan) {
    return CanonicalValue(ElementType::kComplexF32, imag << 32 | real, any_nan);
  };
  EXPECT_EQ(complex(one, nan, true), complex(one, other, true));
  EXPECT_EQ(complex(nan, one, true), complex(other, one, true));
  EXPECT_NE(complex(one, nan, true), complex(nan, one, true));
  EXPECT_NE(complex(one, nan, true), complex(0, nan, true));
  EXPECT_NE(complex(one, nan, false), complex(one, other, false));
}

}  // namespace
}  // namespace assay
