// The generator must draw the same first cases with every compiler.
#ifndef ASSAY_FUZZ_DRAW_FIRST_CASES_H_
#define ASSAY_FUZZ_DRAW_FIRST_CASES_H_

#include <string_view>

namespace assay {

// The value of DigestOfCases for a generator with DrawOptions(). It changes
// when the generator does, and then the failure of draw_test.cc shows the new
// one.
inline constexpr std::string_view kDigestOfFirstCases =
    "daed7763d1bd3caf9d37e38c7be0c04a60846ec35c0a2bc6aaaf75d986694874";

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_FIRST_CASES_H_
