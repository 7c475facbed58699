// The grid of a float type has every combination of signs, exponents and some
// mantissas.
#include <Random123/philox.h>

#include <map>
#include <numeric>
#include <set>

#include "cases/read/data.h"

namespace assay {
namespace {

constexpr int kDrawn = 8;  // mantissas of every sign and exponent

std::vector<ElementBits> Grid(const FloatFormat& format) {
  const uint64_t mask = format.mantissa_mask();
  const uint64_t half = (mask + 1) / 2, alternating = 0x5555555555555555;
  std::vector<ElementBits> grid;
  const uint64_t exponents = format.magnitude_mask() >> format.mantissa_bits;
  for (const bool negative : {false, true}) {
    if (negative && !format.has_sign) break;
    const uint64_t sign = negative ? format.sign_bit() : 0;
    for (uint64_t exponent = 0; exponent <= exponents; ++exponent) {
      std::set<uint64_t> mantissas;
      for (const uint64_t mantissa :
           {uint64_t{0}, uint64_t{1}, uint64_t{2}, mask, mask - 1, half,
            half - 1, half + 1, alternating, alternating << 1})
        mantissas.insert(mantissa & mask);
      for (uint32_t i = 0; i < kDrawn; ++i) {
        const auto random = r123::Philox4x32()(
            {{static_cast<uint32_t>(exponent), negative, i, 0}}, {{0, 0}});
        mantissas.insert((uint64_t{random[1]} << 32 | random[0]) & mask);
      }
      for (const uint64_t mantissa : mantissas)
        grid.push_back(sign | exponent << format.mantissa_bits | mantissa);
    }
  }
  return grid;
}

}  // namespace

const std::vector<ElementBits>& GridBits(ElementType type) {
  static const std::map<ElementType, std::vector<ElementBits>> all = [] {
    std::map<ElementType, std::vector<ElementBits>> grids;
    for (const ElementTypeInfo& info : ElementTypes())
      grids[info.type] = IsFloat(info.type) ? Grid(FormatOf(info.type))
                                            : std::vector<ElementBits>{};
    return grids;
  }();
  return all.at(type);
}

int64_t GridIndex(int64_t index, int64_t size) {
  // The step is the golden section of the size, as a whole number without
  // common divisor: its multiples fill a circle evenly, however many are taken.
  int64_t step = static_cast<int64_t>(static_cast<double>(size) * 0.618034);
  while (std::gcd(step, size) != 1) ++step;
  return static_cast<int64_t>(static_cast<__int128>(index) * step % size);
}

}  // namespace assay
