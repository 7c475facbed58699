// The generator must draw the same first cases with every compiler.
#ifndef ASSAY_FUZZ_DRAW_FIRST_CASES_H_
#define ASSAY_FUZZ_DRAW_FIRST_CASES_H_

#include <string_view>

namespace assay {

// The value of DigestOfCases for a generator with DrawOptions(). It changes
// when the generator does, and then the failure of draw_test.cc shows the new
// one.
inline constexpr std::string_view kDigestOfFirstCases =
    "ebca95cf94be68e8816d71b322da7df244278769d850322e6086d7cde8f9323f";

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_FIRST_CASES_H_
