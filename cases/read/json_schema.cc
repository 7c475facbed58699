// valijson validates; this file turns its paths into JSON pointers and keeps
// the errors that are informative.
#include "cases/read/json_schema.h"

// Without this macro, valijson aborts instead of reporting an error. Its
// functions are inline, so no other file of this program may include it.
#define VALIJSON_USE_EXCEPTIONS 1
// GCC 12 at -O3 warns of std::string::replace as valijson inlines it (GCC bug
// 105651).
#pragma GCC diagnostic ignored "-Wrestrict"

#include <fmt/format.h>

#include <exception>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "spec/error.h"

namespace assay {
namespace {

using Plain = nlohmann::json;  // valijson's adapter is for this one
using Adapter = valijson::adapters::NlohmannJsonAdapter;

// Turns `<root>`, `["cases"]`, `[0]` into "/cases/0".
std::string Pointer(const std::vector<std::string>& context) {
  Json::json_pointer pointer;
  for (size_t i = 1; i < context.size(); ++i) {
    std::string token = context[i];
    const size_t quotes = token.starts_with("[\"") ? 2 : 1;
    pointer.push_back(token.substr(quotes, token.size() - 2 * quotes));
  }
  return pointer.to_string();
}

// valijson matches patterns by std::regex, which takes a stack frame or more
// for a character, and 30,000 of them were a crash.
constexpr size_t kMaxString = 4096;

void FindLongStrings(const Json& json, const Json::json_pointer& pointer,
                     std::vector<JsonSchema::Violation>* violations) {
  const auto check = [&](const std::string& text) {
    if (text.size() > kMaxString)
      violations->push_back(
          {pointer.to_string(),
           fmt::format("a string of {} bytes; at most {} are accepted",
                       text.size(), kMaxString)});
  };
  if (json.is_string()) check(json.get_ref<const std::string&>());
  if (json.is_array()) {
    for (size_t i = 0; i < json.size(); ++i)
      FindLongStrings(json[i], pointer / i, violations);
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      check(key);
      FindLongStrings(value, pointer / key, violations);
    }
  }
}

}  // namespace

JsonSchema::JsonSchema(const std::string& file, const Json& schema)
    : schema_(std::make_unique<valijson::Schema>()) {
  const Plain plain = schema;
  try {
    valijson::SchemaParser().populateSchema(Adapter(plain), *schema_);
  } catch (const std::exception& e) {
    throw InputError(file, e.what());
  }
}

JsonSchema::~JsonSchema() = default;

std::vector<JsonSchema::Violation> JsonSchema::Check(
    const Json& document) const {
  std::vector<Violation> too_long;
  FindLongStrings(document, Json::json_pointer(), &too_long);
  if (!too_long.empty()) return too_long;
  const Plain plain = document;
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(*schema_, Adapter(plain), &results)) return {};
  std::set<std::string> pointers;
  for (const auto& error : results) pointers.insert(Pointer(error.context));
  std::set<std::string> seen;
  std::vector<Violation> innermost;
  for (const auto& error : results) {
    const std::string pointer = Pointer(error.context);
    const auto inside = pointers.lower_bound(pointer + "/");
    const bool is_outer =
        inside != pointers.end() && inside->starts_with(pointer + "/");
    if (!is_outer && seen.insert(pointer).second)
      innermost.push_back({pointer, error.description});
  }
  return innermost;
}

}  // namespace assay
