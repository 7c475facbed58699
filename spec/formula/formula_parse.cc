// The parser descends recursively over the grammar in spec/README.md. Formulas
// come from op files, which people write, so errors name the column.
#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "spec/formula/formula.h"
#include "spec/formula/formula_node.h"
#include "spec/formula/formula_token.h"

namespace assay {
namespace {

using Node = Formula::Node;
using Kind = Node::Kind;

// Long and deep formulas are refused before they can exhaust the stack: trees
// lean left in chains of operators, so their size bounds their depth too.
constexpr int kMaxDepth = 200;
constexpr int kMaxNodes = 1000;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { Advance(); }

  Node ParseAll() {
    Node node = ParseStatement();
    if (!token_.empty()) Fail(fmt::format("unexpected '{}'", token_));
    return node;
  }

 private:
  [[noreturn]] void Fail(const std::string& reason) const {
    throw FormulaError(fmt::format("formula \"{}\", column {}: {}", text_,
                                   start_ + 1, reason));
  }

  void Advance() {
    start_ = SkipSpace(text_, next_);
    next_ = EndOfToken(text_, start_);
    if (next_ == start_ && start_ < text_.size())
      Fail(fmt::format("unexpected character '{}'", text_[start_]));
    token_ = text_.substr(start_, next_ - start_);
  }

  bool Accept(std::string_view token) {
    if (token_ != token) return false;
    Advance();
    return true;
  }

  void Expect(std::string_view token) {
    if (!Accept(token)) Fail(fmt::format("expected '{}'", token));
  }

  template <class... Children>
  Node Make(Kind kind, std::string text, Children&&... children) {
    if (++nodes_ > kMaxNodes)
      Fail(fmt::format("more than {} nodes", kMaxNodes));
    Node node;
    node.kind = kind;
    node.text = std::move(text);
    (node.children.push_back(std::move(children)), ...);
    return node;
  }

  // statement := 'If' conditional ',' 'then' statement
  //            | 'For' 'all' name 'in' sum ',' statement | conditional
  Node ParseStatement() {
    if (Accept("For")) return ParseForAll();
    if (!Accept("If")) return ParseConditional();
    if (++depth_ > kMaxDepth) Fail("nested too deeply");
    Node condition = ParseConditional();
    Expect(",");
    Expect("then");
    Node consequence = ParseStatement();
    --depth_;
    return Make(Kind::kImplication, "", std::move(condition),
                std::move(consequence));
  }

  Node ParseForAll() {
    if (++depth_ > kMaxDepth) Fail("nested too deeply");
    Expect("all");
    const std::string name = ParseName();
    Expect("in");
    Node list = ParseSum();
    Expect(",");
    Node statement = ParseStatement();
    --depth_;
    return Make(Kind::kForAll, name, std::move(list), std::move(statement));
  }

  // conditional := or ['if' or 'else' conditional]
  Node ParseConditional() {
    if (++depth_ > kMaxDepth) Fail("nested too deeply");
    Node node = ParseOr();
    if (Accept("if")) {
      Node condition = ParseOr();
      Expect("else");
      Node otherwise = ParseConditional();
      node = Make(Kind::kConditional, "", std::move(condition), std::move(node),
                  std::move(otherwise));
    }
    --depth_;
    return node;
  }

  Node ParseOr() {
    Node node = ParseAnd();
    while (Accept("or"))
      node = Make(Kind::kOr, "", std::move(node), ParseAnd());
    return node;
  }

  Node ParseAnd() {
    Node node = ParseNot();
    while (Accept("and"))
      node = Make(Kind::kAnd, "", std::move(node), ParseNot());
    return node;
  }

  Node ParseNot() {
    if (token_ != "not") return ParseComparison();
    if (++depth_ > kMaxDepth) Fail("nested too deeply");
    Advance();
    Node node = Make(Kind::kNot, "", ParseNot());
    --depth_;
    return node;
  }

  Node ParseComparison() {
    Node first = ParseSum();
    Node node = Make(Kind::kComparison, "");
    node.children.push_back(std::move(first));
    while (token_ == "=" || token_ == "!=" || token_ == "<" || token_ == "<=" ||
           token_ == ">" || token_ == ">=" || token_ == "in") {
      node.operators.emplace_back(token_);
      Advance();
      node.children.push_back(ParseSum());
    }
    if (node.operators.empty()) return std::move(node.children[0]);
    return node;
  }

