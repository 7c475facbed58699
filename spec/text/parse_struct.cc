// The structs among StableHLO's attributes, and what their fields are.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "spec/error.h"
#include "spec/printable_text.h"
#include "spec/text/parser.h"

namespace assay::text {
namespace {

enum class FieldKind : uint8_t {
  kDimensions,  // a list; left out where it is empty
  kDimension,   // an integer; left out where it is 0
  kPosition,    // an integer; 0 where it is left out
  kInteger,
  kFloat,  // left out where it is 0
  kBoolean,
  kType,
  kEnum
};

struct Field {
  const char* name;
  FieldKind kind;
};

using enum FieldKind;

constexpr Field kDot[] = {{"lhs_batching_dimensions", kDimensions},
                          {"rhs_batching_dimensions", kDimensions},
                          {"lhs_contracting_dimensions", kDimensions},
                          {"rhs_contracting_dimensions", kDimensions}};
constexpr Field kGather[] = {{"offset_dims", kDimensions},
                             {"collapsed_slice_dims", kDimensions},
                             {"operand_batching_dims", kDimensions},
                             {"start_indices_batching_dims", kDimensions},
                             {"start_index_map", kDimensions},
                             {"index_vector_dim", kDimension}};
constexpr Field kScatter[] = {{"update_window_dims", kDimensions},
                              {"inserted_window_dims", kDimensions},
                              {"input_batching_dims", kDimensions},
                              {"scatter_indices_batching_dims", kDimensions},
                              {"scatter_dims_to_operand_dims", kDimensions},
                              {"index_vector_dim", kDimension}};
constexpr Field kConvolution[] = {
    {"input_batch_dimension", kPosition},
    {"input_feature_dimension", kPosition},
    {"input_spatial_dimensions", kDimensions},
    {"kernel_input_feature_dimension", kPosition},
    {"kernel_output_feature_dimension", kPosition},
    {"kernel_spatial_dimensions", kDimensions},
    {"output_batch_dimension", kPosition},
    {"output_feature_dimension", kPosition},
    {"output_spatial_dimensions", kDimensions}};
constexpr Field kChannelHandle[] = {{"handle", kInteger}, {"type", kInteger}};
constexpr Field kDotAlgorithm[] = {{"lhs_precision_type", kType},
                                   {"rhs_precision_type", kType},
                                   {"accumulation_type", kType},
                                   {"lhs_component_count", kInteger},
                                   {"rhs_component_count", kInteger},
                                   {"num_primitive_operations", kInteger},
                                   {"allow_imprecise_accumulation", kBoolean}};
constexpr Field kResultAccuracy[] = {
    {"atol", kFloat}, {"rtol", kFloat}, {"ulps", kDimension}, {"mode", kEnum}};
constexpr Field kOutputOperandAlias[] = {
    {"output_tuple_indices", kDimensions},
    {"operand_index", kInteger},
    {"operand_tuple_indices", kDimensions}};
constexpr Field kTypeExtensions[] = {{"bounds", kDimensions}};

using Structs = std::map<std::string_view, std::span<const Field>>;

const Structs& AllStructs() {
  static const Structs kStructs = {
      {"dot", kDot},
      {"gather", kGather},
      {"scatter", kScatter},
      {"conv", kConvolution},
      {"channel_handle", kChannelHandle},
      {"dot_algorithm", kDotAlgorithm},
      {"result_accuracy", kResultAccuracy},
      {"output_operand_alias", kOutputOperandAlias},
      {"type_extensions", kTypeExtensions}};
  return kStructs;
}

std::optional<std::span<const Field>> FieldsOf(std::string_view name) {
  const auto found = AllStructs().find(name);
  if (found == AllStructs().end()) return std::nullopt;
  return found->second;
}

// "[0, ?]"
Attribute ParseDimensions(Parser* parser, char open, char close) {
  parser->Expect(open);
  ListAttribute list;
  while (!parser->token().Is(close)) {
    if (!list.elements.empty()) parser->Expect(',');
    parser->Spend(1);
    const int64_t size =
        parser->Accept('?') ? kDynamic : parser->ParseInteger();
    list.elements.push_back({IntegerAttribute{size, nullptr}});
  }
  parser->Take();
  return {std::move(list)};
}

Attribute ParseField(Parser* parser, const Field& field) {
  switch (field.kind) {
    case kDimensions:
      return ParseDimensions(parser, '[', ']');
    case kDimension:
    case kPosition:
    case kInteger:
      return {IntegerAttribute{parser->ParseInteger(), nullptr}};
    case kBoolean:
      if (parser->AcceptWord("true")) return {true};
      parser->ExpectWord("false");
      return {false};
    default: {
      const Location begin = parser->token().location;
      Attribute value = parser->ParseAttribute();
      const bool is_right =
          field.kind == kFloat  ? value.As<FloatAttribute>() != nullptr
          : field.kind == kType ? value.As<TypePtr>() != nullptr
                                : value.As<EnumAttribute>() != nullptr;
      if (!is_right)
        Parser::Fail(begin, fmt::format("field '{}' is {}", field.name,
                                        field.kind == kFloat  ? "a float"
                                        : field.kind == kType ? "a type"
                                                              : "an enum"));
      return value;
    }
  }
}

bool IsDefault(const Field& field, const Attribute& value) {
  if (field.kind == kDimensions)
    return value.As<ListAttribute>()->elements.empty();
  if (field.kind == kFloat) return value.As<FloatAttribute>()->bits == 0;
  return field.kind == kDimension && value.As<IntegerAttribute>()->value == 0;
}

bool HasNoDefault(const Field& field) {
  return field.kind == kInteger || field.kind == kBoolean ||
         field.kind == kType;
}

// Fields in any order, into that of the table.
StructAttribute ParseFields(Parser* parser, std::string_view name,
                            std::span<const Field> fields) {
  const Location begin = parser->token().location;
  std::vector<std::optional<Attribute>> values(fields.size());
  while (!parser->token().Is('>')) {
    parser->Spend(1);
    const Token field =
        parser->ExpectKind(TokenKind::kWord, "the name of a field");
    const auto known = std::ranges::find_if(
        fields, [&](const Field& f) { return field.text == f.name; });
    if (known == fields.end())
      Parser::Fail(field.location, fmt::format("#stablehlo.{} has no field {}",
                                               name, Quoted(field)));
    std::optional<Attribute>& value =
        values[static_cast<size_t>(known - fields.begin())];
    if (value)
      Parser::Fail(field.location,
                   fmt::format("field {} is given twice", Quoted(field)));
    parser->Expect('=');
    value = ParseField(parser, *known);
    // A comma may follow the last field, too.
    if (!parser->token().Is('>')) parser->Expect(',');
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!values[i] && HasNoDefault(fields[i]))
      Parser::Fail(begin, fmt::format("#stablehlo.{} lacks the field '{}'",
                                      name, fields[i].name));
  }
  StructAttribute result{std::string(name), {}};
  for (size_t i = 0; i < fields.size(); ++i)
    if (values[i] && !IsDefault(fields[i], *values[i]))
      Add(fields[i].name, std::move(*values[i]), &result.fields);
  return result;
}

// The dimensions of one side: those that letters name, and the spatial ones.
struct Side {
  const char* letters;
  const char* first;  // fields that the letters are
  const char* second;
  const char* spatial;
};

constexpr Side kSides[] = {
    {"bf", "input_batch_dimension", "input_feature_dimension",
     "input_spatial_dimensions"},
    {"io", "kernel_input_feature_dimension", "kernel_output_feature_dimension",
     "kernel_spatial_dimensions"},
    {"bf", "output_batch_dimension", "output_feature_dimension",
     "output_spatial_dimensions"}};

// "[b, 0, 1, f]": at which position each dimension stands. `?` is a dimension
// that is none of them.
void ParseSide(Parser* parser, const Side& side, NamedAttributes* fields) {
  const Location begin = parser->token().location;
  parser->Expect('[');
  std::optional<int64_t> letters[2];
  std::map<int64_t, int64_t> spatial;
  for (int64_t position = 0; !parser->token().Is(']'); ++position) {
    if (position > 0) parser->Expect(',');
    parser->Spend(1);
    if (parser->Accept('?')) continue;
    const Token token = parser->token();
    bool is_new;
    if (parser->At(TokenKind::kInteger)) {
      is_new = spatial.emplace(parser->ParseInteger(), position).second;
    } else {
      const size_t letter =
          token.text.size() == 1
              ? std::string_view(side.letters).find(token.text[0])
              : std::string_view::npos;
      if (!parser->At(TokenKind::kWord) || letter == std::string_view::npos)
        parser->Expected(fmt::format("{}, {} or the number of a dimension",
                                     side.letters[0], side.letters[1]));
      parser->Take();
      is_new = !letters[letter];
      letters[letter] = position;
    }
    if (!is_new)
      Parser::Fail(token.location,
                   fmt::format("dimension {} is given twice", Quoted(token)));
  }
  parser->Take();
  const auto add = [&](const char* name, int64_t value) {
    Add(name, {IntegerAttribute{value, nullptr}}, fields);
  };
  for (const int i : {0, 1}) {
    if (!letters[i])
      Parser::Fail(begin,
                   fmt::format("dimension '{}' is not given", side.letters[i]));
    add(i == 0 ? side.first : side.second, *letters[i]);
  }
  ListAttribute list;
  for (const auto& [number, position] : spatial) {
    if (number != static_cast<int64_t>(list.elements.size()))
      Parser::Fail(begin, fmt::format("spatial dimension {} is not given",
                                      list.elements.size()));
    list.elements.push_back({IntegerAttribute{position, nullptr}});
  }
  if (!list.elements.empty()) Add(side.spatial, {std::move(list)}, fields);
}

}  // namespace

