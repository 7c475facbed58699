// What the generator must draw, whoever compiled it.
#ifndef ASSAY_FUZZ_FIRST_CASES_H_
#define ASSAY_FUZZ_FIRST_CASES_H_

#include <string_view>

namespace assay {

// DigestOfCases of a generator with DrawOptions(). It changes when the
// generator does; the new one stands in the failure of draw_test.cc.
inline constexpr std::string_view kDigestOfFirstCases =
    "67fbdffb650faa0f360c9da5a0e5ac726afdd01a888b7499cee7949039d10ab6";

}  // namespace assay

#endif  // ASSAY_FUZZ_FIRST_CASES_H_
