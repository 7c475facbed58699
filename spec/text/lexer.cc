// Every loop runs over the text once: a file of one blob is read as fast as
// memchr goes.
#include "spec/text/lexer.h"

#include <fmt/format.h>

#include <cstring>

#include "spec/printable_text.h"

namespace assay::text {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool IsWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsWordPart(char c) {
  return IsWordStart(c) || IsDigit(c) || c == '$' || c == '.';
}

void Lexer::SkipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      line_begin_ = ++at_;
      ++line_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && text_.substr(at_, 2) == "//") {
      const size_t end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
    } else {
      return;
    }
  }
}

void Lexer::LexString() {
  const Location begin = Here();
  ++at_;
  while (at_ < text_.size()) {
    const char* const data = text_.data();
    const auto* quote = static_cast<const char*>(
        std::memchr(data + at_, '"', text_.size() - at_));
    if (quote == nullptr) break;
    const size_t end = static_cast<size_t>(quote - data);
    // A string ends in its line. Blobs are long, so both are looked for at the
    // speed of memory, and strings that begin a line further on cost no more.
    if (const void* newline = std::memchr(data + at_, '\n', end - at_);
        newline != nullptr)
      break;
    size_t slashes = 0;
    while (end - slashes > at_ && data[end - slashes - 1] == '\\') ++slashes;
    at_ = end + 1;
    if (slashes % 2 == 0) return;
  }
  throw SyntaxError(begin, "a string is not closed in its line");
}

// Precondition: a digit stands here.
TokenKind Lexer::LexNumber() {
  if (text_[at_] == '0' && at_ + 2 < text_.size() && text_[at_ + 1] == 'x' &&
      HexDigit(text_[at_ + 2]) >= 0) {
    at_ += 2;
    while (at_ < text_.size() && HexDigit(text_[at_]) >= 0) ++at_;
    return TokenKind::kHexInteger;
  }
  const auto digits = [&] {
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
  };
  digits();
  if (at_ >= text_.size() || text_[at_] != '.') return TokenKind::kInteger;
  ++at_;
  digits();
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    const size_t sign = at_ + 1 < text_.size() &&
                        (text_[at_ + 1] == '+' || text_[at_ + 1] == '-');
    if (at_ + 1 + sign < text_.size() && IsDigit(text_[at_ + 1 + sign])) {
      at_ += 1 + sign;
      digits();
    }
  }
  return TokenKind::kFloat;
}

// Reads the name behind % @ ^ # !, which at_ is at.
void Lexer::LexQuotedOrName(const char* what) {
  const Location begin = Here();
  const char sign = text_[at_++];
  if (at_ < text_.size() && text_[at_] == '"' && (sign == '%' || sign == '@'))
    return LexString();
  const size_t start = at_;
  if (at_ < text_.size() && IsDigit(text_[at_]) && sign != '@') {
    while (at_ < text_.size() && IsDigit(text_[at_])) ++at_;
    return;
  }
  const bool is_dashed = sign == '%' || sign == '^';
  while (at_ < text_.size() &&
         (IsWordPart(text_[at_]) || (is_dashed && text_[at_] == '-')))
    ++at_;
  if (at_ == start)
    throw SyntaxError(begin, fmt::format("'{}' is not followed by the name of "
                                         "{}",
                                         sign, what));
}

Token Lexer::Next() {
  SkipSpace();
  Token token;
  token.begin = at_;
  token.location = Here();
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  if (IsWordStart(c)) {
    token.kind = TokenKind::kWord;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
  } else if (IsDigit(c)) {
    token.kind = LexNumber();
  } else {
    token.kind = TokenKind::kPunctuation;
    switch (c) {
      case '"':
        token.kind = TokenKind::kString;
        LexString();
        break;
      case '%':
        token.kind = TokenKind::kValue;
        LexQuotedOrName("a value");
        break;
      case '@':
        token.kind = TokenKind::kSymbol;
        LexQuotedOrName("a symbol");
        break;
      case '^':
        token.kind = TokenKind::kBlock;
        LexQuotedOrName("a block");
        break;
      case '!':
        token.kind = TokenKind::kBang;
        LexQuotedOrName("a type");
        break;
      case '#':
        token.kind = TokenKind::kHash;
        LexQuotedOrName("an attribute");
        break;
      case '-':
      case ':': {
        const char second = c == '-' ? '>' : ':';
        ++at_;
        if (at_ < text_.size() && text_[at_] == second) {
          ++at_;
          token.kind = c == '-' ? TokenKind::kArrow : TokenKind::kColons;
        }
        break;
      }
      default:
        if (c == '\0' || std::strchr("(){}[]<>,=+*?|/", c) == nullptr)
          throw SyntaxError(token.location,
                            fmt::format("'{}' begins nothing",
                                        EscapeLine(std::string_view(&c, 1))));
        ++at_;
    }
  }
  token.text = text_.substr(token.begin, at_ - token.begin);
  return token;
}

void Lexer::MoveTo(const Token& at, size_t offset) {
  line_ = at.location.line;
  line_begin_ = at.begin - static_cast<size_t>(at.location.column - 1);
  at_ = offset;
}

std::string Unquote(const Token& token) {
  const std::string_view text = token.text.substr(1, token.text.size() - 2);
  if (text.find('\\') == std::string_view::npos) return std::string(text);
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    // A string does not end in a lone backslash: it would escape the quote.
    const char c = text[++i];
    if (c == '"' || c == '\\') {
      bytes += c;
    } else if (c == 'n') {
      bytes += '\n';
    } else if (c == 't') {
      bytes += '\t';
    } else if (i + 1 < text.size() && HexDigit(c) >= 0 &&
               HexDigit(text[i + 1]) >= 0) {
      bytes += static_cast<char>(HexDigit(c) << 4 | HexDigit(text[++i]));
    } else {
      throw SyntaxError(
          {token.location.line, token.location.column + static_cast<int>(i)},
          R"(a string has only the escapes \", \\, \n, \t and )"
          "two hexadecimal digits");
    }
  }
  return bytes;
}

std::string NameOf(const Token& token) {
  Token name = token;
  name.text.remove_prefix(1);
  name.location.column += 1;
  if (name.text.starts_with('"')) return Unquote(name);
  return std::string(name.text);
}

}  // namespace assay::text
