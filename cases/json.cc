// nlohmann::json does the parsing; its callback sees repeated keys and depth.
#include "cases/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "spec/error.h"

namespace assay {
namespace {

constexpr int kMaxDepth = 32;
constexpr uintmax_t kMaxFileBytes = uintmax_t{256} << 20;

// What a string begins with that stands for a number.
constexpr char kNumberMark = '\x01';

bool IsNumberText(const Json& value) {
  return value.is_string() &&
         value.get_ref<const std::string&>().starts_with(kNumberMark);
}

// Whether the text is a number in JSON's own words: others are left to the
// parser to complain of.
bool IsNumber(std::string_view text) {
  const auto digits = [&] {
    const size_t end =
        std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(end);
    return end > 0;
  };
  const auto starts_with_one_of = [&](std::string_view characters) {
    if (text.empty() || characters.find(text[0]) == std::string_view::npos)
      return false;
    text.remove_prefix(1);
    return true;
  };
  starts_with_one_of("-");
  if (!starts_with_one_of("0") && !digits()) return false;
  if (starts_with_one_of(".") && !digits()) return false;
  if (starts_with_one_of("eE")) {
    starts_with_one_of("+-");
    if (!digits()) return false;
  }
  return text.empty();
}

bool FitsInteger(const std::string& number) {
  if (number == "-0" || number.find_first_of(".eE") != std::string::npos)
    return false;
  errno = 0;
  if (number[0] == '-') {
    std::strtoll(number.c_str(), nullptr, 10);
  } else {
    std::strtoull(number.c_str(), nullptr, 10);
  }
  return errno == 0;
}

// The text with each number that does not fit an integer as a marked string. It
// is JSON if and only if `text` is, but for numbers that no double holds.
std::string MarkNumbers(const std::string& text) {
  std::string marked;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    size_t end = i + 1;
    if (c == '"') {
      while (end < text.size() && text[end] != '"')
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      end = std::min(text.find_first_not_of("0123456789+-.eE", i), text.size());
    }
    const std::string token = text.substr(i, end - i);
    i = end;
    if (c == '"' || !IsNumber(token) || FitsInteger(token)) {
      marked += token;
      continue;
    }
    const size_t next = text.find_first_not_of(" \t\r\n", end);
    const bool is_key = next != std::string::npos && text[next] == ':';
    marked += is_key ? token : "\"\\u0001" + token + "\"";
  }
  return marked;
}

const char* KindOf(const Json& value) {
  if (value.is_number_float() || IsNumberText(value))
    return "a number with a fraction or an exponent, or too large for 64 bits";
  if (value.is_number()) return "an integer";
  return value.type_name();
}

}  // namespace

Json ParseJson(const std::string& file, const std::string& text) {
  std::vector<std::set<std::string>> keys;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth)
      throw InputError(file,
                       fmt::format("nested more than {} deep", kMaxDepth));
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key &&
        !keys.back().insert(parsed.get<std::string>()).second) {
      throw InputError(
          file,
          fmt::format("the key {} stands twice in one object", parsed.dump()));
    }
    return true;
  };
  try {
    return Json::parse(text, check);
  } catch (const Json::exception& e) {
    // "[json.exception.parse_error.101] parse error at line 3, column 7: .."
    std::string reason = e.what();
    reason.erase(0, reason.find("] ") + 2);
    std::ranges::replace(reason, '\n', ' ');
    throw InputError(file, reason);
  }
}

Json ParseJsonExactly(const std::string& file, const std::string& text) {
  try {
    return ParseJson(file, MarkNumbers(text));
  } catch (const InputError&) {
    ParseJson(file, text);  // complains of places in the text as it is
    throw;
  }
}

std::string TextOf(const Json& value) {
  if (!value.is_string()) return value.dump();
  const std::string& text = value.get_ref<const std::string&>();
  return IsNumberText(value) ? text.substr(1) : text;
}

std::string ReadTextFile(const std::string& file) {
  std::error_code error;
  const uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error) throw InputError(file, error.message());
  if (bytes > kMaxFileBytes)
    throw InputError(file, fmt::format("{} bytes; at most {} are read", bytes,
                                       kMaxFileBytes));
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(file, "cannot be read");
  return std::move(text).str();
}

Json ReadJsonFile(const std::string& file) {
  return ParseJson(file, ReadTextFile(file));
}

std::string JsonView::where() const { return file_ + "#" + pointer_; }

void JsonView::Fail(const std::string& reason) const {
  throw InputError(where(), reason);
}

JsonView JsonView::Child(const Json& value, const std::string& token) const {
  std::string escaped;
  for (char c : token)
    escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return JsonView(value, file_, pointer_ + "/" + escaped);
}

void JsonView::RequireObject(
    std::initializer_list<std::string_view> fields) const {
  if (!value_->is_object())
    Fail(fmt::format("expected an object, found {}", KindOf(*value_)));
  for (const auto& [key, unused] : value_->items()) {
    if (std::ranges::find(fields, key) == fields.end())
      Fail(fmt::format("unknown field '{}'", key));
  }
}

std::string JsonView::String() const {
  if (!value_->is_string() || IsNumberText(*value_))
    Fail(fmt::format("expected a string, found {}", KindOf(*value_)));
  return value_->get<std::string>();
}

bool JsonView::Bool() const {
  if (!value_->is_boolean())
    Fail(fmt::format("expected true or false, found {}", KindOf(*value_)));
  return value_->get<bool>();
}

int64_t JsonView::Integer(int64_t min, int64_t max) const {
  if (!value_->is_number_integer())
    Fail(fmt::format("expected an integer, found {}", KindOf(*value_)));
  const bool too_large =
      value_->is_number_unsigned() &&
      value_->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  if (too_large || value_->get<int64_t>() < min ||
      value_->get<int64_t>() > max) {
    Fail(fmt::format("{} is outside of [{}, {}]", value_->dump(), min, max));
  }
  return value_->get<int64_t>();
}

double JsonView::Number() const {
  if (!value_->is_number() && !IsNumberText(*value_))
    Fail(fmt::format("expected a number, found {}", KindOf(*value_)));
  const std::string text = TextOf(*value_);
  const double number = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(number))
    Fail(fmt::format("{} is outside of the range of f64", text));
  return number;
}

const Json& JsonView::RequireArray() const {
  if (!value_->is_array())
    Fail(fmt::format("expected an array, found {}", KindOf(*value_)));
  return *value_;
}

std::vector<JsonView> JsonView::Elements() const {
  RequireArray();
  std::vector<JsonView> elements;
  for (size_t i = 0; i < value_->size(); ++i)
    elements.push_back(Child((*value_)[i], std::to_string(i)));
  return elements;
}

std::vector<std::string> JsonView::Strings() const {
  std::vector<std::string> strings;
  for (const JsonView& element : Elements())
    strings.push_back(element.String());
  return strings;
}

std::vector<std::pair<std::string, JsonView>> JsonView::Members() const {
  if (!value_->is_object())
    Fail(fmt::format("expected an object, found {}", KindOf(*value_)));
  std::vector<std::pair<std::string, JsonView>> members;
  for (const auto& [key, value] : value_->items())
    members.emplace_back(key, Child(value, key));
  return members;
}

std::optional<JsonView> JsonView::Find(std::string_view key) const {
  const auto it = value_->find(std::string(key));
  if (it == value_->end()) return std::nullopt;
  return Child(*it, std::string(key));
}

JsonView JsonView::At(std::string_view key) const {
  std::optional<JsonView> child = Find(key);
  if (!child) Fail(fmt::format("the field '{}' is missing", key));
  return *child;
}

}  // namespace assay
