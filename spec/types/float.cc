// These functions determine whether a product or quotient of f32 or f64 that
// was rounded to the smallest normal value was below it.
#include "spec/types/float.h"

namespace assay {
namespace {

// Returns the significand of a finite number other than 0 as an integer, and
// sets the exponent: |x| = significand * 2^exponent.
template <class N>
uint64_t Significand(N x, int* exponent) {
  constexpr int kBits = std::is_same_v<N, float> ? 24 : 53;
  const N fraction = std::frexp(std::fabs(x), exponent);
  *exponent -= kBits;
  return static_cast<uint64_t>(std::ldexp(fraction, kBits));
}

// kBits is the precision. The product of two significands is an integer of 2 *
// kBits bits or one bit less; it is tiny if its leading bit is below
// `min_exponent`, and rounds up to a value that is not if the kBits + 1 bits
// from the leading one on are ones: half of the last place makes an odd
// significand even.
template <class N, int kBits, int kMinExponent>
Tininess OfProduct(N a, N b) {
  int ea = 0, eb = 0;
  const unsigned __int128 product =
      static_cast<unsigned __int128>(Significand(a, &ea)) * Significand(b, &eb);
  int length = 2 * kBits;
  while ((product >> (length - 1) & 1) == 0) --length;
  if (ea + eb + length - 1 >= kMinExponent) return Tininess::kNone;
  const unsigned __int128 ones =
      (static_cast<unsigned __int128>(1) << (kBits + 1)) - 1;
  const bool rounds_up =
      length > kBits && (product >> (length - kBits - 1)) == ones;
  return rounds_up ? Tininess::kBeforeRounding : Tininess::kAfterRounding;
}

// A quotient of two significands of p bits that is below a power of two is
// below it by a factor of at least 1 - 2^-p, which p bits represent: no
// rounding with unbounded exponent reaches the power.
template <class N, int kMinExponent>
Tininess OfQuotient(N a, N b) {
  int ea = 0, eb = 0;
  const uint64_t sa = Significand(a, &ea), sb = Significand(b, &eb);
  const int exponent = ea - eb;  // of a quotient in (1/2, 2)
  const bool is_tiny =
      exponent < kMinExponent || (exponent == kMinExponent && sa < sb);
  return is_tiny ? Tininess::kAfterRounding : Tininess::kNone;
}

}  // namespace

Tininess TininessOfProduct(float a, float b) {
  return OfProduct<float, 24, -126>(a, b);
}
Tininess TininessOfProduct(double a, double b) {
  return OfProduct<double, 53, -1022>(a, b);
}
Tininess TininessOfQuotient(float a, float b) {
  return OfQuotient<float, -126>(a, b);
}
Tininess TininessOfQuotient(double a, double b) {
  return OfQuotient<double, -1022>(a, b);
}

}  // namespace assay
