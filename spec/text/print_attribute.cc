// Attributes in MLIR's spelling.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "spec/text/lexer.h"
#include "spec/text/number.h"
#include "spec/text/print.h"

namespace assay::text {
namespace {

// Lists with more elements are printed as blobs.
constexpr int64_t kMostListed = 100;

bool IsBareName(std::string_view name) {
  return !name.empty() && IsWordStart(name[0]) &&
         std::ranges::all_of(name, IsWordPart);
}

void AppendName(std::string_view name, std::string* out) {
  if (IsBareName(name)) {
    *out += name;
  } else {
    AppendQuoted(name, out);
  }
}

void AppendHex(const Tensor& tensor, std::string* out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto* bytes = reinterpret_cast<const unsigned char*>(tensor.data());
  *out += "\"0x";
  const size_t begin = out->size();
  out->resize(begin + 2 * static_cast<size_t>(tensor.byte_size()));
  char* digits = out->data() + begin;
  for (int64_t i = 0; i < tensor.byte_size(); ++i) {
    *digits++ = kDigits[bytes[i] >> 4];
    *digits++ = kDigits[bytes[i] & 15];
  }
  *out += '"';
}

void AppendTensorElement(const Tensor& tensor, int64_t i, std::string* out) {
  const ElementType type = tensor.element_type();
  const ElementBits bits = tensor.Bits(i);
  if (!IsComplex(type)) return AppendElement(type, bits, out);
  *out += '(';
  AppendElement(PartType(type), PartOf(type, bits, 0), out);
  *out += ',';
  AppendElement(PartType(type), PartOf(type, bits, 1), out);
  *out += ')';
}

bool IsSplat(const Tensor& tensor) {
  const auto bytes = static_cast<size_t>(tensor.byte_size());
  const auto one = static_cast<size_t>(Info(tensor.element_type()).bytes);
  return bytes > 0 &&
         std::memcmp(tensor.data(), tensor.data() + one, bytes - one) == 0;
}

void AppendDense(const Tensor& tensor, std::string* out) {
  const Shape& shape = tensor.type().shape;
  *out += "dense<";
  if (tensor.size() == 0) {
  } else if (IsSplat(tensor)) {
    AppendTensorElement(tensor, 0, out);
  } else if (tensor.size() > kMostListed) {
    AppendHex(tensor, out);
  } else {
    // Brackets open and close where the counters of dimensions are 0.
    for (int64_t i = 0; i < tensor.size(); ++i) {
      int64_t row = 1;
      size_t opens = 0;
      for (size_t d = shape.size(); d-- > 0 && i % (row *= shape[d]) == 0;)
        ++opens;
      if (i > 0) *out += std::string(opens, ']') + ", ";
      out->append(opens, '[');
      AppendTensorElement(tensor, i, out);
    }
    out->append(shape.size(), ']');
  }
  *out += "> : ";
  *out += tensor.type().ToString();
}

void AppendArray(const Tensor& tensor, std::string* out) {
  *out += fmt::format("array<{}", Name(tensor.element_type()));
  for (int64_t i = 0; i < tensor.size(); ++i) {
    *out += i == 0 ? ": " : ", ";
    AppendTensorElement(tensor, i, out);
  }
  *out += '>';
}

// "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", or "raw .." where dimensions have
// gaps or stand twice.
bool AppendConvolution(const NamedAttributes& fields, std::string* out) {
  constexpr const char* kSides[3][4] = {
      {"input_spatial_dimensions", "input_batch_dimension",
       "input_feature_dimension", "bf"},
      {"kernel_spatial_dimensions", "kernel_input_feature_dimension",
       "kernel_output_feature_dimension", "io"},
      {"output_spatial_dimensions", "output_batch_dimension",
       "output_feature_dimension", "bf"}};
  std::string text;
  for (const int side : {0, 1, 2}) {
    const auto& [spatial, first, second, letters] = kSides[side];
    std::vector<std::pair<int64_t, std::string>> places;
    if (const Attribute* list = Find(fields, spatial))
      for (const Attribute& element : list->As<ListAttribute>()->elements)
        places.emplace_back(element.As<IntegerAttribute>()->value,
                            std::to_string(places.size()));
    for (const int i : {0, 1}) {
      const Attribute* place = Find(fields, i == 0 ? first : second);
      if (place == nullptr) return false;
      places.emplace_back(place->As<IntegerAttribute>()->value,
                          std::string(1, letters[i]));
    }
    std::ranges::sort(places);
    text += side == 0 ? "[" : side == 1 ? "x[" : "->[";
    int64_t next = 0;
    bool is_first = true;
    for (const auto& [place, name] : places) {
      // `?` for a dimension that is none of them; few are left out.
      if (place < next || place > static_cast<int64_t>(kMaxRank)) return false;
      for (; next < place; ++next) {
        text += is_first ? "?" : ", ?";
        is_first = false;
      }
      if (!is_first) text += ", ";
      is_first = false;
      text += name;
      ++next;
    }
    text += ']';
  }
  *out += text;
  return true;
}

void AppendStruct(const StructAttribute& value, std::string* out) {
  *out += "#stablehlo." + value.name + "<";
  if (value.name == "bounds") {
    const Attribute* const bounds = Find(value.fields, "bounds");
    if (bounds != nullptr)
      AppendList(
          bounds->As<ListAttribute>()->elements,
          [&](const Attribute& element) {
            const int64_t size = element.As<IntegerAttribute>()->value;
            *out += size == kDynamic ? "?" : std::to_string(size);
          },
          out);
  } else if (value.name != "conv" || !AppendConvolution(value.fields, out)) {
    if (value.name == "conv") *out += "raw ";
    AppendList(
        value.fields,
        [&](const NamedAttribute& field) {
          *out += field.name + " = ";
          AppendAttribute(*field.value, true, out);
        },
        out);
  }
  *out += '>';
}

struct AttributeAppender {
  bool in_list;
  std::string* out;

