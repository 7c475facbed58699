// Texts in the lines of JSON that are formatted in place, because a document
// tree for each would be most of the time.
#ifndef ASSAY_SPEC_JSON_STRING_H_
#define ASSAY_SPEC_JSON_STRING_H_

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace assay {

// `text` as a JSON string of ASCII. What is not UTF-8 becomes U+FFFD: messages
// quote what backends say.
std::string JsonString(std::string_view text);
void AppendJsonString(std::string_view text, fmt::memory_buffer* out);

}  // namespace assay

#endif  // ASSAY_SPEC_JSON_STRING_H_
