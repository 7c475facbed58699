#include "spec/text/parse_part.h"

#include <fmt/format.h>

#include <map>

#include "spec/printable_text.h"
#include "spec/text/number.h"

namespace assay::text {
namespace {

void ParseProperties(Parser* parser, Statement* statement) {
  if (!parser->Accept('<')) return;
  statement->attributes = parser->ParseDictionary();
  parser->Expect('>');
}

// "[0:4, 1:9:2]"
void ParseSliceRanges(Parser* parser, Statement* statement) {
  std::vector<int64_t> starts, limits, strides;
  parser->Expect('[');
  while (!parser->token().Is(']')) {
    if (!starts.empty()) parser->Expect(',');
    parser->Spend(1);
    starts.push_back(parser->ParseInteger());
    parser->Expect(':');
    limits.push_back(parser->ParseInteger());
    strides.push_back(parser->Accept(':') ? parser->ParseInteger() : 1);
  }
  parser->Take();
  Add("start_indices", MakeArray(ElementType::kI64, starts),
      &statement->attributes);
  Add("limit_indices", MakeArray(ElementType::kI64, limits),
      &statement->attributes);
  Add("strides", MakeArray(ElementType::kI64, strides), &statement->attributes);
}

// "e5m10"
void ParseFloatFormat(Parser* parser, Statement* statement) {
  const Token token = parser->token();
  const std::string_view word = token.text;
  const size_t m = word.find('m');
  if (!parser->At(TokenKind::kWord) || word[0] != 'e' ||
      m == std::string_view::npos)
    parser->Expected("a format as e5m10");
  const std::optional<uint64_t> exponent = ParseDigits(word.substr(1, m - 1));
  const std::optional<uint64_t> mantissa = ParseDigits(word.substr(m + 1));
  if (!exponent || !mantissa || *exponent > INT32_MAX || *mantissa > INT32_MAX)
    parser->Expected("a format as e5m10 whose numbers are of i32");
  parser->Take();
  const TypePtr type = ScalarType(ElementType::kI32);
  Add("exponent_bits",
      {IntegerAttribute{static_cast<int64_t>(*exponent), type}},
      &statement->attributes);
  Add("mantissa_bits",
      {IntegerAttribute{static_cast<int64_t>(*mantissa), type}},
      &statement->attributes);
}

void ParseDimensionNumbers(Parser* parser, Statement* statement) {
  Add("dimension_numbers", parser->ParseConvolutionDimensions(),
      &statement->attributes);
}

// "[batching_dims = [0] x [0],] contracting_dims = [2] x [1]"
void ParseDotDimensions(Parser* parser, Statement* statement) {
  StructAttribute dot{"dot", {}};
  const auto parse_sides = [&](const char* left, const char* right) {
    parser->Expect('=');
    for (const char* side : {left, right}) {
      if (side == right) parser->ExpectWord("x");
      ListAttribute list;
      for (const int64_t dimension : ParseIntegerList(parser))
        list.elements.push_back({IntegerAttribute{dimension, nullptr}});
      if (!list.elements.empty()) Add(side, {std::move(list)}, &dot.fields);
    }
  };
  if (parser->AcceptWord("batching_dims")) {
    parse_sides("lhs_batching_dimensions", "rhs_batching_dimensions");
    parser->Expect(',');
  }
  parser->ExpectWord("contracting_dims");
  parse_sides("lhs_contracting_dimensions", "rhs_contracting_dimensions");
  Add("dot_dimension_numbers", {std::move(dot)}, &statement->attributes);
}

// "[[0, 1], [2, 3]]", which becomes a tensor of n x 2. Whether the rows are
// pairs is a constraint of the op.
Attribute ParsePadding(Parser* parser) {
  std::vector<int64_t> values;
  int64_t rows = 0, columns = 2;
  parser->Expect('[');
  while (!parser->token().Is(']')) {
    if (rows > 0) parser->Expect(',');
    const Location begin = parser->token().location;
    const std::vector<int64_t> row = ParseIntegerList(parser);
    if (rows++ == 0) columns = std::ssize(row);
    if (std::ssize(row) != columns)
      Parser::Fail(begin, "the rows of the padding differ in length");
    values.insert(values.end(), row.begin(), row.end());
  }
  parser->Take();
  Tensor padding({{rows, columns}, ElementType::kI64});
  for (size_t i = 0; i < values.size(); ++i)
    padding.SetBits(static_cast<int64_t>(i),
                    BitsOf(ElementType::kI64, values[i]));
  return {DenseAttribute{std::move(padding)}};
}

// "[true, false]", or "[1, 0]"
Attribute ParseFlags(Parser* parser) {
  std::vector<int64_t> values;
  parser->Expect('[');
  while (!parser->token().Is(']')) {
    if (!values.empty()) parser->Expect(',');
    parser->Spend(1);
    const Token token = parser->Take();
    if (token.text != "true" && token.text != "false" && token.text != "0" &&
        token.text != "1")
      Parser::Fail(
          token.location,
          fmt::format("expected 'true' or 'false', not {}", Quoted(token)));
    values.push_back(token.text == "true" || token.text == "1");
  }
  parser->Take();
  return MakeArray(ElementType::kI1, values);
}

// "stride = [2, 2], pad = [[0, 1], [0, 1]], .."
void ParseWindow(Parser* parser, Statement* statement) {
  static const std::map<std::string_view, const char*> kNames = {
      {"stride", "window_strides"},
      {"pad", "padding"},
      {"lhs_dilate", "lhs_dilation"},
      {"rhs_dilate", "rhs_dilation"},
      {"reverse", "window_reversal"}};
  bool is_first = true;
  while (!parser->token().Is('}')) {
    if (!is_first) parser->Expect(',');
    is_first = false;
    const Token key = parser->token();
    const auto name = kNames.find(key.text);
    if (name == kNames.end())
      parser->Expected("stride, pad, lhs_dilate, rhs_dilate or reverse");
    if (Find(statement->attributes, name->second) != nullptr)
      Parser::Fail(key.location, fmt::format("{} is given twice", Quoted(key)));
    parser->Take();
    parser->Expect('=');
    Add(name->second,
        key.text == "pad" ? ParsePadding(parser)
        : key.text == "reverse"
            ? ParseFlags(parser)
            : MakeArray(ElementType::kI64, ParseIntegerList(parser)),
        &statement->attributes);
  }
}

// "(%x = %a, %y = %b) : T, T attributes {..} cond {..} do {..}"
void ParseWhile(Parser* parser, Statement* statement) {
  std::vector<BlockArgument> arguments;
  parser->Expect('(');
  while (!parser->token().Is(')')) {
    if (!arguments.empty()) parser->Expect(',');
    const Token name =
        parser->ExpectKind(TokenKind::kValue, "an argument '%name'");
    arguments.push_back({NameOf(name), nullptr, name.location});
    parser->Expect('=');
    statement->operands.push_back(parser->ParseOperand());
  }
  parser->Take();
  const Location begin = parser->token().location;
  if (parser->Accept(':')) {
    do statement->operand_types.push_back(parser->ParseType());
    while (parser->Accept(','));
  }
  if (statement->operand_types.size() != arguments.size())
    Parser::Fail(
        begin, fmt::format("the loop has {} values, and {} types",
                           arguments.size(), statement->operand_types.size()));
  statement->result_types = statement->operand_types;
  for (size_t i = 0; i < arguments.size(); ++i)
    arguments[i].type = statement->operand_types[i];
  if (parser->AcceptWord("attributes"))
    statement->attributes = parser->ParseDictionary();
  parser->ExpectWord("cond");
  statement->regions.push_back(parser->ParseRegion(false, arguments));
  parser->ExpectWord("do");
  statement->regions.push_back(
      parser->ParseRegion(false, std::move(arguments)));
}

using PartReader = void (*)(Parser*, Statement*);

const std::map<std::string_view, PartReader>& PartReaders() {
  static const std::map<std::string_view, PartReader> kReaders = {
      {"dimension_numbers", ParseDimensionNumbers},
      {"dot_dimension_numbers", ParseDotDimensions},
      {"float_format", ParseFloatFormat},
      {"function", ParseFunction},
      {"module", ParseModule},
      {"properties", ParseProperties},
      {"reduce", ParseReduce},
      {"slice_ranges", ParseSliceRanges},
      {"while", ParseWhile},
      {"window", ParseWindow}};
  return kReaders;
}

}  // namespace

void ParsePart(std::string_view name, Parser* parser, Statement* statement) {
  PartReaders().at(name)(parser, statement);
}

bool IsPart(std::string_view name) { return PartReaders().contains(name); }

TypePtr ScalarType(ElementType element) {
  Type type{Type::Kind::kScalar, {}};
  type.tensor.element_type = element;
  return std::make_shared<const Type>(std::move(type));
}

std::vector<int64_t> ParseIntegerList(Parser* parser) {
  std::vector<int64_t> values;
  parser->Expect('[');
  while (!parser->token().Is(']')) {
    if (!values.empty()) parser->Expect(',');
    parser->Spend(1);
    values.push_back(parser->ParseInteger());
  }
  parser->Take();
  return values;
}

Attribute MakeArray(ElementType type, const std::vector<int64_t>& values) {
  Tensor tensor({{static_cast<int64_t>(values.size())}, type});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i), BitsOf(type, values[i]));
  return {DenseAttribute{std::move(tensor), true}};
}

}  // namespace assay::text
