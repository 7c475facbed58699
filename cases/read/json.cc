// nlohmann::json parses and hands over value after value, so that keys, depth
// and memory are checked before more values are made. (Its callback interface
// is slower: it walks over the parent of every object that ends.)
#include "cases/read/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "cases/read/line_reader.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kMaxDepth = 32;
constexpr uintmax_t kMaxFileBytes = uintmax_t{256} << 20;

// A string that stands for a number begins with this mark.
constexpr char kNumberMark = '\x01';

bool IsNumberText(const Json& value) {
  return value.is_string() &&
         value.get_ref<const std::string&>().starts_with(kNumberMark);
}

// Returns whether the text is a number in the grammar of JSON; the parser
// complains about any other.
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

// Returns the text with each number that does not fit an integer as a marked
// string. It is JSON if and only if `text` is, except for numbers that no
// double holds.
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

int64_t BytesOf(const Json& value) {
  int64_t bytes = sizeof(Json);
  if (value.is_string())
    bytes += static_cast<int64_t>(sizeof(std::string) +
                                  value.get_ref<const std::string&>().size());
  if (value.is_array()) bytes += sizeof(Json::array_t);
  if (value.is_object()) bytes += sizeof(Json::object_t);
  return bytes;
}

// Returns the memory of a key beside its value.
int64_t BytesOfKey(const std::string& key) {
  return static_cast<int64_t>(sizeof(std::string) + key.size());
}

std::string PointerToken(std::string_view token) {
  std::string escaped;
  for (const char c : Cut(token))
    escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return escaped;
}

// A Builder receives what the parser meets, and makes a Json of it.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(const std::string& file, int64_t most_bytes, Json* root)
      : file_(file), most_bytes_(most_bytes), root_(root) {}

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override {
    return Add(value);
  }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(size_t) override { return Open(Json::object()); }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& key) override {
    auto& object = open_.back()->get_ref<Json::object_t&>();
    if (object.count(key) > 0)
      throw InputError(file_, fmt::format("the key {} stands twice in one "
                                          "object",
                                          Json(Cut(key)).dump()));
    Count(BytesOfKey(key));
    member_ = &object[std::move(key)];
    return true;
  }

  bool parse_error(size_t, const std::string&,
                   const nlohmann::detail::exception& e) override {
    // The message is "[json.exception.parse_error.101] parse error at line 3,
    // column 7: ..; last read: '..'".
    std::string reason = e.what();
    reason.erase(0, reason.find("] ") + 2);
    std::ranges::replace(reason, '\n', ' ');
    if (const size_t quote = reason.find('\''); quote != std::string::npos)
      reason =
          reason.substr(0, quote) + Cut(std::string_view(reason).substr(quote));
    throw InputError(file_, reason);
  }

 private:
  Json* Place(Json value) {
    Count(BytesOf(value));
    if (open_.empty()) {
      *root_ = std::move(value);
      return root_;
    }
    if (open_.back()->is_array()) {
      auto& array = open_.back()->get_ref<Json::array_t&>();
      return &array.emplace_back(std::move(value));
    }
    *member_ = std::move(value);
    return member_;
  }
  bool Add(Json value) {
    Place(std::move(value));
    return true;
  }
  bool Open(Json empty) {
    if (open_.size() >= kMaxDepth)
      throw InputError(file_,
                       fmt::format("nested more than {} deep", kMaxDepth));
    open_.push_back(Place(std::move(empty)));
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  void Count(int64_t bytes) {
    bytes_ += bytes;
    if (bytes_ <= most_bytes_) return;
    throw InputError(
        fmt::format("{}#{}", file_, Where()),
        fmt::format("up to here the values take more than the {} bytes that a "
                    "file's may (at most {}, less with --memory)",
                    most_bytes_, kMostJsonBytes));
  }

  // Returns the pointer of the place that is being parsed.
  std::string Where() const {
    std::string pointer;
    for (size_t i = 0; i < open_.size(); ++i) {
      const Json& json = *open_[i];
      if (json.empty()) break;
      pointer += '/';
      pointer +=
          json.is_array()
              ? std::to_string(json.size() - 1)
              : PointerToken(
                    (json.get_ref<const Json::object_t&>().end() - 1)->first);
    }
    return pointer;
  }

  const std::string& file_;
  const int64_t most_bytes_;
  Json* const root_;
  std::vector<Json*> open_;  // the innermost last; each in the one before
  Json* member_ = nullptr;   // whose value comes next
  int64_t bytes_ = 0;
};

}  // namespace

