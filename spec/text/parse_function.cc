// func.func and builtin.module as programs write them. The tree has them as it
// has all ops: with attributes for name and type, and a region.
#include <fmt/format.h>

#include "spec/text/parse_part.h"

namespace assay::text {
namespace {

// "T {..}" for a declaration's argument and for results, "%a: T {..}" for an
// argument of a body.
struct Signature {
  std::vector<BlockArgument> arguments;  // empty: a declaration
  std::vector<TypePtr> inputs, results;
  ListAttribute input_attributes, result_attributes;
  bool has_input_attributes = false, has_result_attributes = false;
};

void ParseEntryAttributes(Parser* parser, ListAttribute* list, bool* has_any) {
  DictionaryAttribute attributes;
  if (parser->token().Is('{')) attributes.entries = parser->ParseDictionary();
  *has_any |= !attributes.entries.empty();
  list->elements.push_back({std::move(attributes)});
  parser->SkipLocation();
}

void ParseArguments(Parser* parser, Signature* signature) {
  parser->Expect('(');
  const bool has_names = parser->At(TokenKind::kValue);
  while (!parser->token().Is(')')) {
    if (!signature->inputs.empty()) parser->Expect(',');
    if (has_names) {
      const Token name =
          parser->ExpectKind(TokenKind::kValue, "an argument '%name'");
      parser->Expect(':');
      signature->arguments.push_back({NameOf(name), nullptr, name.location});
    }
    const TypePtr type = parser->ParseType();
    signature->inputs.push_back(type);
    if (has_names) signature->arguments.back().type = type;
    ParseEntryAttributes(parser, &signature->input_attributes,
                         &signature->has_input_attributes);
  }
  parser->Take();
}

void ParseResults(Parser* parser, Signature* signature) {
  if (!parser->At(TokenKind::kArrow)) return;
  parser->Take();
  if (!parser->Accept('(')) {
    signature->results.push_back(parser->ParseType());
    signature->result_attributes.elements.push_back({DictionaryAttribute{}});
    return;
  }
  while (!parser->token().Is(')')) {
    if (!signature->results.empty()) parser->Expect(',');
    signature->results.push_back(parser->ParseType());
    ParseEntryAttributes(parser, &signature->result_attributes,
                         &signature->has_result_attributes);
  }
  parser->Take();
}

}  // namespace

void ParseFunction(Parser* parser, Statement* statement) {
  NamedAttributes& attributes = statement->attributes;
  for (const char* visibility : {"public", "private", "nested"})
    if (parser->AcceptWord(visibility)) {
      Add("sym_visibility", {StringAttribute{visibility, nullptr}},
          &attributes);
      break;
    }
  Add("sym_name", {StringAttribute{parser->ParseSymbolName(), nullptr}},
      &attributes);
  Signature signature;
  ParseArguments(parser, &signature);
  ParseResults(parser, &signature);
  Type type{Type::Kind::kFunction, {}};
  type.inputs = signature.inputs;
  type.results = signature.results;
  Add("function_type", {std::make_shared<const Type>(std::move(type))},
      &attributes);
  if (signature.has_input_attributes)
    Add("arg_attrs", {std::move(signature.input_attributes)}, &attributes);
  if (signature.has_result_attributes)
    Add("res_attrs", {std::move(signature.result_attributes)}, &attributes);
  if (parser->AcceptWord("attributes"))
    for (NamedAttribute& attribute : parser->ParseDictionary())
      attributes.push_back(std::move(attribute));
  if (parser->token().Is('{')) {
    if (signature.arguments.size() != signature.inputs.size())
      parser->Expected("no body, as the arguments have no names");
    statement->regions.push_back(
        parser->ParseRegion(true, std::move(signature.arguments)));
  } else {
    statement->regions.emplace_back();
  }
}

void ParseModule(Parser* parser, Statement* statement) {
  if (parser->At(TokenKind::kSymbol))
    Add("sym_name", {StringAttribute{parser->ParseSymbolName(), nullptr}},
        &statement->attributes);
  if (parser->AcceptWord("attributes"))
    for (NamedAttribute& attribute : parser->ParseDictionary())
      statement->attributes.push_back(std::move(attribute));
  statement->regions.push_back(parser->ParseRegion(true));
  statement->regions.back().has_block = true;
}

}  // namespace assay::text
