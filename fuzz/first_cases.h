// What the generator must draw, whoever compiled it.
#ifndef ASSAY_FUZZ_FIRST_CASES_H_
#define ASSAY_FUZZ_FIRST_CASES_H_

#include <string_view>

namespace assay {

// DigestOfCases of a generator with DrawOptions(). It changes when the
// generator does; the new one stands in the failure of draw_test.cc.
inline constexpr std::string_view kDigestOfFirstCases =
    "769e67e0819d41269418750215cc473a57b1feadabd2bf36f5d9b56417a8b5c3";

}  // namespace assay

#endif  // ASSAY_FUZZ_FIRST_CASES_H_
