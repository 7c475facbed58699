// How a broken invariant of our own ends: loudly, and with the expression.
#include "spec/error.h"

#include <cstdio>
#include <cstdlib>

namespace assay {

std::string InputError::Escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      escaped += c;
      continue;
    }
    char buffer[5];
    std::snprintf(buffer, sizeof(buffer), "\\x%02x", byte);
    escaped += buffer;
  }
  return escaped;
}

void CheckFailed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "assay: internal error: %s:%d: %s\n", file, line,
               expression);
  std::abort();
}

}  // namespace assay
