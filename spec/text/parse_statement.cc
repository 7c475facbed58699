// Statements, regions and the names of values.
//
// A name is seen from its definition to the end of its region, and in the
// regions in between, but for those of functions and modules, which see nothing
// from outside. One table has the names that are seen; leaving a region takes
// its own out again.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spec/printable_text.h"
#include "spec/text/parser.h"
#include "spec/text/print.h"

namespace assay::text {

Statement Parser::ParseStatement() {
  const Nested nested(this);
  Spend(1);
  Statement statement;
  std::vector<Location> names;
  if (At(TokenKind::kValue)) {
    do {
      const Token name = ExpectKind(TokenKind::kValue, "the name of a result");
      names.push_back(name.location);
      ResultGroup group{NameOf(name), 1};
      if (Accept(':')) {
        const Location begin = token_.location;
        group.count = ParseInteger();
        if (group.count < 1)
          Fail(begin, "a result stands for 1 value at least");
      }
      statement.results.push_back(std::move(group));
    } while (Accept(','));
    Expect('=');
  }
  statement.location = token_.location;
  if (At(TokenKind::kString)) {
    ParseGeneric(&statement);
  } else if (At(TokenKind::kWord)) {
    const OpForm* const op = FindForm(token_.text);
    if (op == nullptr || op->forms.empty()) FailWithoutForm();
    statement.op = op->name;
    Take();
    ParsePretty(*op, &statement);
  } else {
    Expected("an op");
  }
  SkipLocation();
  Finish(&statement, names);
  return statement;
}

// Other dialects may have forms that nobody here knows.
void Parser::FailWithoutForm() const {
  const std::string message = fmt::format(
      "no form of op {} is known but the generic one", Quoted(token_));
  if (token_.text.find('.') == std::string_view::npos ||
      token_.text.starts_with("stablehlo."))
    Fail(token_.location, message);
  throw NotJudged(token_.location, message, Cut(token_.text));
}

void Parser::ParseGeneric(Statement* statement) {
  const Token name = Take();
  statement->op = Unquote(name);
  if (statement->op.empty()) Fail(name.location, "the name of an op is empty");
  Expect('(');
  while (!token_.Is(')')) {
    if (!statement->operands.empty()) Expect(',');
    statement->operands.push_back(ParseOperand());
  }
  Take();
  if (token_.Is('['))
    Fail(token_.location, "StableHLO has no ops with successors");
  if (Accept('<')) {
    statement->attributes = ParseDictionary();
    Expect('>');
  }
  if (token_.Is('(')) {
    const bool is_isolated =
        statement->op == "func.func" || statement->op == "builtin.module";
    Take();
    do statement->regions.push_back(ParseRegion(is_isolated));
    while (Accept(','));
    Expect(')');
  }
  if (token_.Is('{')) {
    for (NamedAttribute& attribute : ParseDictionary())
      statement->attributes.push_back(std::move(attribute));
  }
  Expect(':');
  statement->operand_types = ParseParenthesizedTypes();
  if (!At(TokenKind::kArrow)) Expected("'->'");
  Take();
  statement->result_types = ParseResultTypes();
}

Operand Parser::ParseOperand() {
  Spend(1);
  const Token name = ExpectKind(TokenKind::kValue, "a value '%name'");
  Operand operand;
  operand.name = NameOf(name);
  operand.location = name.location;
  if (At(TokenKind::kHash) && token_.text.size() > 1 && token_.text[1] >= '0' &&
      token_.text[1] <= '9') {
    const Token number = Take();
    Token digits = number;
    digits.text.remove_prefix(1);
    operand.number = 0;
    for (const char c : digits.text) {
      if (operand.number > 1'000'000'000)
        Fail(number.location, "the number of a result is too large");
      operand.number = operand.number * 10 + (c - '0');
    }
  }
  return operand;
}

std::vector<BlockArgument> Parser::ParseBlockArguments() {
  Expect('(');
  std::vector<BlockArgument> arguments;
  while (!token_.Is(')')) {
    if (!arguments.empty()) Expect(',');
    const Token name = ExpectKind(TokenKind::kValue, "an argument '%name'");
    Expect(':');
    arguments.push_back({NameOf(name), ParseType(), name.location});
    SkipLocation();
  }
  Take();
  return arguments;
}

Region Parser::ParseRegion(bool is_isolated,
                           std::vector<BlockArgument> arguments) {
  const Nested nested(this);
  Region region;
  Names outside;
  if (is_isolated) std::swap(names_, outside);
  const size_t mark = defined_.size();
  Expect('{');
  region.has_block = !arguments.empty();
  if (At(TokenKind::kBlock)) {
    if (!arguments.empty())
      Expected("statements of a block that has its arguments already");
    Take();
    if (token_.Is('(')) arguments = ParseBlockArguments();
    Expect(':');
    region.has_block = true;
  }
  region.first_argument = static_cast<int64_t>(value_types_.size());
  for (const BlockArgument& argument : arguments) {
    value_types_.push_back(argument.type);
    Define(argument.name, argument.location, 1);
  }
  region.arguments = std::move(arguments);
  while (!token_.Is('}')) {
    if (At(TokenKind::kBlock))
      Fail(token_.location, "StableHLO has no regions of several blocks");
    region.statements.push_back(ParseStatement());
    region.has_block = true;
  }
  Take();
  EndScope(mark);
  if (is_isolated) std::swap(names_, outside);
  return region;
}

// The last value_types_ are those that the name stands for.
void Parser::Define(const std::string& name, Location location, int64_t count) {
  Spend(1);
  const Definition definition{static_cast<int64_t>(value_types_.size()) - count,
                              count, location};
  const auto [other, is_new] = names_.emplace(name, definition);
  // Examples of a text define a name again, outside of any region.
  if (!is_new && allows_free_names_ && depth_ <= 1)
    other->second = definition;
  else if (!is_new)
    Fail(location,
         fmt::format("%{} is defined in line {} already", EscapeLine(Cut(name)),
                     other->second.location.line));
  defined_.push_back(name);
}

void Parser::EndScope(size_t mark) {
  for (size_t i = mark; i < defined_.size(); ++i) names_.erase(defined_[i]);
  defined_.resize(mark);
}

void Parser::Resolve(Statement* statement) {
  if (statement->operands.size() != statement->operand_types.size())
    Fail(statement->location,
         fmt::format("the op has {} operands, and {} types of operands",
                     statement->operands.size(),
                     statement->operand_types.size()));
  for (size_t i = 0; i < statement->operands.size(); ++i) {
    Operand& operand = statement->operands[i];
    const TypePtr& type = statement->operand_types[i];
    const auto found = names_.find(operand.name);
    if (found == names_.end()) {
      if (!allows_free_names_)
        Fail(operand.location, fmt::format("%{} is not defined here",
                                           EscapeLine(Cut(operand.name))));
      value_types_.push_back(type);
      operand.value = static_cast<int64_t>(value_types_.size()) - 1;
      continue;
    }
    const Definition& definition = found->second;
    if (operand.number >= definition.count) {
      Fail(operand.location,
           fmt::format("%{} stands for {} values, so there is no number {}",
                       EscapeLine(Cut(operand.name)), definition.count,
                       operand.number));
    }
    operand.value = definition.value + operand.number;
    const TypePtr& defined = value_types_[static_cast<size_t>(operand.value)];
    if (defined != type && !(*defined == *type))
      Fail(operand.location,
           fmt::format("%{} has type {}, not {}", EscapeLine(Cut(operand.name)),
                       Cut(TypeText(*defined)), Cut(TypeText(*type))));
  }
}

void Parser::Finish(Statement* statement, const std::vector<Location>& names) {
  std::ranges::sort(statement->attributes, {}, &NamedAttribute::name);
  const auto twice = std::ranges::adjacent_find(statement->attributes, {},
                                                &NamedAttribute::name);
  if (twice != statement->attributes.end())
    Fail(statement->location, fmt::format("attribute '{}' is given twice",
                                          EscapeLine(Cut(twice->name))));
  Resolve(statement);
  int64_t named = 0;
  for (const ResultGroup& group : statement->results) {
    // Each is below 2^63, and there is a type for each.
    if (__builtin_add_overflow(named, group.count, &named)) named = INT64_MAX;
  }
  const auto count = static_cast<int64_t>(statement->result_types.size());
  if (!names.empty() && named != count)
    Fail(names[0],
         fmt::format("{} results are named, and the op has {}", named, count));
  Spend(count);
  statement->first_result = static_cast<int64_t>(value_types_.size());
  size_t next = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const ResultGroup& group = statement->results[i];
    for (int64_t k = 0; k < group.count; ++k)
      value_types_.push_back(statement->result_types[next++]);
    Define(group.name, names[i], group.count);
  }
  for (; next < statement->result_types.size(); ++next)
    value_types_.push_back(statement->result_types[next]);
}

}  // namespace assay::text
