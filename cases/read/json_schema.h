// JSON Schema, draft 7: whether a document is what its schema says, and where
// it is not.
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
  // The innermost places that are wrong, each once: what contains them is wrong
  // because of them.
  std::vector<Violation> Check(const Json& document) const;

 private:
  std::unique_ptr<valijson::Schema> schema_;
};

// case.schema.json, embedded at build time.
extern const char kCaseSchema[];
// The same of walks.schema.json.
extern const char kWalksSchema[];

}  // namespace assay

#endif  // ASSAY_CASES_READ_JSON_SCHEMA_H_
