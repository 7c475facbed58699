// The parser by recursive descent, one class in several files: what is not in
// parse.cc is in the file that a comment names.
//
// Untrusted text: recursion is counted (Nested), and so is all that is made
// (Spend). Tokens are taken once and names are looked up in one table with an
// undo log, so time grows with the length of the text alone.
#ifndef ASSAY_SPEC_TEXT_PARSER_H_
#define ASSAY_SPEC_TEXT_PARSER_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spec/text/form_table.h"
#include "spec/text/lexer.h"
#include "spec/text/parse.h"
#include "spec/text/syntax.h"

namespace assay::text {

class Parser {
 public:
  Parser(const ChunkText& chunk, const Limits& limits, bool allows_free_names);
  Chunk Parse();

  // Tokens.
  const Token& token() const { return token_; }
  Token Take();
  bool At(TokenKind kind) const { return token_.kind == kind; }
  bool Accept(char punctuation);
  bool AcceptWord(std::string_view word);
  void Expect(char punctuation);
  void ExpectWord(std::string_view word);
  Token ExpectKind(TokenKind kind, const char* what);
  // The token behind the current one.
  Token Peek() const;
  // Both throw SyntaxError: at the current token, which the message ends with
  // ("..., not 'x'"), and at a place.
  [[noreturn]] void Expected(std::string_view what) const;
  [[noreturn]] static void Fail(Location location, std::string_view message);

  // parse_type.cc
  TypePtr ParseType();
  std::vector<TypePtr> ParseParenthesizedTypes();  // "(T, ..)"
  std::vector<TypePtr> ParseResultTypes();         // "T" or "(T, ..)"
  ElementType ParseElementType();

  // parse_attribute.cc
  Attribute ParseAttribute();
  NamedAttributes ParseDictionary();
  int64_t ParseInteger();  // may be negative
  double ParseFloat();     // with a sign, and with or without a point
  std::string ParseSymbolName();
  void SkipLocation();
  std::string_view SkipBalanced();  // "<..>", or what the token opens

  // parse_struct.cc
  Attribute ParseStruct(std::string_view kind, Location location);  // "<..>"
  Attribute ParseConvolutionDimensions();  // "[b, 0, f]x[0, i, o]->[..]"

  // parse_dense.cc
  Attribute ParseDense();  // behind `dense`
  Attribute ParseArray();  // behind `array`

  // parse_statement.cc
  Statement ParseStatement();
  Operand ParseOperand();
  // "{..}". Blocks of pretty forms have arguments already.
  Region ParseRegion(bool is_isolated,
                     std::vector<BlockArgument> arguments = {});
  std::vector<BlockArgument> ParseBlockArguments();  // "(%a: T, ..)"

  // parse_form.cc
  void ParsePretty(const OpForm& op, Statement* statement);

  // parse_reduce.cc: "^bb0(%0: T, %1: T): %2 = op(%0, %1); return %2".
  Region MakeReduction(std::string op, const TypePtr& type, Location location);

  // Counts what is made; throws SyntaxError beyond the limits.
  void Spend(int64_t nodes);
  void SpendElements(int64_t bytes, Location location);
  const Limits& limits() const { return limits_; }

  // For as long as it lives, what is parsed is one level further in.
  class Nested {
   public:
    explicit Nested(Parser* parser) : parser_(parser) {
      if (++parser->depth_ > parser->limits_.max_depth) {
        --parser->depth_;  // The destructor does not run.
        parser->TooDeep(parser->token_.location);
      }
      parser->peak_ = std::max(parser->peak_, parser->depth_);
    }
    ~Nested() { --parser_->depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser* parser_;
  };

 private:
  struct Definition {
    int64_t value = 0;
    int64_t count = 1;
    Location location;
  };
  using Names = std::unordered_map<std::string, Definition>;

  // parse.cc
  [[noreturn]] void TooDeep(Location location);
  void ParseAlias();
  // The parts of an alias count again wherever the alias stands.
  struct Cost {
    int64_t nodes = 0;
    int depth = 0;
  };
  void SpendAlias(const Cost& cost, Location location);

  // parse_type.cc
  TypePtr MakeType(Type type);
  TypePtr ParseTensorType();
  TypePtr ParseScalarType(const Token& word);
  TypePtr ParseDialectType();
  Shape ParseShape();
  Quantization ParseQuantization();

  // parse_attribute.cc
  Attribute ParseNumber();
  Attribute ParseWordAttribute();
  Attribute ParseDialectAttribute();

  // parse_dense.cc
  Tensor ParseBlob(const TypePtr& type, const Token& blob);
  Tensor ParseElements(const TypePtr& type);
  ElementBits ParseElement(ElementType type);
  ElementBits ParsePart(ElementType type);

  // parse_statement.cc
  [[noreturn]] void FailWithoutForm() const;
  void ParseGeneric(Statement* statement);
  void Finish(Statement* statement, const std::vector<Location>& names);
  void Resolve(Statement* statement);
  void Define(const std::string& name, Location location, int64_t count);
  void EndScope(size_t mark);

  std::string_view text_;
  Lexer lexer_;
  Token token_;
  Limits limits_;
  bool allows_free_names_;

  int depth_ = 0;
  int peak_ = 0;  // of depth_, since the alias began
  int64_t nodes_ = 0;
  int64_t elements_bytes_ = 0;

  Names names_;
  std::vector<std::string> defined_;  // those of names_, in their order
  std::vector<TypePtr> value_types_;  // of each definition

  template <class T>
  using Aliases = std::unordered_map<std::string_view, std::pair<T, Cost>>;
  Aliases<Attribute> attribute_aliases_;
  Aliases<TypePtr> type_aliases_;
  // Types by their text: a program has few and names each of them often.
  std::unordered_map<std::string_view, TypePtr> known_types_;
};

// Adds an attribute, whose name is not there yet.
void Add(std::string name, Attribute value, NamedAttributes* attributes);

// The token as messages name it.
std::string Quoted(const Token& token);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_PARSER_H_
