// These functions print an inference of a result shape for people: dimension by
// dimension, with the rule that decided each.
#ifndef ASSAY_SPEC_POINTWISE_BROADCAST_TEXT_H_
#define ASSAY_SPEC_POINTWISE_BROADCAST_TEXT_H_

#include <string>
#include <string_view>

#include "spec/pointwise/broadcast.h"

namespace assay {

// Returns the meaning of a clause in a few words, or an empty text if there is
// no such rule.
std::string_view BroadcastRuleText(std::string_view clause);

// Returns lines with two spaces of indentation: every operand with its expanded
// shape, every use of InferDim by dimension, the inferred shape.
std::string InferenceText(const Inference& inference);

// Returns such lines for the table of verification, or why there is none.
std::string VerificationText(const Verification& verification);

// Returns "2x3", or why behavior is undefined.
std::string RuntimeText(const RuntimeShape& runtime);

}  // namespace assay

#endif  // ASSAY_SPEC_POINTWISE_BROADCAST_TEXT_H_
