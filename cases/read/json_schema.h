// A JsonSchema (JSON Schema, draft 7) says where a document violates it.
#ifndef ASSAY_CASES_READ_JSON_SCHEMA_H_
#define ASSAY_CASES_READ_JSON_SCHEMA_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/read/json.h"

namespace valijson {
class Schema;
}

namespace assay {

class JsonSchema {
 public:
  // Throws InputError that names `file` if `schema` is not a schema.
  JsonSchema(const std::string& file, const Json& schema);
  ~JsonSchema();

  struct Violation {
    std::string pointer;  // JSON pointer, "" for the whole document
    std::string reason;
  };
  // Returns the innermost violations, each once: the values that contain them
  // are invalid only because of them.
  std::vector<Violation> Check(const Json& document) const;

 private:
  std::unique_ptr<valijson::Schema> schema_;
};

// case.schema.json, embedded at build time.
extern const char kCaseSchema[];
// walks.schema.json, embedded at build time.
extern const char kWalksSchema[];

}  // namespace assay

#endif  // ASSAY_CASES_READ_JSON_SCHEMA_H_
