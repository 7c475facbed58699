// What the lines of a digest have in common.
#ifndef ASSAY_REPORTS_PAGE_DIGEST_TEXT_H_
#define ASSAY_REPORTS_PAGE_DIGEST_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "cases/read/json.h"

namespace assay {

// Returns a line of a digest. Names and paths in it need not be UTF-8.
inline std::string DigestLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Returns the name by which a digest knows a backend: without the folder of its
// file, which is of one machine.
std::string DigestBackend(const std::string& spec);

// Returns a text in which an absolute path is the name of its file: messages of
// libraries quote paths, which are of one machine.
std::string WithoutFolders(std::string_view text);

// Reads a count, which may be added to thousands of others. Throws InputError.
inline int64_t DigestCount(const JsonView& json) {
  return json.Integer(0, int64_t{1} << 48);
}

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_DIGEST_TEXT_H_