  void operator()(const UnitAttribute&) const { *out += "unit"; }
  void operator()(bool value) const { *out += value ? "true" : "false"; }
  void operator()(const IntegerAttribute& integer) const {
    const bool is_i64 =
        !integer.type ||
        (integer.type->kind == Type::Kind::kScalar &&
         integer.type->tensor.element_type == ElementType::kI64);
    const bool is_unsigned =
        integer.type && integer.type->kind == Type::Kind::kScalar &&
        IsUnsignedInteger(integer.type->tensor.element_type);
    *out += is_unsigned ? std::to_string(static_cast<uint64_t>(integer.value))
                        : std::to_string(integer.value);
    if (is_i64 && in_list) return;
    *out += " : ";
    if (is_i64) {
      *out += "i64";
    } else {
      AppendType(*integer.type, out);
    }
  }
  void operator()(const FloatAttribute& number) const {
    const size_t begin = out->size();
    AppendElement(number.type, number.bits, out);
    const bool is_hex = out->compare(begin, 2, "0x") == 0;
    if (number.type == ElementType::kF64 && in_list && !is_hex) return;
    *out += fmt::format(" : {}", Name(number.type));
  }
  void operator()(const StringAttribute& string) const {
    AppendQuoted(string.value, out);
    if (!string.type) return;
    *out += " : ";
    AppendType(*string.type, out);
  }
  void operator()(const SymbolAttribute& symbol) const {
    for (size_t i = 0; i < symbol.path.size(); ++i) {
      *out += i == 0 ? "@" : "::@";
      AppendName(symbol.path[i], out);
    }
  }
  void operator()(const TypePtr& type) const { AppendType(*type, out); }
  void operator()(const ListAttribute& list) const {
    *out += '[';
    AppendList(
        list.elements,
        [&](const Attribute& element) { AppendAttribute(element, true, out); },
        out);
    *out += ']';
  }
  void operator()(const DictionaryAttribute& dictionary) const {
    std::vector<const NamedAttribute*> entries;
    for (const NamedAttribute& entry : dictionary.entries)
      entries.push_back(&entry);
    AppendDictionary(entries, out);
  }
  void operator()(const DenseAttribute& dense) const {
    if (dense.is_array) {
      AppendArray(dense.elements, out);
    } else {
      AppendDense(dense.elements, out);
    }
  }
  void operator()(const EnumAttribute& constant) const {
    *out += constant.is_dotted ? fmt::format("#{}.{}<{}>", constant.dialect,
                                             constant.kind, constant.value)
                               : fmt::format("#{}<{} {}>", constant.dialect,
                                             constant.kind, constant.value);
  }
  void operator()(const StructAttribute& value) const {
    AppendStruct(value, out);
  }
  void operator()(const OpaqueAttribute& opaque) const { *out += opaque.text; }
};

}  // namespace

void AppendAttribute(const Attribute& attribute, bool in_list,
                     std::string* out) {
  std::visit(AttributeAppender{in_list, out}, attribute.value);
}

void AppendDictionary(const std::vector<const NamedAttribute*>& entries,
                      std::string* out) {
  *out += '{';
  AppendList(
      entries,
      [&](const NamedAttribute* entry) {
        AppendName(entry->name, out);
        if (entry->value->As<UnitAttribute>() != nullptr) return;
        *out += " = ";
        AppendAttribute(*entry->value, false, out);
      },
      out);
  *out += '}';
}

void AppendQuoted(std::string_view bytes, std::string* out) {
  *out += '"';
  for (const char c : bytes) {
    if (c == '\\') {
      *out += "\\\\";
    } else if (c >= ' ' && c <= '~' && c != '"') {
      *out += c;
    } else {
      *out += fmt::format("\\{:02X}", static_cast<unsigned char>(c));
    }
  }
  *out += '"';
}

std::string AttributeText(const Attribute& attribute) {
  std::string text;
  AppendAttribute(attribute, false, &text);
  return text;
}

}  // namespace assay::text
