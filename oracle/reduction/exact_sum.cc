#include "oracle/reduction/exact_sum.h"

#include <cmath>

namespace assay {

void ExactSum::Get(arf_struct* sum) const {
  FreeAtThreadExit();
  Arf part, low;
  arf_zero(sum);
  for (const bool negative : {false, true}) {
    for (int bin = first_bin_; bin <= last_bin_; ++bin) {
      const Wide value = bins_[negative][bin];
      if (value == 0) continue;
      arf_set_ui(part, static_cast<uint64_t>(value >> 64));
      arf_mul_2exp_si(part, part, 64);
      arf_set_ui(low, static_cast<uint64_t>(value));
      arf_add(part, part, low, ARF_PREC_EXACT, ARF_RND_DOWN);
      arf_mul_2exp_si(part, part, bin * kBinBits - kExponentOffset);
      if (negative) arf_neg(part, part);
      arf_add(sum, sum, part, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
  }
}

long double ExactSum::Magnitude(bool negative) const {
  long double sum = 0;
  for (int bin = first_bin_; bin <= last_bin_; ++bin)
    sum += std::ldexp(static_cast<long double>(bins_[negative][bin]),
                      bin * kBinBits - kExponentOffset);
  return sum;
}

}  // namespace assay
