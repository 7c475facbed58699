// What the generator must draw, whoever compiled it.
#ifndef ASSAY_FUZZ_FIRST_CASES_H_
#define ASSAY_FUZZ_FIRST_CASES_H_

#include <string_view>

namespace assay {

// DigestOfCases of a generator with DrawOptions(). It changes when the
// generator does; the new one stands in the failure of draw_test.cc.
inline constexpr std::string_view kDigestOfFirstCases =
    "18374583aeefd4a0ae03505492ba274965cbdedc2b2c49cb4db86e626e7baeaa";

}  // namespace assay

#endif  // ASSAY_FUZZ_FIRST_CASES_H_
