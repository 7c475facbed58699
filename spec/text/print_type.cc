// Types in MLIR's spelling.
#include <fmt/format.h>

#include <algorithm>

#include "spec/text/number.h"
#include "spec/text/print.h"

namespace assay::text {
namespace {

// As a float of f64, but never as bits, which no scale may be.
void AppendScale(double scale, std::string* out) {
  const size_t begin = out->size();
  AppendElement(ElementType::kF64, FloatBits(ElementType::kF64, scale), out);
  if (out->compare(begin, 2, "0x") != 0) return;
  out->resize(begin);
  *out += fmt::format("{:.16e}", scale);
}

void AppendQuantized(const Quantization& type, std::string* out) {
  std::string storage = Name(type.storage_type);
  if (storage[0] == 'u') storage.erase(1, 1);
  *out += "!quant.uniform<" + storage;
  if (type.storage_min != MinValue(type.storage_type) ||
      type.storage_max !=
          std::min<__int128>(MaxValue(type.storage_type), INT64_MAX))
    *out += fmt::format("<{}:{}>", type.storage_min, type.storage_max);
  *out += fmt::format(":{}", Name(type.expressed_type));
  if (type.dimension) *out += fmt::format(":{}", *type.dimension);
  const bool has_braces = type.dimension || type.scales.size() != 1;
  *out += has_braces ? ", {" : ", ";
  for (size_t i = 0; i < type.scales.size(); ++i) {
    if (i > 0) *out += ", ";
    AppendScale(type.scales[i], out);
    if (type.zero_points[i] != 0)
      *out += fmt::format(":{}", type.zero_points[i]);
  }
  *out += has_braces ? "}>" : ">";
}

}  // namespace

void AppendType(const Type& type, std::string* out) {
  switch (type.kind) {
    case Type::Kind::kTensor:
      if (!type.tensor.quantization && !type.encoding) {
        *out += type.tensor.ToString();
        return;
      }
      *out += "tensor<";
      for (const int64_t size : type.tensor.shape)
        *out += size == kDynamic ? "?x" : std::to_string(size) + "x";
      if (type.tensor.quantization) {
        AppendQuantized(*type.tensor.quantization, out);
      } else {
        *out += Name(type.tensor.element_type);
      }
      if (type.encoding) {
        *out += ", ";
        AppendAttribute(*type.encoding, false, out);
      }
      *out += '>';
      return;
    case Type::Kind::kToken:
      *out += "!stablehlo.token";
      return;
    case Type::Kind::kTuple:
      *out += "tuple<";
      AppendList(
          type.inputs, [&](const TypePtr& part) { AppendType(*part, out); },
          out);
      *out += '>';
      return;
    case Type::Kind::kFunction:
      AppendFunctionType(type.inputs, type.results, out);
      return;
    case Type::Kind::kScalar:
      *out += Name(type.tensor.element_type);
      return;
    case Type::Kind::kOther:
      *out += type.name;
      return;
  }
}

void AppendFunctionType(const std::vector<TypePtr>& inputs,
                        const std::vector<TypePtr>& results, std::string* out) {
  const auto append = [&](const TypePtr& type) { AppendType(*type, out); };
  *out += '(';
  AppendList(inputs, append, out);
  *out += ") -> ";
  const bool is_bare =
      results.size() == 1 && results[0]->kind != Type::Kind::kFunction;
  if (!is_bare) *out += '(';
  AppendList(results, append, out);
  if (!is_bare) *out += ')';
}

std::string TypeText(const Type& type) {
  std::string text;
  AppendType(type, &text);
  return text;
}

}  // namespace assay::text
