// The generator must draw the same first cases with every compiler.
#ifndef ASSAY_FUZZ_DRAW_FIRST_CASES_H_
#define ASSAY_FUZZ_DRAW_FIRST_CASES_H_

#include <string_view>

namespace assay {

// The value of DigestOfCases for a generator with DrawOptions(). It changes
// when the generator does, and then the failure of draw_test.cc shows the new
// one.
inline constexpr std::string_view kDigestOfFirstCases =
    "d91ce22789f149a6834b23bcacea6ae3a15333c1926d6f6424314fe039b7abbb";

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_FIRST_CASES_H_
