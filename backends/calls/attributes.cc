#include "backends/calls/attributes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backends/calls/limits.h"

namespace assay::calls {
namespace {

using Numbers = std::vector<int64_t>;

std::optional<Numbers> ReadList(const char* text) {
  const auto skip = [&text](char wanted) {
    while (isspace(static_cast<unsigned char>(*text))) ++text;
    if (*text != wanted) return false;
    ++text;
    return true;
  };
  Numbers numbers;
  if (!skip('[')) return std::nullopt;
  while (!skip(']')) {
    if (numbers.size() == kMaxDims || (!numbers.empty() && !skip(',')))
      return std::nullopt;
    char* end = nullptr;
    numbers.push_back(strtoll(text, &end, 10));
    if (end == text) return std::nullopt;
    text = end;
  }
  if (*text != '\0') return std::nullopt;
  return numbers;
}

}  // namespace

const AssayAttribute* FindAttribute(const AssayCall& call, const char* name) {
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, name) == 0) return &call.attributes[i];
  }
  return nullptr;
}

std::optional<Numbers> ListOf(const AssayCall& call, const char* name) {
  const AssayAttribute* attribute = FindAttribute(call, name);
  return attribute == nullptr ? std::nullopt : ReadList(attribute->text);
}

std::optional<int64_t> NumberOf(const AssayCall& call, const char* name) {
  const AssayAttribute* attribute = FindAttribute(call, name);
  if (attribute == nullptr) return std::nullopt;
  char* end = nullptr;
  const int64_t number = strtoll(attribute->text, &end, 10);
  if (end == attribute->text || *end != '\0') return std::nullopt;
  return number;
}

std::optional<size_t> DimensionOf(const AssayCall& call, const char* name,
                                  size_t rank) {
  const std::optional<int64_t> number = NumberOf(call, name);
  if (!number || *number < 0 || static_cast<size_t>(*number) >= rank)
    return std::nullopt;
  return static_cast<size_t>(*number);
}

}  // namespace assay::calls
