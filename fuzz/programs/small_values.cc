#include "fuzz/programs/small_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cases/read/draw_random.h"
#include "spec/types/element.h"

namespace assay {
namespace {

struct SmallRange {
  int least;
  uint32_t count;
};

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

}  // namespace

Tensor DrawSmallValues(Choices* choices, const TensorType& type) {
  constexpr std::array<SmallRange, 5> kRanges = {
      {{1, 4}, {1, 3}, {-4, 9}, {0, 8}, {-2, 5}}};
  const SmallRange range = choices->Of(Topic::kValues, kRanges);
  const bool has_special = choices->OneIn(Topic::kValues, 24);
  const ElementType element = type.element_type;
  Tensor values(type);
  for (int64_t i = 0; i < values.size(); ++i) {
    const int number = range.least + static_cast<int>(choices->Below(
                                         Topic::kValues, range.count));
    ElementBits bits = 0;
    if (has_special && !IsBoolean(element) &&
        choices->OneIn(Topic::kValues, 4)) {
      bits = IsInteger(element) ? DrawEnd(choices, element)
                                : BitsOfNumber(element, DrawSpecial(choices));
    } else if (IsInteger(element) || IsBoolean(element)) {
      const int width = IsBoolean(element) ? 1 : Info(element).bits;
      const ElementBits mask = (ElementBits{1} << std::min(width, 64)) - 1;
      bits = static_cast<ElementBits>(static_cast<__int128>(
                 IsUnsignedInteger(element) ? std::abs(number) : number)) &
             mask;
    } else {
      bits = BitsOfNumber(element, number);
    }
    values.SetBits(i, bits);
  }
  return values;
}

TensorType DrawSmallType(Choices* choices, int64_t most_elements) {
  constexpr std::array<int64_t, 8> kSizes = {2, 3, 4, 1, 5, 7, 8, 6};
  constexpr std::array<size_t, 10> kRanks = {1, 2, 2, 1, 2, 3, 1, 0, 3, 4};
  Shape shape;
  int64_t elements = 1;
  for (size_t left = choices->Of(Topic::kShape, kRanks); left > 0; --left) {
    const int64_t size =
        std::min(choices->Of(Topic::kShape, kSizes), most_elements / elements);
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
