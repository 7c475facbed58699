// These bugs are in sums of products: in the types in which dot_general and
// convolution multiply and add.
#include <math.h>

#include <algorithm>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/contraction.h"
#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

using Products = std::vector<Product>;

bool HasFormat(const Type& type, uint8_t code, int bits) {
  return !type.is_complex && type.format != nullptr &&
         type.format == FindFormat(code, bits);
}

bool IsIntegerOf(const Type& type, int bits, bool is_signed) {
  return !type.is_bool && type.format == nullptr && type.bits == bits &&
         type.is_signed == is_signed;
}

// ---------------------------------------------------------------------- Floats

// Sums floats from `sum` on; each partial sum becomes what `change` makes of
// it.
template <class Change>
Lane SumFloats(const Summation& summation, const Products& products, Parts sum,
               Change change) {
  const Type& operand = summation.operand;
  for (const Product& product : products) {
    sum = PlusProduct(
        operand, sum, PartsOfLane(operand, summation.lhs_rounding, product.lhs),
        PartsOfLane(operand, summation.rhs_rounding, product.rhs));
    sum = {change(sum.real), change(sum.imaginary)};
  }
  return LaneOfParts(summation.result, sum);
}

// DT20, DT21: partial sums of operands of a format are rounded to it although
// the result is wider.
template <uint8_t kCode>
Lane InTheFormatOfOperands(const Summation& summation,
                           const Products& products) {
  if (!HasFormat(summation.operand, kCode, 16) || summation.result.bits <= 16)
    return Accumulate(summation, products);
  const Format& format = *summation.operand.format;
  return SumFloats(summation, products, {0, 0},
                   [&](double x) { return InFormat(format, x); });
}

// DT22.
Lane F64IsSummedInF32(const Summation& summation, const Products& products) {
  if (!HasFormat(summation.operand, kDLFloat, 64))
    return Accumulate(summation, products);
  const Format& f32 = *FindFormat(kDLFloat, 32);
  return SumFloats(summation, products, {0, 0},
                   [&](double x) { return InFormat(f32, x); });
}

// DT23.
Lane NothingIsMinusZero(const Summation& summation, const Products& products) {
  if (summation.operand.format == nullptr)
    return Accumulate(summation, products);
  return SumFloats(summation, products, {-0.0, -0.0},
                   [](double x) { return x; });
}

// DT24.
Lane ZerosAreSkipped(const Summation& summation, const Products& products) {
  if (summation.operand.format == nullptr)
    return Accumulate(summation, products);
  Products others;
  for (const Product& product : products) {
    const Parts lhs = PartsOfLane(summation.operand, nullptr, product.lhs);
    if (lhs.real != 0 || lhs.imaginary != 0) others.push_back(product);
  }
  return Accumulate(summation, others);
}

// DT25.
Lane RhsIsConjugated(const Summation& summation, const Products& products) {
  if (!summation.operand.is_complex) return Accumulate(summation, products);
  Products conjugated = products;
  for (Product& product : conjugated)
    product.rhs.imaginary ^= SignBit(*summation.operand.format);
  return Accumulate(summation, conjugated);
}

// DT26.
Lane F32IsRoundedToTf32(const Summation& summation, const Products& products) {
  Summation rounding = summation;
  if (HasFormat(summation.operand, kDLFloat, 32))
    rounding.lhs_rounding = rounding.rhs_rounding = &Tf32();
  return Accumulate(rounding, products);
}

// DT27.
Lane Bf16IsTruncated(const Summation& summation, const Products& products) {
  if (!HasFormat(summation.result, kDLBfloat, 16))
    return Accumulate(summation, products);
  Summation wide = summation;
  wide.result = FloatType(32);
  return {Accumulate(wide, products).bits >> 16};
}

// DT28.
Lane OperandsAreFlushed(const Summation& summation, const Products& products) {
  if (!HasFormat(summation.operand, kDLFloat, 32))
    return Accumulate(summation, products);
  Products flushed = products;
  for (Product& product : flushed) {
    for (Lane* lane : {&product.lhs, &product.rhs}) {
      if ((lane->bits & 0x7f800000) == 0) lane->bits &= 0x80000000;
    }
  }
  return Accumulate(summation, flushed);
}

// DT29.
Lane ImaginaryPartsAreAdded(const Summation& summation,
                            const Products& products) {
  if (!summation.operand.is_complex) return Accumulate(summation, products);
  // lhs_imaginary * rhs_imaginary has the other sign in the real part.
  const Type& operand = summation.operand;
  Parts sum = {0, 0};
  for (const Product& product : products) {
    const Parts lhs = PartsOfLane(operand, nullptr, product.lhs),
                rhs = PartsOfLane(operand, nullptr, product.rhs);
    sum.real += lhs.real * rhs.real + lhs.imaginary * rhs.imaginary;
    sum.imaginary += lhs.real * rhs.imaginary + lhs.imaginary * rhs.real;
  }
  return LaneOfParts(summation.result, sum);
}

