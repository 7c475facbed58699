// Chunks, aliases, tokens and limits of the parser.
#include "spec/text/parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/printable_text.h"
#include "spec/text/parser.h"

namespace assay::text {

bool IsBlankText(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos &&
        !line.substr(begin).starts_with("//"))
      return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

std::vector<ChunkText> SplitChunks(std::string_view file) {
  constexpr std::string_view kSeparator = "// -----";
  std::vector<ChunkText> chunks(1);
  size_t begin = 0;
  int line = 1;
  for (size_t at = 0; at < file.size(); ++line) {
    const size_t newline = file.find('\n', at);
    const size_t next =
        newline == std::string_view::npos ? file.size() : newline + 1;
    if (file.substr(at).starts_with(kSeparator)) {
      chunks.back().text = file.substr(begin, at - begin);
      chunks.push_back({{}, line + 1});
      begin = next;
    }
    at = next;
  }
  chunks.back().text = file.substr(begin);
  return chunks;
}

Chunk ParseChunk(const ChunkText& chunk, const Limits& limits) {
  return Parser(chunk, limits, false).Parse();
}

Chunk ParseStatements(const ChunkText& chunk, const Limits& limits) {
  return Parser(chunk, limits, true).Parse();
}

TypePtr ParseType(std::string_view text) {
  Parser parser({text, 1}, {}, false);
  TypePtr type = parser.ParseType();
  if (!parser.At(TokenKind::kEnd)) parser.Expected("the end of the type");
  return type;
}

std::string Quoted(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  return fmt::format("'{}'", EscapeLine(Cut(token.text)));
}

void Add(std::string name, Attribute value, NamedAttributes* attributes) {
  attributes->push_back(
      {std::move(name), std::make_shared<const Attribute>(std::move(value))});
}

Parser::Parser(const ChunkText& chunk, const Limits& limits,
               bool allows_free_names)
    : text_(chunk.text),
      lexer_(chunk.text, chunk.first_line),
      limits_(limits),
      allows_free_names_(allows_free_names) {
  if (static_cast<int64_t>(text_.size()) > limits.max_text_bytes)
    Fail({chunk.first_line, 1},
         fmt::format("the text has {} bytes, which is more than {}",
                     text_.size(), limits.max_text_bytes));
  token_ = lexer_.Next();
}

Chunk Parser::Parse() {
  Statement module;
  module.op = "builtin.module";
  module.location = token_.location;
  Region body;
  while (!At(TokenKind::kEnd)) {
    if (At(TokenKind::kHash) || At(TokenKind::kBang)) {
      ParseAlias();
    } else {
      body.statements.push_back(ParseStatement());
    }
  }
  Chunk chunk;
  if (body.statements.size() == 1 &&
      body.statements[0].op == "builtin.module") {
    chunk.module = std::move(body.statements[0]);
  } else {
    body.has_block = true;
    module.regions.push_back(std::move(body));
    chunk.module = std::move(module);
  }
  chunk.values = static_cast<int64_t>(value_types_.size());
  return chunk;
}

void Parser::ParseAlias() {
  const Token name = Take();
  const bool is_type = name.kind == TokenKind::kBang;
  if (name.text.find('.') != std::string_view::npos)
    Fail(name.location,
         fmt::format("{} is a name of a dialect and no alias", Quoted(name)));
  Expect('=');
  const size_t begin = token_.begin;
  const int64_t nodes = nodes_;
  peak_ = depth_;
  // Strings and blobs are few nodes of many bytes.
  constexpr size_t kBytesOfANode = 16;
  const auto cost = [&] {
    return Cost{
        nodes_ - nodes +
            static_cast<int64_t>((token_.begin - begin) / kBytesOfANode),
        peak_ - depth_};
  };
  bool is_new;
  if (is_type) {
    TypePtr type = ParseType();
    is_new = type_aliases_.emplace(name.text, std::pair(type, cost())).second;
  } else {
    Attribute value = ParseAttribute();
    is_new = attribute_aliases_
                 .emplace(name.text, std::pair(std::move(value), cost()))
                 .second;
  }
  if (!is_new)
    Fail(name.location, fmt::format("{} is defined twice", Quoted(name)));
}

Token Parser::Take() {
  Token taken = token_;
  token_ = lexer_.Next();
  return taken;
}

bool Parser::Accept(char punctuation) {
  if (!token_.Is(punctuation)) return false;
  token_ = lexer_.Next();
  return true;
}

bool Parser::AcceptWord(std::string_view word) {
  if (!token_.IsWord(word)) return false;
  token_ = lexer_.Next();
  return true;
}

void Parser::Expect(char punctuation) {
  if (!Accept(punctuation)) Expected(fmt::format("'{}'", punctuation));
}

void Parser::ExpectWord(std::string_view word) {
  if (!AcceptWord(word)) Expected(fmt::format("'{}'", word));
}

Token Parser::ExpectKind(TokenKind kind, const char* what) {
  if (token_.kind != kind) Expected(what);
  return Take();
}

Token Parser::Peek() const {
  Lexer lexer = lexer_;
  return lexer.Next();
}

void Parser::Expected(std::string_view what) const {
  Fail(token_.location,
       fmt::format("expected {}, not {}", what, Quoted(token_)));
}

void Parser::Fail(Location location, std::string_view message) {
  throw SyntaxError(location, std::string(message));
}

void Parser::TooDeep(Location location) {
  Fail(location,
       fmt::format("this nests more than {} deep", limits_.max_depth));
}

void Parser::Spend(int64_t nodes) {
  nodes_ += nodes;
  if (nodes_ > limits_.max_nodes)
    Fail(token_.location,
         fmt::format("the text has more than {} statements, values, types and "
                     "attributes",
                     limits_.max_nodes));
}

void Parser::SpendAlias(const Cost& cost, Location location) {
  Spend(cost.nodes);
  if (depth_ + cost.depth > limits_.max_depth) TooDeep(location);
  peak_ = std::max(peak_, depth_ + cost.depth);
}

void Parser::SpendElements(int64_t bytes, Location location) {
  if (bytes > limits_.max_elements_bytes - elements_bytes_)
    throw NotJudged(location,
                    fmt::format("the tensors of the text take more than {} "
                                "bytes",
                                limits_.max_elements_bytes),
                    kTooLarge);
  elements_bytes_ += bytes;
}

}  // namespace assay::text
