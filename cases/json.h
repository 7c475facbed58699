// JSON as people write it: a value that knows its file and its JSON pointer, so
// that every complaint names the place.
//
// Case files are untrusted: duplicate keys, invalid UTF-8, absurd nesting and
// absurd sizes are errors, as is every field that the format does not have.
#ifndef ASSAY_CASES_JSON_H_
#define ASSAY_CASES_JSON_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

using Json = nlohmann::ordered_json;

// Throws InputError if the file cannot be read or is too large to be one of
// ours.
std::string ReadTextFile(const std::string& file);
// Reads a whole file. Throws InputError if it cannot be read, is not JSON,
// repeats a key or nests too deeply.
Json ReadJsonFile(const std::string& file);
Json ParseJson(const std::string& file, const std::string& text);
// The same with numbers that the parser would round (those with a fraction or
// an exponent, those beyond 64 bits, and -0) kept as their text: TextOf.
Json ParseJsonExactly(const std::string& file, const std::string& text);
// Of a value that ParseJsonExactly read: a string or a number as it stands in
// the file, anything else as JSON.
std::string TextOf(const Json& value);

class JsonView {
 public:
  JsonView(const Json& value, std::string file)
      : value_(&value), file_(std::move(file)) {}

  [[noreturn]] void Fail(const std::string& reason) const;
  const Json& json() const { return *value_; }
  std::string where() const;  // "file.json#/cases/3/inputs"
  // Another value in this place: complaints name the place that it was made
  // from.
  JsonView WithJson(const Json& value) const {
    return JsonView(value, file_, pointer_);
  }

  // Each throws InputError if the value is of another kind.
  void RequireObject(std::initializer_list<std::string_view> fields)
      const;  // and has no other fields
  std::string String() const;
  bool Bool() const;
  int64_t Integer(int64_t min, int64_t max) const;
  double Number() const;  // any that is finite, rounded
  std::vector<std::string> Strings() const;
  const Json& RequireArray() const;
  std::vector<JsonView> Elements() const;
  std::vector<std::pair<std::string, JsonView>> Members() const;
  JsonView At(std::string_view key) const;
  std::optional<JsonView> Find(std::string_view key) const;

 private:
  JsonView(const Json& value, std::string file, std::string pointer)
      : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}
  JsonView Child(const Json& value, const std::string& token) const;

  const Json* value_;
  std::string file_;
  std::string pointer_;
};

}  // namespace assay

#endif  // ASSAY_CASES_JSON_H_
