#include "fuzz/proposals/exact_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>

#include "cases/read/data.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

double EpsilonOf(const Op& op) {
  const Attribute* const epsilon = op.FindAttribute("epsilon");
  if (epsilon == nullptr) return 0;
  const auto& value = std::get<Tensor>(epsilon->value);
  return F32::FromBits(static_cast<uint32_t>(value.Bits(0))).ToDouble();
}

// Returns the greatest magnitude of so many integers whose products with one
// another have exact sums, means and squares of differences from the mean.
int64_t MostOfTerms(ElementType type, int64_t count) {
  constexpr int64_t kMost = 8;
  const int bits_of_count = std::bit_width(static_cast<uint64_t>(count));
  const int bits = (FormatOf(type).precision() - 3 * bits_of_count) / 2 - 1;
  return std::clamp<int64_t>(bits < 0 ? 1 : int64_t{1} << std::min(bits, 8), 1,
                             kMost);
}

// Draws small integers by a power of two, of which some are zeros.
Tensor DrawTerms(Choices* choices, const TensorType& type) {
  const ElementType part = PartType(type.element_type);
  const int precision = FormatOf(part).precision();
  const uint32_t most = precision > 16 ? 8 : precision > 7 ? 2 : 1;
  const int power =
      precision > 4 ? static_cast<int>(choices->Below(Topic::kValues, 5)) - 2
                    : 0;
  const bool has_zeros = choices->OneIn(Topic::kValues, 2);
  const auto draw = [&] {
    if (has_zeros && choices->OneIn(Topic::kValues, 2))
      return BitsOfNumber(part, 0);
    const auto number =
        static_cast<int>(choices->Below(Topic::kValues, 2 * most + 1)) -
        static_cast<int>(most);
    return BitsOfNumber(part, std::ldexp(number, power));
  };
  Tensor values(type);
  for (int64_t i = 0; i < values.size(); ++i) {
    ElementBits bits = draw();
    if (IsComplex(type.element_type)) bits |= draw() << Info(part).bits;
    values.SetBits(i, bits);
  }
  return values;
}

}  // namespace

Shape WithPowersOfTwo(const Shape& shape) {
  Shape rounded = shape;
  for (int64_t& size : rounded)
    size = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(size)));
  return rounded;
}

Tensor DrawExactConstant(Choices* choices, const TensorType& type) {
  constexpr std::array kConstants = {0.0, 0.0, 0.25, 0.5, 1.0, 0x1p-10};
  Tensor value(type);
  for (int64_t i = 0; i < value.size(); ++i)
    value.SetBits(i, BitsOfNumber(type.element_type,
                                  choices->Of(Topic::kValues, kConstants)));
  return value;
}

std::optional<Tensor> DrawExactOperand(Choices* choices, const Op& op,
                                       const Op::Operand& operand) {
  const TensorType& type = operand.type.tensor();
  if (!IsFloat(type.element_type) && !IsComplex(type.element_type))
    return std::nullopt;
  const OpSpec& spec = *FindOp(op.op);
  if (spec.adds != kMeans) return DrawTerms(choices, type);
  const int64_t rows =
      std::max<int64_t>(*ElementCount(op.inputs[1].type.tensor().shape), 1);
  const int64_t count = *ElementCount(op.inputs[0].type.tensor().shape) / rows;
  const int64_t most = MostOfTerms(type.element_type, count);
  const bool is_radicand = spec.Input(operand.name)->is_radicand;
  const double epsilon = EpsilonOf(op);
  Tensor values(type);
  for (int64_t i = 0; i < values.size(); ++i) {
    const double number =
        is_radicand
            ? std::ldexp(
                  1.0,
                  2 * static_cast<int>(choices->Below(Topic::kValues, 4)) - 2) -
                  epsilon
            : static_cast<double>(choices->Below(
                  Topic::kValues, static_cast<uint32_t>(2 * most + 1))) -
                  static_cast<double>(most);
    values.SetBits(i, BitsOfNumber(type.element_type, number));
  }
  return values;
}

}  // namespace assay
