#include "fuzz/shrink/simpler_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fuzz/draw/values.h"
#include "fuzz/shrink/cost.h"

namespace assay {
namespace {

template <class T>
void AddFloats(T value, std::vector<T>* simpler) {
  for (const double number : {0.0, 1.0, -1.0, 2.0, 3.0, 0.5, 1.5, -0.5})
    simpler->push_back(T::Round(number).value);
  if (value.IsNan()) return simpler->push_back(T::Nan());
  simpler->push_back(T::Zero(true));
  if (value.IsInfinite()) return;
  const double number = value.ToDouble();
  simpler->push_back(T::Round(std::trunc(number)).value);
  simpler->push_back(T::Round(-number).value);
  // The power of two comes first, then more and more of the mantissa.
  const auto bits = static_cast<uint64_t>(value.ToBits());
  const uint64_t mask = T::kFormat.mantissa_mask();
  for (int kept = 0; kept < T::kFormat.mantissa_bits;
       kept = kept < 4 ? kept + 1 : kept * 2) {
    const uint64_t cleared = mask >> kept;
    simpler->push_back(
        T::FromBits(static_cast<typename T::Bits>(bits & ~cleared)));
  }
  // The exponent becomes 0, half of the number's, three quarters of it, ..
  if (number == 0) return;
  for (int step = std::ilogb(number); step != 0; step /= 2)
    simpler->push_back(T::Round(std::ldexp(number, -step)).value);
}

template <class T>
void AddIntegers(T value, std::vector<ElementBits>* simpler) {
  const auto number = static_cast<__int128>(value.value());
  const auto add = [&](__int128 other) {
    const T wrapped = T::FromBits(static_cast<typename T::Bits>(other));
    if (static_cast<__int128>(wrapped.value()) == other)
      simpler->push_back(wrapped.ToBits());
  };
  for (const int small : {0, 1, -1, 2, 3, 4}) add(small);
  add(-number);
  for (__int128 step = number / 2; step != 0; step /= 2) add(number - step);
  add(number > 0 ? number - 1 : number + 1);
}

Strides Dense(const Layout& layout, const Shape& shape, int64_t step) {
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::abs(layout.strides[a]) < std::abs(layout.strides[b]);
  });
  Strides strides(shape.size());
  int64_t stride = step;
  for (const size_t d : order) {
    if (layout.strides[d] == 0) continue;
    strides[d] = layout.strides[d] < 0 ? -stride : stride;
    stride *= std::max<int64_t>(shape[d], 1);
  }
  return strides;
}

Layout Placed(Strides strides, const Shape& shape) {
  Layout layout{std::move(strides), 0};
  layout.offset = -layout.ExtentOf(shape)->below;
  return layout;
}

}  // namespace

std::vector<ElementBits> SimplerBits(ElementType type, ElementBits bits) {
  std::vector<ElementBits> simpler;
  VisitElementType(type, [&]<class T>() {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    if constexpr (T::kKind == ElementKind::kFloat) {
      std::vector<T> values;
      AddFloats(value, &values);
      for (const T other : values) simpler.push_back(other.ToBits());
    } else if constexpr (T::kKind == ElementKind::kComplex) {
      using Part = typename T::Part;
      std::vector<Part> parts;
      AddFloats(value.real(), &parts);
      for (const Part part : parts)
        simpler.push_back(T(part, value.imag()).ToBits());
      parts.clear();
      AddFloats(value.imag(), &parts);
      for (const Part part : parts)
        simpler.push_back(T(value.real(), part).ToBits());
    } else if constexpr (T::kKind == ElementKind::kBoolean) {
      simpler.push_back(0);
    } else {
      AddIntegers(value, &simpler);
    }
  });
  const int64_t cost = ValueCost(type, bits);
  std::erase_if(simpler, [&](ElementBits other) {
    return ValueCost(type, other) >= cost;
  });
  std::ranges::stable_sort(
      simpler, {}, [&](ElementBits other) { return ValueCost(type, other); });
  simpler.erase(std::unique(simpler.begin(), simpler.end()), simpler.end());
  return simpler;
}

ElementBits BitsOfOne(ElementType type) { return BitsOfNumber(type, 1); }

std::vector<Layout> SimplerLayouts(const Layout& layout, const Shape& shape) {
  std::vector<Layout> layouts;
  layouts.push_back(Placed(Dense(layout, shape, 1), shape));
  Layout positive = layouts.back();
  for (int64_t& stride : positive.strides) stride = std::abs(stride);
  positive.offset = 0;
  layouts.push_back(positive);
  for (size_t d = 0; d < shape.size(); ++d) {
    Layout turned = layouts.front();
    turned.strides[d] = std::abs(turned.strides[d]);
    layouts.push_back(Placed(turned.strides, shape));
  }
  layouts.push_back(Placed(Dense(layout, shape, 2), shape));
  if (!shape.empty()) {
    Shape padded = shape;
    padded.back() += 1;
    layouts.push_back({RowMajorStrides(padded), 0});
  }
  return layouts;
}

}  // namespace assay