Attribute Parser::ParseConvolutionDimensions() {
  StructAttribute conv{"conv", {}};
  ParseSide(this, kSides[0], &conv.fields);
  ExpectWord("x");
  ParseSide(this, kSides[1], &conv.fields);
  if (!At(TokenKind::kArrow)) Expected("'->'");
  Take();
  ParseSide(this, kSides[2], &conv.fields);
  return {std::move(conv)};
}

bool IsStruct(std::string_view name) { return FieldsOf(name).has_value(); }

std::string StructOf(const std::vector<std::string>& fields) {
  std::string smallest;
  size_t size = SIZE_MAX;
  for (const auto& [name, known] : AllStructs()) {
    const auto is_known = [&known = known](const std::string& field) {
      return std::ranges::find(known, field, &Field::name) != known.end();
    };
    if (known.size() >= size || !std::ranges::all_of(fields, is_known))
      continue;
    smallest = name;
    size = known.size();
  }
  ASSAY_CHECK(!smallest.empty());
  return smallest;
}

void ArrangeFields(StructAttribute* attribute) {
  NamedAttributes arranged;
  const std::span<const Field> fields = *FieldsOf(attribute->name);
  for (const Field& field : fields) {
    const Attribute* value = Find(attribute->fields, field.name);
    if (value != nullptr && !IsDefault(field, *value))
      Add(field.name, *value, &arranged);
  }
  attribute->fields = std::move(arranged);
}

