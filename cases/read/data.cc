// Elements are literal or drawn. Draws are integer arithmetic on Philox output,
// so that they are the same on every machine.
#include "cases/read/data.h"

#include <fmt/format.h>

#include <optional>

#include "cases/read/float_literal.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// Returns the text of a value that is not of the expected kind.
std::string FoundText(const Json& json) { return Cut(TextOf(json)); }

// Returns the bits of one element, or nullopt and the reason in `*reason`.
std::optional<ElementBits> ParseBitPattern(const std::string& text,
                                           ElementType type,
                                           std::string* reason) {
  const size_t digits = static_cast<size_t>((Info(type).bits + 3) / 4);
  if (text.size() != digits + 2 ||
      text.find_first_not_of("0123456789abcdefABCDEF", 2) !=
          std::string::npos) {
    *reason = fmt::format(
        "'{}' is not a bit pattern of {}: 0x and {} hexadecimal digit(s)",
        Cut(text), Name(type), digits);
    return std::nullopt;
  }
  const ElementBits bits = std::stoull(text.substr(2), nullptr, 16);
  if (bits <= BitMask(type)) return bits;
  *reason = fmt::format("'{}' has more bits than {}", Cut(text), Name(type));
  return std::nullopt;
}

std::optional<ElementBits> ParseElement(const Json& json, ElementType type,
                                        std::string* reason) {
  if (IsBoolean(type)) {
    if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
    *reason = fmt::format("expected true or false, found {}", FoundText(json));
    return std::nullopt;
  }
  if (IsComplex(type)) {
    if (!json.is_array() || json.size() != 2) {
      *reason =
          fmt::format("expected [real, imaginary], found {}", FoundText(json));
      return std::nullopt;
    }
    const ElementType part = PartType(type);
    const auto real = ParseElement(json[0], part, reason);
    const auto imag = ParseElement(json[1], part, reason);
    if (!real || !imag) return std::nullopt;
    return *imag << Info(part).bits | *real;
  }
  if (json.is_string() &&
      json.get_ref<const std::string&>().starts_with("0x") &&
      json.get_ref<const std::string&>().find_first_of("pP.") ==
          std::string::npos)
    return ParseBitPattern(json.get_ref<const std::string&>(), type, reason);
  if (IsFloat(type)) {
    if (json.is_number() || json.is_string())
      return ParseFloatLiteral(TextOf(json), type, reason);
    *reason =
        fmt::format("{} is not a floating-point literal", FoundText(json));
    return std::nullopt;
  }
  if (!json.is_number_integer()) {
    *reason = fmt::format("{} is not an integer of 64 bits or a bit pattern",
                          FoundText(json));
    return std::nullopt;
  }
  const __int128 value = json.is_number_unsigned()
                             ? static_cast<__int128>(json.get<uint64_t>())
                             : static_cast<__int128>(json.get<int64_t>());
  if (value >= MinValue(type) && value <= MaxValue(type))
    return BitsOf(type, value);
  *reason = fmt::format("{} is out of range for {} [{}, {}]", FoundText(json),
                        Name(type), FormatInteger(MinValue(type)),
                        FormatInteger(MaxValue(type)));
  return std::nullopt;
}

// Returns the bits at each index of the enumerated dimension; empty if they are
// the index itself.
std::vector<ElementBits> TableOf(ElementType type, DrawEvery::Kind kind) {
  if (kind == DrawEvery::Kind::kBits) return {};
  if (kind == DrawEvery::Kind::kBoundary) return BoundaryBits(type);
  const std::vector<ElementBits>& grid = GridBits(type);
  const int64_t size = static_cast<int64_t>(grid.size());
  std::vector<ElementBits> scattered;
  for (int64_t i = 0; i < size; ++i)
    scattered.push_back(grid[static_cast<size_t>(GridIndex(i, size))]);
  return scattered;
}

Tensor EnumerateElements(const TensorType& type, const Window& window,
                         const DrawEvery& draw) {
  Tensor tensor(type);
  if (tensor.size() == 0) return tensor;
  const std::vector<ElementBits> table = TableOf(type.element_type, draw.kind);
  int64_t step = 1;  // elements between two indices of the dimension
  for (size_t d = draw.dimension + 1; d < window.shape.size(); ++d)
    step *= window.shape[d];
  const int64_t indices = window.shape[draw.dimension];
  int64_t index = window.begin / step % indices;
  int64_t left = step - window.begin % step;  // before the next index
  for (int64_t i = 0; i < tensor.size(); ++i) {
    const uint64_t at = static_cast<uint64_t>(index);
    tensor.SetBits(i, table.empty() ? at : table[at % table.size()]);
    if (--left > 0) continue;
    left = step;
    if (++index == indices) index = 0;
  }
  return tensor;
}

