// reduce(%a init: %b), .. applies stablehlo.add across dimensions = [0] : ..,
// and the form with a body of its own.
#include <fmt/format.h>

#include <algorithm>

#include "spec/text/parse_part.h"

namespace assay::text {
namespace {

// "reducer(%a: T, %b: T) (%c: T, %d: T) {..}": pairs of what is reduced so far
// and an element, one for each operand. The block has the first ones first.
Region ParseReducer(Parser* parser, size_t pairs) {
  parser->ExpectWord("reducer");
  std::vector<BlockArgument> firsts, seconds;
  for (size_t i = 0; i < pairs; ++i) {
    const Location begin = parser->token().location;
    std::vector<BlockArgument> pair = parser->ParseBlockArguments();
    if (pair.size() != 2)
      Parser::Fail(begin, "the reducer has two arguments for each operand");
    firsts.push_back(std::move(pair[0]));
    seconds.push_back(std::move(pair[1]));
  }
  std::ranges::move(seconds, std::back_inserter(firsts));
  return parser->ParseRegion(false, std::move(firsts));
}

}  // namespace

Region Parser::MakeReduction(std::string op, const TypePtr& type,
                             Location location) {
  Spend(5);
  Region region;
  region.has_block = true;
  region.first_argument = static_cast<int64_t>(value_types_.size());
  region.arguments = {{"lhs", type, location}, {"rhs", type, location}};
  const int64_t first = region.first_argument;
  Statement apply;
  apply.op = std::move(op);
  apply.location = location;
  apply.results = {{"result", 1}};
  apply.operands = {{"lhs", 0, first, location},
                    {"rhs", 0, first + 1, location}};
  apply.operand_types = {type, type};
  apply.result_types = {type};
  apply.first_result = first + 2;
  Statement end;
  end.op = "stablehlo.return";
  end.location = location;
  end.operands = {{"result", 0, first + 2, location}};
  end.operand_types = {type};
  end.first_result = first + 3;
  value_types_.insert(value_types_.end(), 3, type);
  region.statements.push_back(std::move(apply));
  region.statements.push_back(std::move(end));
  return region;
}

void ParseReduce(Parser* parser, Statement* statement) {
  std::vector<Operand> initial;
  do {
    parser->Expect('(');
    statement->operands.push_back(parser->ParseOperand());
    parser->ExpectWord("init");
    parser->Expect(':');
    initial.push_back(parser->ParseOperand());
    parser->Expect(')');
  } while (parser->Accept(','));
  const size_t pairs = initial.size();
  std::ranges::move(initial, std::back_inserter(statement->operands));

  Token op;
  if (parser->AcceptWord("applies")) {
    const std::vector<std::string>& reducers = Reducers();
    if (std::ranges::find(reducers, parser->token().text) == reducers.end())
      parser->Expected(fmt::format("one of {}", fmt::join(reducers, ", ")));
    op = parser->Take();
  }
  parser->ExpectWord("across");
  parser->ExpectWord("dimensions");
  parser->Expect('=');
  Add("dimensions", MakeArray(ElementType::kI64, ParseIntegerList(parser)),
      &statement->attributes);
  if (parser->token().Is('{'))
    for (NamedAttribute& attribute : parser->ParseDictionary())
      statement->attributes.push_back(std::move(attribute));
  parser->Expect(':');
  const Location types = parser->token().location;
  statement->operand_types = parser->ParseParenthesizedTypes();
  if (!parser->At(TokenKind::kArrow)) parser->Expected("'->'");
  parser->Take();
  statement->result_types = parser->ParseResultTypes();

  if (op.kind == TokenKind::kEnd) {
    statement->regions.push_back(ParseReducer(parser, pairs));
    return;
  }
  if (statement->operand_types.empty() ||
      statement->operand_types[0]->kind != Type::Kind::kTensor)
    Parser::Fail(types, "the first operand is not a tensor");
  Type element = *statement->operand_types[0];
  element.tensor.shape.clear();
  element.encoding = nullptr;
  statement->regions.push_back(parser->MakeReduction(
      std::string(op.text), std::make_shared<const Type>(std::move(element)),
      op.location));
}

}  // namespace assay::text
