// The generator must draw the same first cases with every compiler.
#ifndef ASSAY_FUZZ_DRAW_FIRST_CASES_H_
#define ASSAY_FUZZ_DRAW_FIRST_CASES_H_

#include <string_view>

namespace assay {

// The value of DigestOfCases for a generator with DrawOptions(). It changes
// when the generator does, and then the failure of draw_test.cc shows the new
// one.
inline constexpr std::string_view kDigestOfFirstCases =
    "d485322e6c4937771181f93da60b27342f374382c941b22d55a9442955e1c080";

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_FIRST_CASES_H_
