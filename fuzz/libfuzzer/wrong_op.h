// A fuzzer ends here when it found a backend wrong. Services that collect
// crashes tell them apart by the functions on the stack, so each op has its
// own.
#ifndef ASSAY_FUZZ_LIBFUZZER_WRONG_OP_H_
#define ASSAY_FUZZ_LIBFUZZER_WRONG_OP_H_

#include <string>

namespace assay {

// Aborts in a function of its own for each op, AddIsWrong for "add"; for a
// pointwise op, in that of the last op that it is made of.
[[noreturn]] void AbortWrong(const std::string& op);

}  // namespace assay

#endif  // ASSAY_FUZZ_LIBFUZZER_WRONG_OP_H_
