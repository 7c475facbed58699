#include "fuzz/shrink/cost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "fuzz/shrink/program_edit.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

constexpr int64_t kFraction = 1 << 20, kOtherFloat = 1 << 28,
                  kMinusZero = 1 << 29, kInfinity = 1 << 30,
                  kNan = int64_t{1} << 31, kSubnormal = int64_t{1} << 32;

template <class T>
int64_t FloatCost(T value) {
  if (value.IsNan()) return kNan + (value.SignBit() ? 1 : 0);
  if (value.IsInfinite()) return kInfinity + (value.SignBit() ? 1 : 0);
  if (value.IsZero()) return value.SignBit() ? kMinusZero : 0;
  const double number = value.ToDouble();
  const double magnitude = std::fabs(number);
  const int64_t sign = number < 0 ? 1 : 0;
  if (magnitude == std::floor(magnitude) && magnitude < 1024)
    return 2 * static_cast<int64_t>(magnitude) - 1 + sign;
  if (magnitude < std::ldexp(1.0, T::kFormat.min_exponent()))
    return kSubnormal + sign;
  const uint64_t mantissa =
      static_cast<uint64_t>(value.ToBits()) & T::kFormat.mantissa_mask();
  // The length is that from the first to the last bit that is set, because
  // short numbers are simpler.
  const int length =
      mantissa == 0 ? 0 : T::kFormat.mantissa_bits - std::countr_zero(mantissa);
  const int64_t exponent = std::abs(std::ilogb(magnitude));
  return (exponent < 16 ? kFraction : kOtherFloat) + length * 16384 +
         exponent * 4 + 2 * std::popcount(mantissa) + sign;
}

int64_t AttributeCost(const Attribute& attribute) {
  int64_t cost = 1;
  const Tensor* tensor = std::get_if<Tensor>(&attribute.value);
  for (int64_t i = 0; tensor != nullptr && i < tensor->size(); ++i)
    cost +=
        1 + std::min<int64_t>(
                ValueCost(tensor->element_type(), tensor->Bits(i)), 1 << 20);
  return cost;
}

int64_t LayoutCost(const Layout& layout, const Shape& shape) {
  int64_t cost =
      layout.offset != 0 ? 1 + std::min<int64_t>(layout.offset, 100) : 0;
  const Strides plain = RowMajorStrides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (layout.strides[d] == plain[d]) continue;
    cost += 1000;
    if (layout.strides[d] < 0) cost += 300;
    cost += std::min<int64_t>(std::abs(layout.strides[d] - plain[d]), 200);
  }
  return cost;
}

}  // namespace

int64_t ValueCost(ElementType type, ElementBits bits) {
  return VisitElementType(type, [&]<class T>() -> int64_t {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    if constexpr (T::kKind == ElementKind::kFloat) {
      return FloatCost(value);
    } else if constexpr (T::kKind == ElementKind::kComplex) {
      return FloatCost(value.real()) + FloatCost(value.imag());
    } else {
      const auto number = static_cast<__int128>(value.value());
      const __int128 cost = number > 0 ? 2 * number - 1 : -2 * number;
      return static_cast<int64_t>(std::min<__int128>(cost, INT64_MAX / 4096));
    }
  });
}

int64_t TypeCost(ElementType type) {
  using enum ElementType;
  constexpr std::array kOrder = {kI32, kF32,  kUi32, kI8,  kI16, kI64,
                                 kUi8, kUi16, kUi64, kF64, kF16, kBF16};
  const auto it = std::ranges::find(kOrder, type);
  return it != kOrder.end() ? it - kOrder.begin()
                            : 100 + static_cast<int64_t>(type);
}

Cost CostOf(const Case& c, bool is_variant) {
  const Function& main = c.program.main();
  Cost cost = {static_cast<int64_t>(c.after.size()), CountOps(main)};
  cost[1] = 2 * cost[1] + (is_variant ? 1 : 0);
  const auto add_type = [&](const TensorType& type) {
    cost[2] += static_cast<int64_t>(type.shape.size());
    int64_t elements = 1;
    for (const int64_t size : type.shape)
      elements = std::min<int64_t>(elements * size, int64_t{1} << 40);
    cost[3] += elements;
    // Among shapes of as many elements, those with small sizes are simpler.
    for (const int64_t size : type.shape) cost[3] += size;
  };
  for (const TypedName& input : main.inputs) {
    add_type(input.type);
    cost[6] += TypeCost(input.type.tensor().element_type);
  }
  // Returned values, and those of control ops and their functions, count as a
  // dimension each.
  cost[2] += static_cast<int64_t>(main.results.size());
  Program copy = c.program;
  for (const Function* function : FunctionsOf(&copy)) {
    for (const Op& op : function->body) {
      if (FindOp(op.op)->control)
        cost[2] += static_cast<int64_t>(op.inputs.size() + op.outputs.size() +
                                        op.regions.size());
      for (const Op::Result& result : op.outputs) {
        add_type(result.type);
        cost[4] += result.in_place ? 2000 : 0;
        cost[6] += TypeCost(result.type.tensor().element_type);
      }
      for (const Op::Operand& operand : op.inputs) cost[5] += operand.is_scalar;
      for (const Attribute& attribute : op.attributes)
        cost[5] += AttributeCost(attribute);
    }
  }
  for (const CaseInput& input : c.inputs) {
    cost[4] += LayoutCost(input.layout, input.data.type.shape);
    const Tensor values = input.data.Materialise();
    std::set<ElementBits> distinct;
    for (int64_t i = 0; i < values.size(); ++i) {
      const ElementBits bits = values.Bits(i);
      distinct.insert(bits);
      cost[8] += std::min<int64_t>(ValueCost(values.element_type(), bits),
                                   int64_t{1} << 42);
    }
    cost[7] += static_cast<int64_t>(distinct.size());
  }
  for (const auto& [value, layout] : c.output_layouts) {
    for (const Op& op : main.body) {
      for (const Op::Result& result : op.outputs) {
        if (result.value == value)
          cost[4] += LayoutCost(layout, result.type.tensor().shape);
      }
    }
  }
  return cost;
}

}  // namespace assay
