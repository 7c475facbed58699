// A chunk of StableHLO text is a case in one of three ways.
//
// StableHLO's own tests are programs that check their results themselves, with
// ops `check.*` or with `custom_call @check.*`. Each function that checks
// something becomes a case, which any backend can be judged on. If nothing in a
// chunk does, @main is a case, or the only function, with drawn values for its
// arguments and nothing expected. A chunk that expects an error is a case that
// must be refused (verified_text.h).
//
// Constants that other ops use become inputs of the case, and those that a
// result is compared with become its literal expectations. Calls of functions
// are replaced by what the functions do. How near to its literal a result must
// be is what the interpreter of StableHLO accepts (near_literal.h).
//
// The text is untrusted. What is no StableHLO is an error; what is, and asks
// for more than cases have, is left out with the reason.
#ifndef ASSAY_CASES_READ_MLIR_CASES_H_
#define ASSAY_CASES_READ_MLIR_CASES_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "spec/text/parse.h"

namespace assay {

// Returns whether a file of cases has StableHLO text, by its name.
inline bool IsMlir(std::string_view file) { return file.ends_with(".mlir"); }

// Returns the cases of all chunks of the text, named STEM/FUNCTION: the second
// function of a name in a file is FUNCTION.2. What is left out is added to
// `*left_out`. Throws InputError that names the file, the line and the column.
std::vector<Case> ReadMlirCases(const std::string& file, std::string_view text,
                                const ReadOptions& options,
                                std::vector<LeftOut>* left_out);

// Returns the cases of one chunk of a text, as ReadMlirCases does of all.
std::vector<Case> ReadMlirCases(const std::string& file,
                                const text::ChunkText& chunk,
                                const ReadOptions& options,
                                std::vector<LeftOut>* left_out);

// Returns whether a function of the module, or of one inside it, checks
// something. Throws SyntaxError for two functions of one name.
bool HasChecks(const text::Module& module);

// Returns how many functions are left out for which reason, the most frequent
// first: "stablehlo.sort 7, quantized types 2".
std::string CountsOf(const std::vector<LeftOut>& left_out);

}  // namespace assay

#endif  // ASSAY_CASES_READ_MLIR_CASES_H_