  Node ParseSum() {
    Node node = ParseProduct();
    while (token_ == "+" || token_ == "-") {
      std::string op(token_);
      Advance();
      node = Make(Kind::kArithmetic, op, std::move(node), ParseProduct());
    }
    return node;
  }

  Node ParseProduct() {
    Node node = ParseUnary();
    while (token_ == "*" || token_ == "//" || token_ == "%") {
      std::string op(token_);
      Advance();
      node = Make(Kind::kArithmetic, op, std::move(node), ParseUnary());
    }
    return node;
  }

  Node ParseUnary() {
    if (token_ != "-") return ParsePostfix();
    if (++depth_ > kMaxDepth) Fail("nested too deeply");
    Advance();
    Node node = Make(Kind::kNegate, "", ParseUnary());
    --depth_;
    return node;
  }

  Node ParsePostfix() {
    Node node = ParsePrimary();
    for (;;) {
      if (Accept("...")) {
        node = Make(Kind::kSpread, "", std::move(node));
      } else if (Accept("[")) {
        node = ParseSubscript(std::move(node));
      } else {
        return node;
      }
    }
  }

  // A subscript is x[], x[i] or x[a:b], where either bound may be absent.
  Node ParseSubscript(Node base) {
    if (Accept("]")) return Make(Kind::kIndex, "", std::move(base));
    Node lower;
    if (token_ != ":") lower = ParseConditional();
    if (Accept("]"))
      return Make(Kind::kIndex, "", std::move(base), std::move(lower));
    Expect(":");
    Node upper;
    if (token_ != "]") upper = ParseConditional();
    Expect("]");
    return Make(Kind::kSlice, "", std::move(base), std::move(lower),
                std::move(upper));
  }

  std::vector<Node> ParseUntil(std::string_view close) {
    std::vector<Node> items;
    if (Accept(close)) return items;
    do items.push_back(ParseConditional());
    while (Accept(","));
    Expect(close);
    return items;
  }

  // list := '[' conditional 'for' name 'in' sum ']'
  //       | '[' [conditional {',' conditional}] ']'
  Node ParseList() {
    Node node = Make(Kind::kList, "");
    if (Accept("]")) return node;
    node.children.push_back(ParseConditional());
    if (Accept("for")) {
      const std::string name = ParseName();
      Expect("in");
      Node range = ParseSum();
      Expect("]");
      return Make(Kind::kComprehension, name, std::move(range),
                  std::move(node.children[0]));
    }
    while (Accept(",")) node.children.push_back(ParseConditional());
    Expect("]");
    return node;
  }

  Node ParsePrimary() {
    if (Accept("(")) {
      Node node = ParseStatement();
      Expect(")");
      return node;
    }
    if (Accept("[")) return ParseList();
    if (token_.empty()) Fail("unexpected end");
    if (std::isdigit(static_cast<unsigned char>(token_[0]))) {
      Node node = Make(Kind::kInteger, "");
      const auto [end, error] = std::from_chars(
          token_.data(), token_.data() + token_.size(), node.integer);
      if (error != std::errc() || end != token_.data() + token_.size())
        Fail(fmt::format("bad number '{}'", token_));
      Advance();
      return node;
    }
    const std::string name = ParseName();
    if (Accept("(")) {
      Node node = Make(Kind::kCall, name);
      node.children = ParseUntil(")");
      return node;
    }
    return Make(Kind::kName, name);
  }

  std::string ParseName() {
    static constexpr std::string_view kReserved[] = {
        "If", "then", "For", "if", "else", "and", "or", "not", "in", "for"};
    for (std::string_view word : kReserved) {
      if (token_ == word) Fail(fmt::format("unexpected '{}'", token_));
    }
    if (token_.empty() || !std::isalpha(static_cast<unsigned char>(token_[0])))
      Fail(token_.empty() ? "unexpected end"
                          : fmt::format("unexpected '{}'", token_));
    std::string name(token_);
    Advance();
    return name;
  }

  std::string_view text_;
  std::string_view token_;
  size_t start_ = 0;  // of token_
  size_t next_ = 0;   // behind token_
  int depth_ = 0;
  int nodes_ = 0;
};

}  // namespace

Formula Formula::Parse(std::string_view text) {
  Formula formula;
  formula.text_ = text;
  formula.root_ =
      std::make_shared<const Node>(Parser(formula.text_).ParseAll());
  return formula;
}

}  // namespace assay
