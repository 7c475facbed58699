// Attributes: all that MLIR builds in and StableHLO uses. What belongs to
// other dialects is kept as its text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "spec/printable_text.h"
#include "spec/text/number.h"
#include "spec/text/parser.h"

namespace assay::text {

Attribute Parser::ParseAttribute() {
  const Nested nested(this);
  Spend(1);
  switch (token_.kind) {
    case TokenKind::kString: {
      StringAttribute string{Unquote(Take()), nullptr};
      if (Accept(':')) string.type = ParseType();
      return {std::move(string)};
    }
    case TokenKind::kInteger:
    case TokenKind::kHexInteger:
    case TokenKind::kFloat:
      return ParseNumber();
    case TokenKind::kSymbol: {
      SymbolAttribute symbol;
      symbol.path.push_back(NameOf(Take()));
      while (At(TokenKind::kColons)) {
        Take();
        symbol.path.push_back(ParseSymbolName());
      }
      return {std::move(symbol)};
    }
    case TokenKind::kHash:
      return ParseDialectAttribute();
    case TokenKind::kWord:
      return ParseWordAttribute();
    case TokenKind::kBang:
      return {ParseType()};
    default:
      break;
  }
  if (token_.Is('-')) return ParseNumber();
  if (token_.Is('{')) return {DictionaryAttribute{ParseDictionary()}};
  if (token_.Is('(')) return {ParseType()};
  if (Accept('[')) {
    ListAttribute list;
    while (!token_.Is(']')) {
      if (!list.elements.empty()) Expect(',');
      list.elements.push_back(ParseAttribute());
    }
    Take();
    return {std::move(list)};
  }
  Expected("an attribute");
}

// Dictionaries are sorted by name: MLIR does not keep their order either.
NamedAttributes Parser::ParseDictionary() {
  const Nested nested(this);
  Expect('{');
  NamedAttributes entries;
  while (!token_.Is('}')) {
    if (!entries.empty()) Expect(',');
    Spend(1);
    if (!At(TokenKind::kString) && !At(TokenKind::kWord))
      Expected("the name of an attribute");
    const Token name = Take();
    Add(name.kind == TokenKind::kString ? Unquote(name)
                                        : std::string(name.text),
        Accept('=') ? ParseAttribute() : Attribute{UnitAttribute{}}, &entries);
  }
  const Location end = Take().location;
  std::ranges::stable_sort(entries, {}, &NamedAttribute::name);
  const auto twice =
      std::ranges::adjacent_find(entries, {}, &NamedAttribute::name);
  if (twice != entries.end())
    Fail(end, fmt::format("attribute '{}' is given twice",
                          EscapeLine(Cut(twice->name))));
  return entries;
}

Attribute Parser::ParseNumber() {
  const Location begin = token_.location;
  const bool is_negative = Accept('-');
  if (!At(TokenKind::kInteger) && !At(TokenKind::kHexInteger) &&
      !At(TokenKind::kFloat))
    Expected("a number");
  const Token number = Take();
  const TypePtr type = Accept(':') ? ParseType() : nullptr;
  const bool is_scalar = type && type->kind == Type::Kind::kScalar;
  const auto refuse = [&](const char* kind = "integer_constant",
                          const char* label = "C1") {
    throw ConstraintsViolated(
        begin,
        fmt::format("{}{} is no value of the type that is given for it",
                    is_negative ? "-" : "", number.text),
        kind, {label});
  };
  if (number.kind == TokenKind::kFloat ||
      (is_scalar && IsFloat(type->tensor.element_type))) {
    if (type && !is_scalar) refuse();
    FloatAttribute value;
    if (type) value.type = type->tensor.element_type;
    if (!IsFloat(value.type)) refuse();
    if (number.kind == TokenKind::kHexInteger) {
      const std::optional<uint64_t> bits = ParseDigits(number.text);
      if (!bits || is_negative || !AreBitsOf(value.type, number.text, *bits))
        refuse("float_constant", "C2");
      value.bits = *bits;
    } else {
      const double magnitude = ParseDouble(number.text);
      if (std::isinf(magnitude)) refuse("float_constant", "C1");
      value.bits = FloatBits(value.type, is_negative ? -magnitude : magnitude);
    }
    return {value};
  }
  const std::optional<uint64_t> digits = ParseDigits(number.text);
  if (!digits) refuse();
  if (is_scalar) {
    const ElementType element = type->tensor.element_type;
    if (IsComplex(element)) refuse();
    const std::optional<ElementBits> bits =
        IntegerBits(element, is_negative, *digits);
    if (!bits) refuse();
    if (IsBoolean(element)) return {*bits != 0};
    return {
        IntegerAttribute{static_cast<int64_t>(ValueOf(element, *bits)), type}};
  }
  // Among the other types, index and integers of any width have integers.
  if (type &&
      (type->kind != Type::Kind::kOther ||
       std::string_view("isu").find(type->name[0]) == std::string_view::npos))
    refuse();
  const std::optional<ElementBits> bits =
      IntegerBits(ElementType::kI64, is_negative, *digits);
  if (!bits) refuse();
  return {IntegerAttribute{static_cast<int64_t>(*bits), type}};
}

int64_t Parser::ParseInteger() {
  const Location begin = token_.location;
  const bool is_negative = Accept('-');
  if (!At(TokenKind::kInteger)) Expected("an integer");
  const Token number = Take();
  const std::optional<uint64_t> digits = ParseDigits(number.text);
  if (!digits || *digits > INT64_MAX)
    Fail(begin, fmt::format("{} does not fit 63 bits", Quoted(number)));
  const auto value = static_cast<int64_t>(*digits);
  return is_negative ? -value : value;
}

double Parser::ParseFloat() {
  const bool is_negative = Accept('-');
  if (!At(TokenKind::kInteger) && !At(TokenKind::kFloat))
    Expected("a decimal number");
  const double value = ParseDouble(Take().text);
  return is_negative ? -value : value;
}

std::string Parser::ParseSymbolName() {
  return NameOf(ExpectKind(TokenKind::kSymbol, "a symbol '@name'"));
}

Attribute Parser::ParseWordAttribute() {
  const std::string_view word = token_.text;
  if (AcceptWord("true")) return {true};
  if (AcceptWord("false")) return {false};
  if (AcceptWord("unit")) return {UnitAttribute{}};
  if (AcceptWord("dense")) return ParseDense();
  if (AcceptWord("array")) return ParseArray();
  if (word == "loc" && Peek().Is('(')) {
    SkipLocation();
    return {OpaqueAttribute{"loc(unknown)"}};
  }
  constexpr std::array<std::string_view, 7> kOthers = {
      "affine_map", "affine_set", "dense_resource", "distinct",
      "opaque",     "sparse",     "strided"};
  if (std::ranges::find(kOthers, word) != kOthers.end())
    Fail(token_.location,
         fmt::format("attributes of the kind '{}' are not read", word));
  return {ParseType()};
}

Attribute Parser::ParseDialectAttribute() {
  const Token name = Take();
  const size_t dot = name.text.find('.');
  if (dot == std::string_view::npos && !token_.Is('<')) {
    const auto alias = attribute_aliases_.find(name.text);
    if (alias == attribute_aliases_.end())
      Fail(name.location, fmt::format("{} is not defined", Quoted(name)));
    SpendAlias(alias->second.second, name.location);
    return alias->second.first;
  }
  if (name.text == "#stablehlo" || name.text == "#chlo") {
    Expect('<');
    EnumAttribute constant{std::string(name.text.substr(1)), {}, {}};
    constant.kind = ExpectKind(TokenKind::kWord, "the name of an enum").text;
    constant.value =
        ExpectKind(TokenKind::kWord, "the name of a constant").text;
    Expect('>');
    return {std::move(constant)};
  }
  if (name.text.starts_with("#stablehlo."))
    return ParseStruct(name.text.substr(dot + 1), name.location);
  OpaqueAttribute opaque{std::string(name.text)};
  if (token_.Is('<')) opaque.text += SkipBalanced();
  return {std::move(opaque)};
}

// Brackets of one kind may stand in those of another; arrows are tokens of
// their own, so '>' always closes.
std::string_view Parser::SkipBalanced() {
  const size_t begin = token_.begin;
  std::string closing;
  size_t end = begin;
  do {
    if (At(TokenKind::kEnd)) Expected(fmt::format("'{}'", closing.back()));
    if (At(TokenKind::kPunctuation)) {
      const char c = token_.text[0];
      constexpr std::string_view kOpening = "(<[{", kClosing = ")>]}";
      if (const size_t i = kOpening.find(c); i != std::string_view::npos) {
        closing += kClosing[i];
        if (static_cast<int>(closing.size()) > limits_.max_depth)
          Fail(token_.location,
               fmt::format("this nests more than {} deep", limits_.max_depth));
      } else if (kClosing.find(c) != std::string_view::npos) {
        if (c != closing.back()) Expected(fmt::format("'{}'", closing.back()));
        closing.pop_back();
      }
    }
    end = token_.begin + token_.text.size();
    Take();
  } while (!closing.empty());
  return text_.substr(begin, end - begin);
}

void Parser::SkipLocation() {
  if (!token_.IsWord("loc") || !Peek().Is('(')) return;
  Take();
  SkipBalanced();
}

}  // namespace assay::text
