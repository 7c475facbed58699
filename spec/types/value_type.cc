#include "spec/types/value_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr std::string_view kToken = "!stablehlo.token";
constexpr std::string_view kTuple = "tuple<";
constexpr int kMostNested = 64;  // tuples within one another

std::string List(const std::vector<ValueType>& types) {
  std::string text;
  for (const ValueType& type : types) {
    if (!text.empty()) text += ", ";
    text += type.ToString();
  }
  return text;
}

// The end of the type that `text` begins with: the first comma that stands in
// no angle brackets.
size_t EndOfType(std::string_view text) {
  int open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++open;
    if (text[i] == '>') --open;
    if (text[i] == ',' && open == 0) return i;
  }
  return text.size();
}

std::optional<ValueType> Parse(std::string_view text, int depth,
                               std::string* reason) {
  if (text == kToken) return TokenType();
  if (!text.starts_with(kTuple) || !text.ends_with('>')) {
    const std::optional<TensorType> tensor = ParseTensorType(text, reason);
    if (!tensor) return std::nullopt;
    return *tensor;
  }
  if (depth == kMostNested) {
    *reason = fmt::format("more than {} tuples within one another", depth);
    return std::nullopt;
  }
  TupleType tuple;
  std::string_view rest =
      text.substr(kTuple.size(), text.size() - kTuple.size() - 1);
  while (!rest.empty()) {
    const size_t end = EndOfType(rest);
    const std::optional<ValueType> type =
        Parse(rest.substr(0, end), depth + 1, reason);
    if (!type) return std::nullopt;
    tuple.types.push_back(*type);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
    const size_t begin = rest.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
      *reason = fmt::format("'{}' ends in a comma", Cut(text));
      return std::nullopt;
    }
    rest.remove_prefix(begin);
  }
  return tuple;
}

}  // namespace

bool ValueType::IsStatic() const {
  if (const TensorType* tensor = AsTensor()) return tensor->IsStatic();
  const TupleType* tuple = AsTuple();
  return tuple == nullptr ||
         std::ranges::all_of(tuple->types, &ValueType::IsStatic);
}

std::string ValueType::ToString() const {
  if (const TensorType* tensor = AsTensor()) return tensor->ToString();
  if (const TupleType* tuple = AsTuple())
    return fmt::format("{}{}>", kTuple, List(tuple->types));
  return std::string(kToken);
}

std::string FunctionType::ToString() const {
  const bool is_one = outputs.size() == 1;
  return fmt::format("({}) -> {}{}{}", List(inputs), is_one ? "" : "(",
                     List(outputs), is_one ? "" : ")");
}

std::optional<ValueType> ParseValueType(std::string_view text,
                                        std::string* reason) {
  return Parse(text, 0, reason);
}

}  // namespace assay
