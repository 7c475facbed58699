// What the generator must draw, whoever compiled it.
#ifndef ASSAY_FUZZ_DRAW_FIRST_CASES_H_
#define ASSAY_FUZZ_DRAW_FIRST_CASES_H_

#include <string_view>

namespace assay {

// DigestOfCases of a generator with DrawOptions(). It changes when the
// generator does; the new one stands in the failure of draw_test.cc.
inline constexpr std::string_view kDigestOfFirstCases =
    "132725e3fc94b91085b4f9bae69b99376b5ef460b083062b9b1abe16c697261a";

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_FIRST_CASES_H_
