#include "spec/formula/formula_token.h"

#include <cctype>

namespace assay {

size_t SkipSpace(std::string_view text, size_t from) {
  while (from < text.size() &&
         std::isspace(static_cast<unsigned char>(text[from])))
    ++from;
  return from;
}

size_t EndOfToken(std::string_view text, size_t start) {
  size_t end = start;
  while (
      end < text.size() &&
      (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  if (end > start) return end;
  static constexpr std::string_view kSymbols[] = {
      "...", "<=", ">=", "!=", "//", "<", ">", "=", "+",
      "-",   "*",  "%",  "(",  ")",  "[", "]", ",", ":"};
  for (const std::string_view symbol : kSymbols) {
    if (text.substr(start).starts_with(symbol)) return start + symbol.size();
  }
  return start;
}

}  // namespace assay