InputData ParseBelow(const JsonView& draw, const TensorType& type) {
  draw.RequireObject({"seed", "below", "sorted"});
  const JsonView below = draw.At("below");
  const auto bound = static_cast<uint64_t>(below.Integer(1, INT64_MAX));
  const ElementType element = type.element_type;
  if (!IsInteger(element))
    below.Fail(fmt::format("{} has no indices, only integer types have",
                           Name(element)));
  if (static_cast<__int128>(bound) - 1 > MaxValue(element))
    below.Fail(fmt::format("{} has no {}", Name(element), bound - 1));
  const std::optional<JsonView> sorted = draw.Find("sorted");
  return {
      type,
      DrawBelow{static_cast<uint64_t>(draw.At("seed").Integer(0, INT64_MAX)),
                bound, sorted && sorted->Bool()}};
}

}  // namespace

ElementBits BitMask(ElementType type) {
  const int bits = Info(type).bits;
  return bits == 128 ? ~ElementBits{0} : (ElementBits{1} << bits) - 1;
}

Tensor ParseElements(const JsonView& array, const TensorType& type) {
  const int64_t size = static_cast<int64_t>(array.RequireArray().size());
  const int64_t count = *ElementCount(type.shape);
  if (size != count) {
    array.Fail(fmt::format("{} element(s), but {} has {}", size,
                           type.ToString(), count));
  }
  Tensor tensor(type);
  std::string reason;
  for (int64_t i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i);
    const auto bits =
        ParseElement(array.json()[at], type.element_type, &reason);
    if (!bits) array.Elements()[at].Fail(reason);
    tensor.SetBits(i, *bits);
  }
  return tensor;
}

Tensor ParseScalar(const JsonView& value, const TensorType& type) {
  std::string reason;
  const auto bits = ParseElement(value.json(), type.element_type, &reason);
  if (!bits) value.Fail(reason);
  Tensor tensor(type);
  tensor.SetBits(0, *bits);
  return tensor;
}

InputData ParseInputData(const JsonView& object, const TensorType& type) {
  const std::optional<JsonView> data = object.Find("data"),
                                draw = object.Find("draw");
  if (data && draw) object.Fail("either 'data' or 'draw', not both");
  if (!data && !draw) object.Fail("the field 'data' (or 'draw') is missing");
  if (data) return {type, ParseElements(*data, type)};
  draw->RequireObject(
      {"seed", "profile", "every", "dimension", "below", "sorted"});
  if (draw->Find("below")) return ParseBelow(*draw, type);
  if (draw->Find("every")) {
    draw->RequireObject({"every", "dimension"});
    const std::string every = draw->At("every").String();
    if (every != "bits" && every != "boundary" && every != "grid")
      draw->At("every").Fail("expected \"bits\", \"boundary\" or \"grid\"");
    if (every == "grid" && GridBits(type.element_type).empty())
      draw->At("every").Fail(fmt::format(
          "there is no grid of {}, only of floats", Name(type.element_type)));
    const JsonView dimension = draw->At("dimension");
    if (type.shape.empty())
      dimension.Fail("a tensor of rank 0 has no dimension to enumerate");
    const size_t d = static_cast<size_t>(
        dimension.Integer(0, static_cast<int64_t>(type.shape.size()) - 1));
    if (every == "bits" && type.shape[d] > 0 &&
        static_cast<ElementBits>(type.shape[d] - 1) >
            BitMask(type.element_type)) {
      dimension.Fail(fmt::format(
          "dimension {} has {} indices, more than {} has bit patterns", d,
          type.shape[d], Name(type.element_type)));
    }
    return {type, DrawEvery{every == "bits"       ? DrawEvery::Kind::kBits
                            : every == "boundary" ? DrawEvery::Kind::kBoundary
                                                  : DrawEvery::Kind::kGrid,
                            d}};
  }
  draw->RequireObject({"seed", "profile"});
  const std::string profile = draw->At("profile").String();
  const auto known = std::ranges::find(kProfileNames, profile);
  if (known == kProfileNames.end())
    draw->At("profile").Fail(
        "expected \"uniform\", \"boundary\" or \"ordinary\"");
  return {type,
          DrawRandom{
              static_cast<uint64_t>(draw->At("seed").Integer(0, INT64_MAX)),
              static_cast<DrawRandom::Profile>(known - kProfileNames.begin())}};
}

Tensor InputData::Materialise() const {
  const Window part = window.value_or(Window{type.shape, 0});
  if (const Tensor* literal = std::get_if<Tensor>(&source)) {
    if (!window) return *literal;
    Tensor slice(type);
    for (int64_t i = 0; i < slice.size(); ++i)
      slice.SetBits(i, literal->Bits(part.begin + i));
    return slice;
  }
  if (const DrawRandom* random = std::get_if<DrawRandom>(&source))
    return DrawElements(type, part.begin, *random);
  if (const DrawBelow* below = std::get_if<DrawBelow>(&source))
    return DrawElements(type, part.begin, *below);
  return EnumerateElements(type, part, std::get<DrawEvery>(source));
}

}  // namespace assay
