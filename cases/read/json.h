// A JsonView is a JSON value that knows its file and its JSON pointer, so that
// every error message names the place.
//
// Case files are untrusted: duplicate keys, invalid UTF-8, absurd nesting and
// absurd sizes are errors, as is every field that the format does not have.
#ifndef ASSAY_CASES_READ_JSON_H_
#define ASSAY_CASES_READ_JSON_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/read/indexed_map.h"

namespace assay {

using Json = nlohmann::basic_json<IndexedMap>;

// The values of a file may take so much memory: a megabyte of text can become
// twenty.
inline constexpr int64_t kMostJsonBytes = int64_t{256} << 20;

// Returns the memory that the values of a file may take under --memory: at most
// kMostJsonBytes, and at least 1 MiB, so that a small file can be read.
int64_t MostJsonBytes(int64_t memory);

// Throws InputError if the file cannot be read, is no regular file (a pipe may
// never end, and /dev/zero does not) or is too large to be one of ours.
std::string ReadTextFile(const std::string& file);
// Reads a whole file. Throws InputError if it cannot be read, is not JSON,
// repeats a key, nests too deeply, or if its values take more than `most_bytes`
// or kMostJsonBytes. The time is proportional to the length of the text.
Json ReadJsonFile(const std::string& file);
Json ParseJson(const std::string& file, const std::string& text,
               int64_t most_bytes = kMostJsonBytes);
// Does what ParseJson does, but keeps numbers that the parser would round
// (those with a fraction or an exponent, those beyond 64 bits, and -0) as their
// text: TextOf.
Json ParseJsonExactly(const std::string& file, const std::string& text,
                      int64_t most_bytes = kMostJsonBytes);
// Returns the memory of the values, as ParseJson counts it.
int64_t JsonBytes(const Json& json);
// Returns a string or a number that ParseJsonExactly read as it stands in the
// file, and any other value as JSON.
std::string TextOf(const Json& value);

class JsonElements;
class JsonMembers;

class JsonView {
 public:
  JsonView(const Json& value, std::string file)
      : value_(&value), file_(std::move(file)) {}

  [[noreturn]] void Fail(const std::string& reason) const;
  const Json& json() const { return *value_; }
  std::string where() const;  // "file.json#/cases/3/inputs"
  // Returns a view of another value in this place, whose error messages name
  // the place that it was made from.
  JsonView WithJson(const Json& value) const {
    return JsonView(value, file_, pointer_);
  }

  // Each of these throws InputError if the value is of another kind.
  void RequireObject(std::initializer_list<std::string_view> fields)
      const;  // and has no other fields
  std::string String() const;
  bool Bool() const;
  int64_t Integer(int64_t min, int64_t max) const;
  double Number() const;  // any that is finite, rounded
  std::vector<std::string> Strings() const;
  const Json& RequireArray() const;
  // The views of elements are made one by one, because a view is larger than
  // the number that it shows.
  JsonElements Elements() const;
  JsonMembers Members() const;
  JsonView At(std::string_view key) const;
  std::optional<JsonView> Find(std::string_view key) const;

 private:
  friend class JsonElements;
  friend class JsonMembers;
  JsonView(const Json& value, std::string file, std::string pointer)
      : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}
  JsonView Child(const Json& value, const std::string& token) const;

  const Json* value_;
  std::string file_;
  std::string pointer_;
};

// A range over the elements of an array.
class JsonElements {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = JsonView;
    Iterator() = default;
    Iterator(const JsonElements* elements, size_t at)
        : elements_(elements), at_(at) {}
    JsonView operator*() const { return (*elements_)[at_]; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(elements_, at_++); }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const JsonElements* elements_ = nullptr;
    size_t at_ = 0;
  };
  // Precondition: `array` is one.
  explicit JsonElements(JsonView array) : array_(std::move(array)) {}
  size_t size() const { return array_.value_->size(); }
  bool empty() const { return size() == 0; }
  JsonView operator[](size_t i) const {
    return array_.Child((*array_.value_)[i], std::to_string(i));
  }
  Iterator begin() const { return Iterator(this, 0); }
  Iterator end() const { return Iterator(this, size()); }

 private:
  JsonView array_;
};

// A range over the members of an object, which are pairs of key and value.
class JsonMembers {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::pair<std::string, JsonView>;
    Iterator() = default;
    Iterator(const JsonMembers* members, Json::object_t::const_iterator at)
        : members_(members), at_(at) {}
    value_type operator*() const {
      return {at_->first, members_->object_.Child(at_->second, at_->first)};
    }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(members_, at_++); }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const JsonMembers* members_ = nullptr;
    Json::object_t::const_iterator at_;
  };
  // Precondition: `object` is one.
  explicit JsonMembers(JsonView object) : object_(std::move(object)) {}
  Iterator begin() const { return Iterator(this, Object().begin()); }
  Iterator end() const { return Iterator(this, Object().end()); }

 private:
  const Json::object_t& Object() const {
    return object_.value_->get_ref<const Json::object_t&>();
  }
  JsonView object_;
};

}  // namespace assay

#endif  // ASSAY_CASES_READ_JSON_H_