Attribute Parser::ParseStruct(std::string_view kind, Location location) {
  if (!token_.Is('<')) Expected("'<'");
  if (kind == "bounds") {
    StructAttribute bounds{"bounds", {}};
    Add("bounds", ParseDimensions(this, '<', '>'), &bounds.fields);
    return {std::move(bounds)};
  }
  if (kind == "result_accuracy_mode") {
    Take();
    EnumAttribute mode{"stablehlo", std::string(kind), {}, true};
    mode.value = ExpectKind(TokenKind::kWord, "the name of a constant").text;
    Expect('>');
    return {std::move(mode)};
  }
  const std::optional<std::span<const Field>> fields = FieldsOf(kind);
  if (!fields)
    Fail(location, fmt::format("attributes of the kind '#stablehlo.{}' are not "
                               "read",
                               EscapeLine(Cut(kind))));
  Take();
  Attribute value;
  if (kind == "conv" && token_.Is('[')) {
    value = ParseConvolutionDimensions();
  } else {
    if (kind == "conv") ExpectWord("raw");
    StructAttribute made = ParseFields(this, kind, *fields);
    // MLIR prints the older name as the newer one.
    if (kind == "type_extensions") made.name = "bounds";
    value = {std::move(made)};
  }
  Expect('>');
  return value;
}

}  // namespace assay::text
