// Boundary values are those at which kernels break.
#include <algorithm>
#include <map>
#include <set>

#include "cases/read/data.h"

namespace assay {
namespace {

std::vector<ElementBits> Integers(ElementType type) {
  const __int128 min = MinValue(type), max = MaxValue(type);
  std::set<__int128> values;
  const auto add = [&](__int128 value) {
    for (__int128 v : {value - 1, value, value + 1}) {
      if (min <= v && v <= max) values.insert(v);
    }
  };
  for (__int128 end : {min, max, __int128{0}}) add(end);
  for (int width : {2, 4, 8, 16, 32, 64}) {
    add(width);
    add(-width);
    add(__int128{1}
        << (width - 1));  // the first value that a narrower type does not have
    add(__int128{1} << width);
    add(-(__int128{1} << (width - 1)));
  }
  const __int128 alternating = static_cast<__int128>(0x5555555555555555) & max;
  add(alternating);
  add(min < 0 ? -alternating : max - alternating);
  std::vector<ElementBits> bits;
  for (const __int128 value : values) bits.push_back(BitsOf(type, value));
  return bits;
}

// Collects bit patterns in the order in which they are first added.
template <class T>
class FloatBits {
 public:
  // Adds the pattern and its neighbours, with both signs.
  void AddAround(uint64_t magnitude) {
    const auto both = [&](uint64_t code) {
      if (code > T::kFormat.magnitude_mask()) return;
      Add(code);
      Add(code | T::kFormat.sign_bit());
    };
    both(magnitude);
    if (magnitude > 0) both(magnitude - 1);
    both(magnitude + 1);
  }
  void AddAround(double value) {
    const Rounded<T> rounded = T::Round(value);
    if (rounded.unencodable == Unencodable::kNot && !rounded.value.IsInfinite())
      AddAround(rounded.value.magnitude());
  }
  std::vector<ElementBits> Take() { return std::move(bits_); }

 private:
  void Add(uint64_t code) {
    if (std::ranges::find(bits_, code) == bits_.end()) bits_.push_back(code);
  }
  std::vector<ElementBits> bits_;
};

template <class T>
std::vector<ElementBits> Floats() {
  constexpr FloatFormat kFormat = T::kFormat;
  FloatBits<T> bits;
  bits.AddAround(uint64_t{0});
  bits.AddAround(kFormat.min_normal_code());
  bits.AddAround(kFormat.max_code());
  if (kFormat.has_nan()) {
    bits.AddAround(kFormat.nan_code());
    bits.AddAround(kFormat.magnitude_mask());  // a NaN with every payload bit
  }
  // A payload in the f32 bits that bf16 drops is lost, or the NaN becomes an
  // infinity.
  if (kFormat.has_infinity()) bits.AddAround(kFormat.infinity_code() + 1);
  for (double value : {1.0, 0.5, 1.5, 2.5, 2.0, 3.0, 7.5, 10.0, 1.0 / 3})
    bits.AddAround(value);
  // These powers of two are where integers begin to have no fraction, and where
  // each integer type ends.
  for (int power : {kFormat.mantissa_bits - 1, kFormat.mantissa_bits,
                    kFormat.precision(), 7, 8, 15, 16, 31, 32, 63, 64})
    bits.AddAround(std::ldexp(1.0, power));
  // The squares of these overflow and underflow.
  bits.AddAround(std::ldexp(1.0, kFormat.max_exponent() / 2));
  bits.AddAround(std::ldexp(1.0, kFormat.min_exponent() / 2));
  return bits.Take();
}

template <class C>
std::vector<ElementBits> Pairs() {
  using E = typename C::Part;
  const E one = E::Round(1.0).value, third = E::Round(1.0 / 3).value;
  const std::vector<E> parts = {
      E::Zero(false),
      E::Zero(true),
      one,
      -one,
      third,
      E::Max(true),
      E::FromBits(1),
      E::Infinity(false),
      E::Infinity(true),
      E::Nan(),
      E::FromBits(static_cast<typename E::Bits>(
          E::kFormat.sign_bit() | (E::kFormat.infinity_code() + 1)))};
  std::vector<ElementBits> bits;
  for (const E re : parts) {
    for (const E im : parts) bits.push_back(C(re, im).ToBits());
  }
  return bits;
}

}  // namespace

const std::vector<ElementBits>& BoundaryBits(ElementType type) {
  // The values of all types are made at once, because every draw needs them.
  static const std::map<ElementType, std::vector<ElementBits>> all = [] {
    std::map<ElementType, std::vector<ElementBits>> bits;
    for (const ElementTypeInfo& info : ElementTypes()) {
      bits[info.type] = VisitElementType(info.type, [&]<class T>() {
        if constexpr (T::kKind == ElementKind::kComplex) {
          return Pairs<T>();
        } else if constexpr (T::kKind == ElementKind::kFloat) {
          return Floats<T>();
        } else {
          return Integers(info.type);
        }
      });
    }
    return bits;
  }();
  return all.at(type);
}

}  // namespace assay
