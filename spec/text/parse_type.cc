// Types. Those that MLIR has and StableHLO has not are refused by their names.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "spec/printable_text.h"
#include "spec/text/parser.h"

namespace assay::text {
namespace {

// An integer of a width or sign that no element has, or a float of another
// kind: attributes have those types.
bool IsOtherScalar(std::string_view word) {
  constexpr std::array<std::string_view, 5> kNames = {"index", "tf32", "f80",
                                                      "f128", "none"};
  if (std::ranges::find(kNames, word) != kNames.end()) return true;
  if (word.starts_with("si") || word.starts_with("ui")) {
    word.remove_prefix(2);
  } else if (word.starts_with('i')) {
    word.remove_prefix(1);
  } else {
    return false;
  }
  return !word.empty() && word.size() < 9 && word[0] != '0' &&
         std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// The storage types of !quant.uniform, which spells unsigned ones "u8" too.
std::optional<ElementType> StorageType(std::string_view word) {
  std::string name(word);
  if (name.starts_with('u') && !name.starts_with("ui")) name.insert(1, "i");
  const std::optional<ElementType> type = assay::ParseElementType(name);
  if (!type || word.starts_with("si") || !IsInteger(*type)) return std::nullopt;
  return type;
}

}  // namespace

TypePtr Parser::MakeType(Type type) {
  Spend(1);
  for (const auto* parts : {&type.inputs, &type.results})
    for (const TypePtr& part : *parts) type.nodes += part->nodes;
  return std::make_shared<const Type>(std::move(type));
}

TypePtr Parser::ParseType() {
  const Nested nested(this);
  if (At(TokenKind::kBang)) return ParseDialectType();
  if (token_.Is('(')) {
    Type function{Type::Kind::kFunction, {}};
    function.inputs = ParseParenthesizedTypes();
    if (!At(TokenKind::kArrow)) Expected("'->' of a function type");
    Take();
    function.results = ParseResultTypes();
    return MakeType(std::move(function));
  }
  if (!At(TokenKind::kWord)) Expected("a type");
  if (token_.text == "tensor") return ParseTensorType();
  if (token_.text == "tuple") {
    Take();
    Expect('<');
    Type tuple{Type::Kind::kTuple, {}};
    while (!token_.Is('>')) {
      if (!tuple.inputs.empty()) Expect(',');
      tuple.inputs.push_back(ParseType());
    }
    Take();
    return MakeType(std::move(tuple));
  }
  if (token_.text == "memref" || token_.text == "vector")
    Fail(token_.location,
         fmt::format("StableHLO has no type {}<..>", token_.text));
  return ParseScalarType(Take());
}

TypePtr Parser::ParseScalarType(const Token& word) {
  Type type{Type::Kind::kScalar, {}};
  const std::optional<ElementType> element =
      word.text.starts_with("si") ? std::nullopt
                                  : assay::ParseElementType(word.text);
  if (element) {
    type.tensor.element_type = *element;
  } else if (word.text == "complex") {
    Expect('<');
    const Token part = ExpectKind(TokenKind::kWord, "f32 or f64");
    if (part.text == "f32") {
      type.tensor.element_type = ElementType::kComplexF32;
    } else if (part.text == "f64") {
      type.tensor.element_type = ElementType::kComplexF64;
    } else {
      Fail(part.location, fmt::format("complex numbers have parts f32 or f64, "
                                      "not {}",
                                      Quoted(part)));
    }
    Expect('>');
  } else if (IsOtherScalar(word.text)) {
    type.kind = Type::Kind::kOther;
    type.name = std::string(word.text);
  } else {
    Fail(word.location, fmt::format("{} is no type", Quoted(word)));
  }
  return MakeType(std::move(type));
}

ElementType Parser::ParseElementType() {
  const Token word = ExpectKind(TokenKind::kWord, "an element type");
  const TypePtr type = ParseScalarType(word);
  // Ops of dialects beside StableHLO have such tensors.
  if (type->name == "index")
    throw NotJudged(word.location, "StableHLO has no tensors of index",
                    "tensors of index");
  if (type->kind == Type::Kind::kOther)
    Fail(word.location,
         fmt::format("StableHLO has no tensors of {}{}", word.text,
                     word.text.starts_with("si")
                         ? ": types with a sign are spelled iN"
                         : ""));
  return type->tensor.element_type;
}

// The token is what stands behind '<'; of the text behind it, "2x?x".
Shape Parser::ParseShape() {
  Shape shape;
  const Token first = token_;
  size_t at = first.begin;
  const auto skip_space = [&](size_t i) {
    while (i < text_.size() && text_[i] == ' ') ++i;
    return i;
  };
  for (;;) {
    const Location here{
        first.location.line,
        first.location.column + static_cast<int>(at - first.begin)};
    size_t end = at;
    int64_t size = kDynamic;
    if (at < text_.size() && text_[at] == '*')
      throw NotJudged(here, "StableHLO has no tensors without a rank",
                      "tensors without a rank");
    if (at < text_.size() && text_[at] == '?') {
      ++end;
    } else {
      const auto [past, error] =
          std::from_chars(text_.data() + at, text_.data() + text_.size(), size);
      end = static_cast<size_t>(past - text_.data());
      if (error == std::errc::result_out_of_range)
        Fail(here, "the size of a dimension does not fit 63 bits");
      if (error != std::errc() || size < 0) break;
    }
    end = skip_space(end);
    if (end >= text_.size() || text_[end] != 'x')
      Fail(here, "the size of a dimension is not followed by 'x'");
    if (shape.size() == kMaxRank)
      Fail(here, fmt::format("the rank is above {}", kMaxRank));
    shape.push_back(size);
    at = skip_space(end + 1);
  }
  if (at != first.begin) {
    lexer_.MoveTo(first, at);
    token_ = lexer_.Next();
  }
  return shape;
}

TypePtr Parser::ParseTensorType() {
  const Token word = Take();
  if (!token_.Is('<')) Expected("'<'");
  // Up to the '>' of a type in which nothing nests.
  const size_t end = text_.find_first_of("<>,\n", token_.begin + 1);
  std::string_view key;
  if (end != std::string_view::npos && text_[end] == '>') {
    key = text_.substr(token_.begin, end - token_.begin);
    if (const auto known = known_types_.find(key);
        known != known_types_.end()) {
      lexer_.MoveTo(token_, end + 1);
      token_ = lexer_.Next();
      Spend(1);
      return known->second;
    }
  }
  Take();
  Type type;
  type.tensor.shape = ParseShape();
  if (At(TokenKind::kBang) && token_.text == "!quant.uniform") {
    auto quantization =
        std::make_shared<const Quantization>(ParseQuantization());
    type.tensor.element_type = quantization->storage_type;
    type.tensor.quantization = std::move(quantization);
  } else if (At(TokenKind::kBang)) {
    const TypePtr element = ParseType();
    if (element->kind != Type::Kind::kScalar)
      Fail(word.location, "the elements of a tensor have an element type");
    type.tensor.element_type = element->tensor.element_type;
  } else {
    type.tensor.element_type = ParseElementType();
  }
  if (Accept(',')) {
    const size_t begin = token_.begin;
    const int64_t nodes = nodes_;
    type.encoding = std::make_shared<const Attribute>(ParseAttribute());
    type.nodes += nodes_ - nodes + static_cast<int64_t>(token_.begin - begin);
  }
  Expect('>');
  if (type.tensor.IsStatic()) {
    const std::optional<int64_t> count = ElementCount(type.tensor.shape);
    if (!count || *count > INT64_MAX / Info(type.tensor.element_type).bytes)
      Fail(word.location, "the size of a tensor overflows 63 bits");
  }
  TypePtr made = MakeType(std::move(type));
  if (!key.empty()) known_types_.emplace(key, made);
  return made;
}

TypePtr Parser::ParseDialectType() {
  const Token name = Take();
  if (name.text == "!stablehlo.token")
    return MakeType({Type::Kind::kToken, {}});
  if (const auto alias = type_aliases_.find(name.text);
      alias != type_aliases_.end()) {
    SpendAlias(alias->second.second, name.location);
    return alias->second.first;
  }
  if (name.text == "!quant.uniform")
    Fail(name.location, "a quantized type is the element type of a tensor");
  if (name.text.find('.') == std::string_view::npos)
    Fail(name.location, fmt::format("{} is not defined", Quoted(name)));
  const std::string message =
      fmt::format("StableHLO has no type {}", Quoted(name));
  // A later revision has it.
  if (name.text == "!stablehlo.future")
    throw NotJudged(name.location, message, "futures");
  Fail(name.location, message);
}

Quantization Parser::ParseQuantization() {
  Take();
  Expect('<');
  Quantization type;
  const Token storage = ExpectKind(TokenKind::kWord, "a storage type");
  const std::optional<ElementType> storage_type = StorageType(storage.text);
  if (!storage_type)
    Fail(storage.location,
         fmt::format("{} is no storage type of quantized elements",
                     Quoted(storage)));
  type.storage_type = *storage_type;
  type.storage_min = static_cast<int64_t>(MinValue(*storage_type));
  // The bounds of a type are numbers of 64 bits.
  type.storage_max = static_cast<int64_t>(
      std::min<__int128>(MaxValue(*storage_type), INT64_MAX));
  if (Accept('<')) {
    type.storage_min = ParseInteger();
    Expect(':');
    type.storage_max = ParseInteger();
    Expect('>');
  }
  Expect(':');
  const Location expressed = token_.location;
  type.expressed_type = ParseElementType();
  if (!IsFloat(type.expressed_type))
    Fail(expressed, "the expressed type of quantized elements is a float type");
  if (Accept(':')) type.dimension = ParseInteger();
  Expect(',');
  const auto parse_parameters = [&] {
    Spend(1);
    type.scales.push_back(ParseFloat());
    type.zero_points.push_back(Accept(':') ? ParseInteger() : 0);
  };
  // Braces without a dimension violate a constraint, which says so.
  if (type.dimension && !token_.Is('{')) Expected("'{'");
  if (Accept('{')) {
    do {
      parse_parameters();
    } while (Accept(','));
    Expect('}');
  } else {
    parse_parameters();
  }
  Expect('>');
  return type;
}

std::vector<TypePtr> Parser::ParseParenthesizedTypes() {
  Expect('(');
  std::vector<TypePtr> types;
  while (!token_.Is(')')) {
    if (!types.empty()) Expect(',');
    types.push_back(ParseType());
  }
  Take();
  return types;
}

std::vector<TypePtr> Parser::ParseResultTypes() {
  if (token_.Is('(')) return ParseParenthesizedTypes();
  return {ParseType()};
}

}  // namespace assay::text
