// A broken invariant of our own aborts the process, with the expression in the
// message.
#include "spec/error.h"

#include <cstdio>
#include <cstdlib>

#include "spec/printable_text.h"

namespace assay {

std::string InputError::Escape(const std::string& text) {
  return EscapeLine(text);
}

void CheckFailed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "assay: internal error: %s:%d: %s\n", file, line,
               expression);
  std::abort();
}

}  // namespace assay
