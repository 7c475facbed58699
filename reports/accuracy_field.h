// These functions write and read the field `accuracy` of a result line.
#ifndef ASSAY_REPORTS_ACCURACY_FIELD_H_
#define ASSAY_REPORTS_ACCURACY_FIELD_H_

#include <fmt/format.h>
#include <simdjson.h>

#include "cases/run/verdict.h"

namespace assay {

void AppendAccuracy(const Accuracy& accuracy, fmt::memory_buffer* out);
// Throws LineError.
Accuracy ParseAccuracy(simdjson::dom::element value);

}  // namespace assay

#endif  // ASSAY_REPORTS_ACCURACY_FIELD_H_