Json ParseJson(const std::string& file, const std::string& text,
               int64_t most_bytes) {
  Json json;
  Builder builder(file, std::min(most_bytes, kMostJsonBytes), &json);
  Json::sax_parse(text, &builder);
  return json;
}

Json ParseJsonExactly(const std::string& file, const std::string& text,
                      int64_t most_bytes) {
  try {
    return ParseJson(file, MarkNumbers(text), most_bytes);
  } catch (const InputError&) {
    ParseJson(file, text, most_bytes);  // complains of places in the text as it
    throw;                              // is
  }
}

int64_t MostJsonBytes(int64_t memory) {
  return std::clamp(memory, int64_t{1} << 20, kMostJsonBytes);
}

int64_t JsonBytes(const Json& json) {
  int64_t bytes = BytesOf(json);
  if (json.is_array()) {
    for (const Json& element : json) bytes += JsonBytes(element);
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.get_ref<const Json::object_t&>())
      bytes += BytesOfKey(key) + JsonBytes(value);
  }
  return bytes;
}

std::string TextOf(const Json& value) {
  if (!value.is_string()) return value.dump();
  const std::string& text = value.get_ref<const std::string&>();
  return IsNumberText(value) ? text.substr(1) : text;
}

std::string ReadTextFile(const std::string& file) {
  RequireRegularFile(file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file, "cannot be read");
  // The size that the system gives is not used, because a file may grow, and
  // the files of /proc have none.
  std::string text;
  std::array<char, 1 << 16> block;
  do {
    stream.read(block.data(), block.size());
    text.append(block.data(), static_cast<size_t>(stream.gcount()));
    if (text.size() > kMaxFileBytes)
      throw InputError(file, fmt::format("is larger than the {} bytes that "
                                         "are read",
                                         kMaxFileBytes));
  } while (stream);
  if (!stream.eof()) throw InputError(file, "cannot be read");
  return text;
}

Json ReadJsonFile(const std::string& file) {
  return ParseJson(file, ReadTextFile(file));
}

std::string JsonView::where() const { return file_ + "#" + pointer_; }

void JsonView::Fail(const std::string& reason) const {
  throw InputError(where(), reason);
}

JsonView JsonView::Child(const Json& value, const std::string& token) const {
  return JsonView(value, file_, pointer_ + "/" + PointerToken(token));
}

void JsonView::RequireObject(
    std::initializer_list<std::string_view> fields) const {
  if (!value_->is_object())
    Fail(fmt::format("expected an object, found {}", KindOf(*value_)));
  for (const auto& [key, unused] : value_->items()) {
    if (std::ranges::find(fields, key) == fields.end())
      Fail(fmt::format("unknown field '{}'", Cut(key)));
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
    Fail(fmt::format("{} is outside of the range of f64", Cut(text)));
  return number;
}

const Json& JsonView::RequireArray() const {
  if (!value_->is_array())
    Fail(fmt::format("expected an array, found {}", KindOf(*value_)));
  return *value_;
}

JsonElements JsonView::Elements() const {
  RequireArray();
  return JsonElements(*this);
}

std::vector<std::string> JsonView::Strings() const {
  std::vector<std::string> strings;
  for (const JsonView& element : Elements())
    strings.push_back(element.String());
  return strings;
}

JsonMembers JsonView::Members() const {
  if (!value_->is_object())
    Fail(fmt::format("expected an object, found {}", KindOf(*value_)));
  return JsonMembers(*this);
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
