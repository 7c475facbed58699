// Chunks of StableHLO text that no reader may accept, as the tests of
// StableHLO's verifier are written: a comment `expected-error@+1 {{..}}` stands
// at what is wrong.
//
// Such a chunk need not be read to be a case, so what it is about is found in
// its comments and names. By the convention of these tests, a function
// `add_c1_i2` violates C1 of add.
#ifndef ASSAY_CASES_READ_INVALID_TEXT_H_
#define ASSAY_CASES_READ_INVALID_TEXT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/text/parse.h"

namespace assay {

// The text of a chunk that is verified and not judged.
struct VerifiedText {
  std::string text;
  int first_line = 1;      // of its file
  bool is_invalid = true;  // it must be refused
};

bool ExpectsError(const text::ChunkText& chunk);

// What a chunk that expects an error is about.
struct InvalidTextSubject {
  std::string function;     // "" if there is none
  text::Location location;  // of the function, else of the chunk
  std::string op;           // without its dialect; "" if no op of ours is there
  // The constraints that the function's name says are violated, of those that
  // the op has.
  std::vector<std::string> labels;
};
InvalidTextSubject SubjectOf(const text::ChunkText& chunk);

// Why a text is no program.
struct Refusal {
  text::Location location;
  std::string message;
  // If the constraints of an op are false: the op, and their labels.
  std::string op = {};
  std::vector<std::string> labels = {};
};

// Returns why the text is refused, nullopt if it is a program. Throws NotJudged
// for what no program here has, and for tensors of more than `most_bytes`.
std::optional<Refusal> RefusalOf(const VerifiedText& invalid,
                                 int64_t most_bytes);

}  // namespace assay

#endif  // ASSAY_CASES_READ_INVALID_TEXT_H_
