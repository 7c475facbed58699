#include "fuzz/programs/small_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cases/read/draw_random.h"
#include "spec/types/element.h"
#include "spec/types/float_format.h"

namespace assay {
namespace {

struct SmallRange {
  int least;
  uint32_t count;
};

// This says what the elements of a tensor have in common.
enum class Manner : uint8_t { kSmall, kAllEqual, kFar, kSpecial };

// Integers are decided whatever they are, so that more of them are far.
Manner DrawManner(Choices* choices, ElementType type) {
  if (IsBoolean(type)) return Manner::kSmall;
  const uint32_t kind = choices->Below(Topic::kValues, 24);
  if (kind == 23) return Manner::kSpecial;
  if (kind >= (IsInteger(type) ? 15 : 20)) return Manner::kFar;
  return kind < 2 ? Manner::kAllEqual : Manner::kSmall;
}

double DrawSpecial(Choices* choices) {
  constexpr std::array kSpecial = {-0.0, static_cast<double>(INFINITY),
                                   static_cast<double>(-INFINITY),
                                   static_cast<double>(NAN)};
  return choices->Of(Topic::kValues, kSpecial);
}

// Returns the least or the greatest integer of the type.
ElementBits DrawEnd(Choices* choices, ElementType type) {
  const int bits = Info(type).bits;
  const ElementBits all = (ElementBits{1} << bits) - 1;
  const ElementBits top = ElementBits{1} << (bits - 1);
  const bool is_greatest = choices->OneIn(Topic::kValues, 2);
  if (!IsSignedInteger(type)) return is_greatest ? all : 0;
  return is_greatest ? all ^ top : top;
}

ElementBits BitsOfSmall(ElementType type, int number) {
  return BitsOfNumber(type,
                      IsUnsignedInteger(type) ? std::abs(number) : number);
}

// Returns an integer of any length, or one digit times a power of two that the
// type reaches.
ElementBits DrawFar(Choices* choices, ElementType type) {
  if (IsInteger(type)) {
    const auto bits = static_cast<uint32_t>(Info(type).bits);
    return choices->Bits(Topic::kValues) >>
           (64 - 1 - choices->Below(Topic::kValues, bits));
  }
  const int most = IsComplex(type) ? 100 : FormatOf(type).max_exponent();
  const int digit = 1 + static_cast<int>(choices->Below(Topic::kValues, 3));
  const int exponent = static_cast<int>(
      choices->Below(Topic::kValues, static_cast<uint32_t>(most) + 1));
  return BitsOfNumber(
      type,
      std::ldexp(choices->OneIn(Topic::kValues, 2) ? -digit : digit, exponent));
}

// The values are equal, and what is written in most programs.
Tensor DrawEqualValues(Choices* choices, const TensorType& type) {
  constexpr std::array kUsual = {0.0, 1.0, -0.0, -1.0, 2.0};
  const ElementBits bits =
      BitsOfNumber(type.element_type, choices->Of(Topic::kValues, kUsual));
  Tensor values(type);
  for (int64_t i = 0; i < values.size(); ++i) values.SetBits(i, bits);
  return values;
}

}  // namespace

Tensor DrawConstant(Choices* choices, const TensorType& type) {
  return choices->OneIn(Topic::kValues, 2) ? DrawEqualValues(choices, type)
                                           : DrawSmallValues(choices, type);
}

Tensor DrawSmallValues(Choices* choices, const TensorType& type) {
  constexpr std::array<SmallRange, 5> kRanges = {
      {{1, 4}, {1, 3}, {-4, 9}, {0, 8}, {-2, 5}}};
  const SmallRange range = choices->Of(Topic::kValues, kRanges);
  const ElementType element = type.element_type;
  const Manner manner = DrawManner(choices, element);
  if (manner == Manner::kAllEqual) return DrawEqualValues(choices, type);
  Tensor values(type);
  for (int64_t i = 0; i < values.size(); ++i) {
    const int number = range.least + static_cast<int>(choices->Below(
                                         Topic::kValues, range.count));
    ElementBits bits = BitsOfSmall(element, number);
    if (manner == Manner::kFar && !choices->OneIn(Topic::kValues, 4)) {
      bits = DrawFar(choices, element);
    } else if (manner == Manner::kSpecial &&
               choices->OneIn(Topic::kValues, 4)) {
      bits = IsInteger(element) ? DrawEnd(choices, element)
                                : BitsOfNumber(element, DrawSpecial(choices));
    }
    values.SetBits(i, bits);
  }
  return values;
}

TensorType DrawSmallType(Choices* choices, int64_t most_elements) {
  constexpr std::array<int64_t, 8> kSizes = {2, 3, 4, 1, 5, 7, 8, 6};
  constexpr std::array<size_t, 10> kRanks = {2, 1, 2, 3, 2, 1, 2, 0, 3, 4};
  Shape shape;
  int64_t elements = 1;
  for (size_t left = choices->Of(Topic::kShape, kRanks); left > 0; --left) {
    // Squares tell dimensions that were taken for one another.
    const bool is_square = !shape.empty() && choices->OneIn(Topic::kShape, 2);
    const int64_t size =
        std::min(is_square ? shape.back() : choices->Of(Topic::kShape, kSizes),
                 most_elements / elements);
    shape.push_back(size);
    elements *= size;
  }
  ElementType type = choices->Of(Topic::kTypes, ElementTypes()).type;
  const uint32_t usual = choices->Below(Topic::kTypes, 10);
  if (usual < 3) type = ElementType::kF32;
  if (usual >= 3 && usual < 6) type = ElementType::kI32;
  return {shape, type};
}

TensorType ScalarType(ElementType type) {
  TensorType scalar;
  scalar.element_type = type;
  return scalar;
}

Tensor ScalarNumber(ElementType type, int64_t value) {
  Tensor tensor(ScalarType(type));
  tensor.SetBits(0, BitsOf(type, value));
  return tensor;
}

}  // namespace assay
