// How the types of pretty forms are written. Each function sets those of
// operands and results.
#include <fmt/format.h>

#include <map>

#include "spec/error.h"
#include "spec/text/parse_part.h"
#include "spec/text/parser.h"

namespace assay::text {
namespace {

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

void ReadPredicate(Parser* parser, Statement* statement) {
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

// The result has the type that the attribute 'value' has brought.
TypePtr TypeOfValue(const Statement& statement) {
  const Attribute* const value = Find(statement.attributes, "value");
  Type type;
  ASSAY_CHECK(value != nullptr);
  if (const auto* dense = value->As<DenseAttribute>();
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

using FormTypeReader = void (*)(Parser*, Statement*);

const std::map<std::string_view, FormTypeReader>& TypeReaders() {
  static const std::map<std::string_view, FormTypeReader> kReaders = {
      {"functional", ReadFunctional},
      {"same", ReadSame},
      {"same_operands", ReadSameOperands},
      {"result", ReadResult},
      {"operands", ReadOperands},
      {"pairwise", ReadPairwise},
      {"complex", ReadComplex},
      {"predicate", ReadPredicate},
      {"tuple", ReadTuple},
      {"value", ReadValue},
      {"value_operand", ReadValueOperand}};
  return kReaders;
}

}  // namespace

bool IsTypeRule(std::string_view name) { return TypeReaders().contains(name); }

void ParseFormTypes(std::string_view name, Parser* parser,
                    Statement* statement) {
  TypeReaders().at(name)(parser, statement);
}

}  // namespace assay::text
