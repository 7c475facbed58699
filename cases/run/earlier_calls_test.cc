// Tests what is said of a failure that did not come again.
#include "cases/run/earlier_calls.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EarlierCalls, AreNotBlamedWhereThereWereNone) {
  Dependence dependence;
  dependence.earlier = 3;
  EXPECT_THAT(TextOf(dependence),
              HasSubstr("depends on earlier calls: alone, in a new process, it "
                        "passes; it did not fail again after 3 case(s)"));
  dependence.earlier = 0;
  EXPECT_THAT(TextOf(dependence), HasSubstr("is not the same each time"));
  EXPECT_THAT(TextOf(dependence), Not(HasSubstr("depends")));
  dependence.alone = Outcome::kFail;
  EXPECT_EQ(TextOf(dependence), "");
}

}  // namespace
}  // namespace assay
