// Bits to values and text, for the places that are not loops.
#include "spec/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace assay {

uint64_t LoadBits(ElementType type, const void* element) {
  ASSAY_CHECK(Info(type).bytes <= 8);
  uint64_t bits = 0;
  std::memcpy(
      &bits, element,
      static_cast<size_t>(
          Info(type).bytes));  // little-endian hosts only, as the ABI's buffers
  const int width =
      IsBoolean(type) ? 8 : Info(type).bits;  // a boolean's whole byte counts
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

void StoreBits(ElementType type, uint64_t bits, void* element) {
  ASSAY_CHECK(Info(type).bytes <= 8);
  std::memcpy(element, &bits, static_cast<size_t>(Info(type).bytes));
}

__int128 ValueOf(ElementType type, uint64_t bits) {
  return VisitElementType(type, [&]<class T>() -> __int128 {
    return T::FromBits(static_cast<typename T::Bits>(bits)).value();
  });
}

uint64_t BitsOf(ElementType type, __int128 value) {
  ASSAY_CHECK(MinValue(type) <= value && value <= MaxValue(type));
  const int bits = Info(type).bits;
  const uint64_t word = static_cast<uint64_t>(value);
  return bits == 64 ? word : word & ((uint64_t{1} << bits) - 1);
}

std::string FormatInteger(__int128 value) { return fmt::format("{}", value); }

std::string FormatValue(ElementType type, uint64_t bits) {
  if (IsBoolean(type)) {
    if (bits > 1) return fmt::format("byte {}", bits);
    return bits ? "true" : "false";
  }
  return FormatInteger(ValueOf(type, bits));
}

std::string FormatBits(ElementType type, uint64_t bits) {
  return fmt::format("0x{:0{}x}", bits, std::max(1, (Info(type).bits + 3) / 4));
}

}  // namespace assay
