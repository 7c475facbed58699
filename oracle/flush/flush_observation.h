// A FlushObservation is what one element of a result shows about the way in
// which a backend flushes subnormals.
#ifndef ASSAY_ORACLE_FLUSH_FLUSH_OBSERVATION_H_
#define ASSAY_ORACLE_FLUSH_FLUSH_OBSERVATION_H_

#include <optional>
#include <string>
#include <string_view>

#include "oracle/flush/flush.h"

namespace assay {

struct FlushObservation {
  std::string subject;  // op and types: "multiply f32", "convert f64 to f32"
  FlushSet survivors = 0;
  std::string element;  // for people

  // Text returns "multiply f32; 0x0ffffe; [3]: lhs = ..". Parse is the inverse;
  // it returns nullopt if the text is no observation.
  std::string Text() const;
  static std::optional<FlushObservation> Parse(std::string_view text);
};

// Returns the subject of an op's calls on these types; for a pointwise op with
// the type that it computes in, "pointwise.add bf16 in f32", if that is
// another.
std::string FlushSubject(const Op& op);

}  // namespace assay

#endif  // ASSAY_ORACLE_FLUSH_FLUSH_OBSERVATION_H_
