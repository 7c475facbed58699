// Tests that the author of a backend finds in backend.h how the attributes of a
// call are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "spec/op_spec.h"
#include "spec/pointwise/promotion.h"

namespace assay {
namespace {

using testing::HasSubstr;

std::string Header() {
  std::ifstream file(ASSAY_SOURCE_DIR "/backends/backend.h");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(BackendHeader, SaysHowEachKindOfAttributeIsWritten) {
  for (const OpSpec& spec : Ops()) {
    // Ops that control what is executed reach no backend.
    if (!spec.executable || spec.control) continue;
    for (const InputSpec& input : spec.inputs) {
      using enum InputSpec::Kind;
      EXPECT_TRUE(input.IsValue() || input.kind == kFunction ||
                  input.kind == kEnum || input.kind == kType ||
                  input.kind == kConstant ||
                  (input.kind == kText && input.name == "promotion_methods"))
          << spec.id << " has " << input.name
          << ", and backend.h does not say how it is written";
    }
  }
}

TEST(BackendHeader, NamesThePromotionMethods) {
  const std::string header = Header();
  for (const PromotionMethod method :
       {PromotionMethod::kDefault, PromotionMethod::kNoOpmath,
        PromotionMethod::kIntToFloat, PromotionMethod::kAlwaysBool,
        PromotionMethod::kComplexToFloat, PromotionMethod::kBoolToLong})
    EXPECT_THAT(header, HasSubstr('"' + std::string(Name(method)) + '"'));
}

}  // namespace
}  // namespace assay
