// Two kinds of errors end a command: wrong input and a wrong assay.
//
// Input that a person gave us (a case file, a policy name, a formula) is
// answered with InputError, caught once in `main`: one line with file, JSON
// pointer and reason, exit 2. A broken invariant of our own is ASSAY_CHECK: the
// expression, and abort. A wrong backend is neither; it is a Verdict.
#ifndef ASSAY_SPEC_ERROR_H_
#define ASSAY_SPEC_ERROR_H_

#include <stdexcept>
#include <string>

namespace assay {

class InputError : public std::runtime_error {
 public:
  // `where` is empty, a file, or a file and a JSON pointer
  // ("cases.json#/cases/3/inputs"). Control characters, which the input may
  // hold, are escaped: an error is one line.
  InputError(const std::string& where, const std::string& reason)
      : std::runtime_error(
            Escape(where.empty() ? reason : where + ": " + reason)) {}

 private:
  static std::string Escape(const std::string& text);
};

[[noreturn]] void CheckFailed(const char* expression, const char* file,
                              int line);

#define ASSAY_CHECK(expression) \
  ((expression) ? (void)0       \
                : ::assay::CheckFailed(#expression, __FILE__, __LINE__))

}  // namespace assay

#endif  // ASSAY_SPEC_ERROR_H_
