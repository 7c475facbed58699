// Tests that the table of attributes in backend.h is that of the ops: the
// author of a backend finds every attribute that a call may have in the header
// alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
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

// Returns the text after the name of each attribute, on one line.
std::map<std::string, std::string> AttributesOfHeader() {
  std::map<std::string, std::string> attributes;
  std::istringstream lines(Header());
  std::string line, name;
  const std::regex first("//   ([a-z_]+): (.*)"), more("//     (.*)");
  bool is_in_table = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("// Every attribute that an op may have."))
      is_in_table = true;
    if (!line.starts_with("//")) is_in_table = false;
    std::smatch match;
    if (!is_in_table) continue;
    if (std::regex_match(line, match, first)) {
      name = match[1];
      attributes[name] = match[2];
    } else if (std::regex_match(line, match, more)) {
      attributes.at(name) += " " + match[1].str();
    }
  }
  return attributes;
}

TEST(BackendHeader, ListsEveryAttributeWithItsTextAndType) {
  const std::map<std::string, std::string> listed = AttributesOfHeader();
  std::set<std::string> of_ops;
  for (const OpSpec& spec : Ops()) {
    if (!spec.executable) continue;
    for (const InputSpec& input : spec.inputs) {
      if (input.kind == InputSpec::Kind::kTensor) continue;
      of_ops.insert(input.name);
      ASSERT_TRUE(listed.contains(input.name)) << spec.id << " " << input.name;
      std::string said = listed.at(input.name);
      if (said.starts_with("as exponent_bits"))
        said = listed.at("exponent_bits");
      for (const std::string& value : input.values)
        EXPECT_THAT(said, HasSubstr('"' + value + '"')) << input.name;
      if (input.kind == InputSpec::Kind::kConstant && input.type) {
        EXPECT_THAT(
            said, HasSubstr(std::string(Name(input.type->element_type)) + ">"))
            << input.name;
      }
      if (input.name != "promotion_methods") {
        EXPECT_TRUE(
            std::regex_search(said, std::regex("[ ,]" + spec.id + "[,.]")))
            << spec.id << " is not behind " << input.name;
      }
    }
  }
  for (const auto& [name, said] : listed)
    EXPECT_TRUE(of_ops.contains(name)) << "no op has " << name;
  for (const PromotionMethod method :
       {PromotionMethod::kDefault, PromotionMethod::kNoOpmath,
        PromotionMethod::kIntToFloat, PromotionMethod::kAlwaysBool,
        PromotionMethod::kComplexToFloat, PromotionMethod::kBoolToLong})
    EXPECT_THAT(listed.at("promotion_methods"),
                HasSubstr('"' + std::string(Name(method)) + '"'));
}

}  // namespace
}  // namespace assay
