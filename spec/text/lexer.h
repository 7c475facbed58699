// Tokens of MLIR text, one at a time.
//
// A shape ("2x3xf32") is no sequence of tokens, as "0x2" is a number
// elsewhere: who expects one reads the text from the token's first byte on
// (MoveTo).
#ifndef ASSAY_SPEC_TEXT_LEXER_H_
#define ASSAY_SPEC_TEXT_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "spec/text/syntax.h"

namespace assay::text {

enum class TokenKind : uint8_t {
  kEnd,
  kWord,        // add, stablehlo.add, b
  kString,      // "..", with its quotes
  kInteger,     // 12
  kHexInteger,  // 0x1F
  kFloat,       // 1.0, 1.5e-3
  kValue,       // %name
  kSymbol,      // @name, @"name"
  kBlock,       // ^bb0
  kHash,        // #name, #dialect.name
  kBang,        // !name, !dialect.name
  kArrow,       // ->
  kColons,      // ::
  kPunctuation  // one of ( ) { } [ ] < > , : = + - * ? | / #
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  size_t begin = 0;
  std::string_view text;
  Location location;

  bool Is(char punctuation) const {
    return kind == TokenKind::kPunctuation && text[0] == punctuation;
  }
  bool IsWord(std::string_view word) const {
    return kind == TokenKind::kWord && text == word;
  }
};

class Lexer {
 public:
  // `text` must outlive the lexer. `line` is that of its first byte.
  explicit Lexer(std::string_view text, int line = 1)
      : text_(text), line_(line) {}

  // Throws SyntaxError.
  Token Next();
  // The next token is the one that begins behind `offset`, a place in the line
  // of `at` and behind its first byte.
  void MoveTo(const Token& at, size_t offset);
  std::string_view text() const { return text_; }

 private:
  void SkipSpace();
  Location Here() const {
    return {line_, static_cast<int>(at_ - line_begin_ + 1)};
  }
  void LexString();
  TokenKind LexNumber();
  void LexQuotedOrName(const char* what);

  std::string_view text_;
  size_t at_ = 0;
  size_t line_begin_ = 0;
  int line_;
};

// The bytes that a string token stands for: without its quotes and escapes.
std::string Unquote(const Token& token);

// The name of %name, @name, @"name", ^name: without sign, quotes and escapes.
std::string NameOf(const Token& token);

bool IsWordStart(char c);
bool IsWordPart(char c);  // letters, digits, _ $ .

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_LEXER_H_
