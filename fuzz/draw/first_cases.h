// The generator must draw the same first cases with every compiler.
#ifndef ASSAY_FUZZ_DRAW_FIRST_CASES_H_
#define ASSAY_FUZZ_DRAW_FIRST_CASES_H_

#include <string_view>

namespace assay {

// The value of DigestOfCases for a generator with DrawOptions(). It changes
// when the generator does, and then the failure of draw_test.cc shows the new
// one.
inline constexpr std::string_view kDigestOfFirstCases =
    "2352157bd01359a7ff5721b8a50c212f2b8ff6266dc5f8106f243313cd18d64f";

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_FIRST_CASES_H_
