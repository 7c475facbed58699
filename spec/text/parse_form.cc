// Reads statements by the forms of forms.json, and the types behind them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "spec/text.h"
#include "spec/text/number.h"
#include "spec/text/parse_part.h"
#include "spec/text/parser.h"
#include "spec/text/print.h"

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
  const double value = parser->ParseFloat();
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
  constexpr std::string_view kStruct = "#stablehlo.";
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

// How types are written. Each function sets those of operands and results.

void ReadFunctional(Parser* parser, Statement* statement) {
  parser->Expect(':');
  statement->operand_types = parser->ParseParenthesizedTypes();
  if (!parser->At(TokenKind::kArrow)) parser->Expected("'->'");
  parser->Take();
  statement->result_types = parser->ParseResultTypes();
}

// "T", or else the whole function type; null where it was that.
TypePtr ReadOneType(Parser* parser, Statement* statement) {
  if (!parser->token().Is(':')) parser->Expected("':'");
  if (parser->Peek().Is('(')) {
    ReadFunctional(parser, statement);
    return nullptr;
  }
  parser->Take();
  return parser->ParseType();
}

std::vector<TypePtr> ReadTypeList(Parser* parser) {
  parser->Expect(':');
  std::vector<TypePtr> types;
  do types.push_back(parser->ParseType());
  while (parser->Accept(','));
  return types;
}

void SetOperandTypes(const TypePtr& type, Parser* parser,
                     Statement* statement) {
  const size_t count = statement->operands.size();
  parser->Spend(static_cast<int64_t>(count) * type->nodes);
  statement->operand_types.assign(count, type);
}

void ReadSame(Parser* parser, Statement* statement) {
  if (const TypePtr type = ReadOneType(parser, statement)) {
    SetOperandTypes(type, parser, statement);
    statement->result_types = {type};
  }
}

void ReadSameOperands(Parser* parser, Statement* statement) {
  parser->Expect(':');
  SetOperandTypes(parser->ParseType(), parser, statement);
}

void ReadResult(Parser* parser, Statement* statement) {
  parser->Expect(':');
  statement->result_types = {parser->ParseType()};
}

void ReadOperands(Parser* parser, Statement* statement) {
  if (!statement->operands.empty())
    statement->operand_types = ReadTypeList(parser);
}

void ReadPairwise(Parser* parser, Statement* statement) {
  ReadOperands(parser, statement);
  statement->result_types = statement->operand_types;
}

void ReadComplex(Parser* parser, Statement* statement) {
  const Token colon = parser->token();
  const TypePtr type = ReadOneType(parser, statement);
  if (!type) return;
  if (type->kind != Type::Kind::kTensor ||
      !IsComplex(type->tensor.element_type))
    Parser::Fail(colon.location, "the type is not a tensor of complex numbers");
  Type part = *type;
  part.tensor.element_type = PartType(type->tensor.element_type);
  statement->operand_types.assign(
      statement->operands.size(),
      std::make_shared<const Type>(std::move(part)));
  statement->result_types = {type};
}

void ReadSelect(Parser* parser, Statement* statement) {
  const TypePtr pred = ReadOneType(parser, statement);
  if (!pred) return;
  parser->Expect(',');
  const TypePtr type = parser->ParseType();
  statement->operand_types = {pred, type, type};
  statement->result_types = {type};
}

void ReadTuple(Parser* parser, Statement* statement) {
  const Token colon = parser->token();
  const TypePtr type = ReadOneType(parser, statement);
  if (!type) return;
  if (type->kind != Type::Kind::kTuple)
    Parser::Fail(colon.location, "the type is not a tuple");
  statement->operand_types = type->inputs;
  statement->result_types = {type};
}

// Of the attribute 'value', which has brought it.
TypePtr TypeOfValue(const Statement& statement) {
  const Attribute* const value = Find(statement.attributes, "value");
  Type type;
  if (value == nullptr) {
    Parser::Fail(statement.location, "attribute 'value' is not given");
  } else if (const auto* dense = value->As<DenseAttribute>();
             dense && !dense->is_array) {
    type.tensor = dense->elements.type();
    return std::make_shared<const Type>(std::move(type));
  } else if (const auto* integer = value->As<IntegerAttribute>()) {
    return integer->type ? integer->type : ScalarType(ElementType::kI64);
  } else if (const auto* number = value->As<FloatAttribute>()) {
    return ScalarType(number->type);
  } else if (value->As<bool>() != nullptr) {
    return ScalarType(ElementType::kI1);
  }
  Parser::Fail(statement.location, "attribute 'value' has no type");
}

void ReadValue(Parser*, Statement* statement) {
  statement->result_types = {TypeOfValue(*statement)};
}

void ReadValueOperand(Parser*, Statement* statement) {
  statement->operand_types = {TypeOfValue(*statement)};
}

using TypeReader = void (*)(Parser*, Statement*);

const std::map<std::string_view, TypeReader>& TypeReaders() {
  static const std::map<std::string_view, TypeReader> kReaders = {
      {"functional", ReadFunctional},
      {"same", ReadSame},
      {"same_operands", ReadSameOperands},
      {"result", ReadResult},
      {"operands", ReadOperands},
      {"pairwise", ReadPairwise},
      {"complex", ReadComplex},
      {"select", ReadSelect},
      {"tuple", ReadTuple},
      {"value", ReadValue},
      {"value_operand", ReadValueOperand}};
  return kReaders;
}

}  // namespace

bool IsTypeRule(std::string_view name) { return TypeReaders().contains(name); }

void Parser::ParsePretty(const OpForm& op, Statement* statement) {
  const Form* form = &op.forms.back();
  for (const Form& other : op.forms) {
    if (!Stands(other.items, *this)) continue;
    form = &other;
    break;
  }
  FormParser(this, statement).ParseItems(form->items);
  if (!form->types.empty()) TypeReaders().at(form->types)(this, statement);
}

}  // namespace assay::text
