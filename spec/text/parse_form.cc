// Reads statements by the forms of their ops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "spec/printable_text.h"
#include "spec/text/number.h"
#include "spec/text/parse_part.h"
#include "spec/text/parser.h"

namespace assay::text {
namespace {

Attribute ParseTypedInteger(Parser* parser, ElementType type) {
  const Location begin = parser->token().location;
  const int64_t value = parser->ParseInteger();
  if (value < MinValue(type) || value > MaxValue(type))
    Parser::Fail(begin, fmt::format("{} is no value of {}", value, Name(type)));
  return {IntegerAttribute{value, ScalarType(type)}};
}

Attribute ParseTypedFloat(Parser* parser, ElementType type) {
  const Location begin = parser->token().location;
  const double value = parser->ParseFloat();
  if (!std::isfinite(value))
    Parser::Fail(begin, fmt::format("a number that does not fit {} bits",
                                    Info(type).bits));
  return {FloatAttribute{type, FloatBits(type, value)}};
}

Attribute ParseBoolean(Parser* parser) {
  if (parser->AcceptWord("true")) return {true};
  if (parser->AcceptWord("false")) return {false};
  parser->Expected("'true' or 'false'");
}

Attribute ParseConstant(Parser* parser, std::string_view kind) {
  const std::vector<std::string>* const values = FindEnum(kind);
  const Token& token = parser->token();
  if (!parser->At(TokenKind::kWord) ||
      std::ranges::find(*values, token.text) == values->end())
    parser->Expected(fmt::format("a {} ({})", kind, fmt::join(*values, ", ")));
  return {EnumAttribute{"stablehlo", std::string(kind),
                        std::string(parser->Take().text)}};
}

constexpr std::string_view kStruct = "#stablehlo.";

Attribute ParseFormAttribute(Parser* parser, const std::string& kind) {
  if (kind == "i64") return ParseTypedInteger(parser, ElementType::kI64);
  if (kind == "i32") return ParseTypedInteger(parser, ElementType::kI32);
  if (kind == "f64") return ParseTypedFloat(parser, ElementType::kF64);
  if (kind == "bool") return ParseBoolean(parser);
  if (kind == "attr") return parser->ParseAttribute();
  if (kind == "i64s")
    return MakeArray(ElementType::kI64, ParseIntegerList(parser));
  if (kind == "symbol") return {SymbolAttribute{{parser->ParseSymbolName()}}};
  if (kind == "name" && parser->At(TokenKind::kSymbol))
    return {StringAttribute{parser->ParseSymbolName(), nullptr}};
  if (kind == "name" || kind == "string")
    return {StringAttribute{
        Unquote(parser->ExpectKind(TokenKind::kString, "a string")), nullptr}};
  if (kind.starts_with(kStruct))
    return parser->ParseStruct(kind.substr(kStruct.size()),
                               parser->token().location);
  std::string name = kind.substr(1);  // behind '#'
  if (FindEnum(name) != nullptr) return ParseConstant(parser, name);
  name.pop_back();  // the 's' of a list
  ListAttribute list;
  parser->Expect('[');
  while (!parser->token().Is(']')) {
    if (!list.elements.empty()) parser->Expect(',');
    parser->Spend(1);
    list.elements.push_back(ParseConstant(parser, name));
  }
  parser->Take();
  return {std::move(list)};
}

bool Fits(const FormItem& item, const Token& token) {
  if (item.kind == FormItem::Kind::kWord) return token.IsWord(item.text);
  if (item.kind == FormItem::Kind::kPunctuation) return token.Is(item.text[0]);
  return false;
}

bool Stands(const std::vector<FormItem>& group, const Parser& parser) {
  if (!Fits(group[0], parser.token())) return false;
  return group[0].text != "," || group.size() == 1 ||
         group[1].kind != FormItem::Kind::kWord ||
         Fits(group[1], parser.Peek());
}

class FormParser {
 public:
  FormParser(Parser* parser, Statement* statement)
      : parser_(parser), statement_(statement) {}

  void ParseItems(const std::vector<FormItem>& items) {
    using enum FormItem::Kind;
    for (const FormItem& item : items) {
      const bool is_comma = item.kind == kPunctuation && item.text == ",";
      // A comma that follows a list of operands is taken with it, and one that
      // follows an empty list is left out.
      if (has_comma_ && !is_comma) parser_->Expected("a value '%name'");
      const bool is_left_out =
          std::exchange(is_empty_, false) && !parser_->token().Is(',');
      if (is_comma && (std::exchange(has_comma_, false) || is_left_out))
        continue;
      switch (item.kind) {
        case kWord:
          parser_->ExpectWord(item.text);
          break;
        case kPunctuation:
          parser_->Expect(item.text[0]);
          break;
        case kOperand:
          statement_->operands.push_back(parser_->ParseOperand());
          break;
        case kOperands:
          ParseOperands();
          break;
        case kAttribute:
          Add(item.text, ParseFormAttribute(parser_, item.attribute_kind),
              &statement_->attributes);
          break;
        case kGroup:
          if (Stands(item.group, *parser_)) ParseItems(item.group);
          break;
        case kDictionary:
          if (!parser_->token().Is('{')) break;
          for (NamedAttribute& attribute : parser_->ParseDictionary())
            statement_->attributes.push_back(std::move(attribute));
          break;
        case kPart:
          ParsePart(item.text, parser_, statement_);
          break;
      }
    }
  }

 private:
  void ParseOperands() {
    is_empty_ = !parser_->At(TokenKind::kValue);
    while (parser_->At(TokenKind::kValue)) {
      statement_->operands.push_back(parser_->ParseOperand());
      has_comma_ = parser_->Accept(',');
      if (!has_comma_) return;
    }
  }

  Parser* parser_;
  Statement* statement_;
  bool has_comma_ = false;
  bool is_empty_ = false;
};

}  // namespace

bool IsAttributeKind(std::string_view kind) {
  if (kind.starts_with(kStruct)) return IsStruct(kind.substr(kStruct.size()));
  if (kind.starts_with('#')) {
    kind.remove_prefix(1);
    return FindEnum(kind) != nullptr ||
           (kind.ends_with('s') &&
            FindEnum(kind.substr(0, kind.size() - 1)) != nullptr);
  }
  constexpr std::string_view kKinds[] = {
      "i64", "i32", "f64", "bool", "string", "symbol", "i64s", "attr", "name"};
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

void Parser::ParsePretty(const OpForm& op, Statement* statement) {
  const Form* form = &op.forms.back();
  for (const Form& other : op.forms) {
    if (!Stands(other.items, *this)) continue;
    form = &other;
    break;
  }
  FormParser(this, statement).ParseItems(form->items);
  if (!form->types.empty()) ParseFormTypes(form->types, this, statement);
}

}  // namespace assay::text
