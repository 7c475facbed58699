// What the lines of a digest have in common.
#ifndef ASSAY_REPORTS_PAGE_DIGEST_TEXT_H_
#define ASSAY_REPORTS_PAGE_DIGEST_TEXT_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "cases/read/json.h"

namespace assay {

// Returns a line of a digest. Names and paths in it need not be UTF-8.
inline std::string DigestLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Returns the name by which a digest knows a backend: without the folder of its
// file, which is of one machine.
inline std::string DigestBackend(const std::string& spec) {
  const size_t end = std::min(spec.find('?'), spec.size());
  const size_t slash = spec.rfind('/', end);
  if (slash == std::string::npos) return spec;
  const size_t colon = spec.find(':');
  return spec.substr(0, colon < slash ? colon + 1 : 0) + spec.substr(slash + 1);
}

// Reads a count, which may be added to thousands of others. Throws InputError.
inline int64_t DigestCount(const JsonView& json) {
  return json.Integer(0, int64_t{1} << 48);
}

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_DIGEST_TEXT_H_