// -------------------------------------------------------------------- Integers

// DT40.
Lane ProductsWrapIn8Bits(const Summation& summation, const Products& products) {
  if (!IsIntegerOf(summation.operand, 8, true) || summation.result.bits <= 8)
    return Accumulate(summation, products);
  uint64_t sum = 0;
  for (const Product& product : products)
    sum += SignExtended(product.lhs.bits * product.rhs.bits, 8);
  return LaneOfInteger(summation.result, sum);
}

// DT41, DT42: operands of 8 bits are extended as those of the other sign.
template <bool kSigned>
Lane ExtendedWrongly(const Summation& summation, const Products& products) {
  if (!IsIntegerOf(summation.operand, 8, kSigned))
    return Accumulate(summation, products);
  Products extended = products;
  for (Product& product : extended) {
    for (Lane* lane : {&product.lhs, &product.rhs})
      lane->bits =
          kSigned ? ZeroExtended(lane->bits, 8) : SignExtended(lane->bits, 8);
  }
  return Accumulate(summation, extended);
}

// DT43.
Lane SumsSaturate(const Summation& summation, const Products& products) {
  const Type& result = summation.result;
  if (!IsInteger(summation.operand) || !summation.operand.is_signed ||
      !result.is_signed || summation.operand.bits > 16 || result.bits > 32)
    return Accumulate(summation, products);
  int64_t sum = 0;
  for (const Product& product : products)
    sum += static_cast<int64_t>(product.lhs.bits * product.rhs.bits);
  const int64_t most = (int64_t{1} << (result.bits - 1)) - 1;
  return LaneOfInteger(result,
                       static_cast<uint64_t>(std::clamp(sum, -most - 1, most)));
}

// DT44, DT45: integers of so many bits are summed in floats.
template <class Float, int kBits>
Lane IntegersAreSummedInFloats(const Summation& summation,
                               const Products& products) {
  if (!IsIntegerOf(summation.operand, kBits, true) ||
      summation.result.bits < 32)
    return Accumulate(summation, products);
  Float sum = 0;
  for (const Product& product : products)
    sum += static_cast<Float>(static_cast<int64_t>(product.lhs.bits)) *
           static_cast<Float>(static_cast<int64_t>(product.rhs.bits));
  if (!(fabs(static_cast<double>(sum)) < 0x1p63))
    return Accumulate(summation, products);
  return LaneOfInteger(summation.result,
                       static_cast<uint64_t>(static_cast<int64_t>(sum)));
}

// DT46.
Lane TruthsAreAddedModulo2(const Summation& summation,
                           const Products& products) {
  if (!summation.operand.is_bool) return Accumulate(summation, products);
  uint64_t sum = 0;
  for (const Product& product : products)
    sum ^= product.lhs.bits & product.rhs.bits;
  return {sum};
}

// DT47.
Lane WideSumsWrapIn32Bits(const Summation& summation,
                          const Products& products) {
  const Lane sum = Accumulate(summation, products);
  if (!IsInteger(summation.operand) || summation.operand.bits > 32 ||
      summation.result.bits != 64)
    return sum;
  return {SignExtended(sum.bits, 32)};
}

constexpr Bug kBugs[] = {
    {"DT20", Replace<&Hooks::accumulate, InTheFormatOfOperands<kDLBfloat>>},
    {"DT21", Replace<&Hooks::accumulate, InTheFormatOfOperands<kDLFloat>>},
    {"DT22", Replace<&Hooks::accumulate, F64IsSummedInF32>},
    {"DT23", Replace<&Hooks::accumulate, NothingIsMinusZero>},
    {"DT24", Replace<&Hooks::accumulate, ZerosAreSkipped>},
    {"DT25", Replace<&Hooks::accumulate, RhsIsConjugated>},
    {"DT26", Replace<&Hooks::accumulate, F32IsRoundedToTf32>},
    {"DT27", Replace<&Hooks::accumulate, Bf16IsTruncated>},
    {"DT28", Replace<&Hooks::accumulate, OperandsAreFlushed>},
    {"DT29", Replace<&Hooks::accumulate, ImaginaryPartsAreAdded>},
    {"DT40", Replace<&Hooks::accumulate, ProductsWrapIn8Bits>},
    {"DT41", Replace<&Hooks::accumulate, ExtendedWrongly<true>>},
    {"DT42", Replace<&Hooks::accumulate, ExtendedWrongly<false>>},
    {"DT43", Replace<&Hooks::accumulate, SumsSaturate>},
    {"DT44", Replace<&Hooks::accumulate, IntegersAreSummedInFloats<float, 16>>},
    {"DT45",
     Replace<&Hooks::accumulate, IntegersAreSummedInFloats<double, 64>>},
    {"DT46", Replace<&Hooks::accumulate, TruthsAreAddedModulo2>},
    {"DT47", Replace<&Hooks::accumulate, WideSumsWrapIn32Bits>},
};

}  // namespace

std::span<const Bug> SumBugs() { return kBugs; }

}  // namespace assay::broken
