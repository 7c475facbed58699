// What the generator must draw, whoever compiled it.
#ifndef ASSAY_FUZZ_FIRST_CASES_H_
#define ASSAY_FUZZ_FIRST_CASES_H_

#include <string_view>

namespace assay {

// DigestOfCases of a generator with DrawOptions(). It changes when the
// generator does; the new one stands in the failure of draw_test.cc.
inline constexpr std::string_view kDigestOfFirstCases =
    "ecd91c6dcf1f612e233b1c76fa43b03784c05eaec0ff0987fb99f526eff1f250";

}  // namespace assay

#endif  // ASSAY_FUZZ_FIRST_CASES_H_
