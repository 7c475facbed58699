// An inference of a result shape as a person reads it: dimension by dimension,
// with the rule that gave each.
#ifndef ASSAY_SPEC_POINTWISE_BROADCAST_TEXT_H_
#define ASSAY_SPEC_POINTWISE_BROADCAST_TEXT_H_

#include <string>
#include <string_view>

#include "spec/pointwise/broadcast.h"

namespace assay {

// What a clause says, in a few words; empty if there is no such rule.
std::string_view BroadcastRuleText(std::string_view clause);

// Lines with two spaces of indentation: every operand with its expanded shape,
// every use of InferDim by dimension, the inferred shape.
std::string InferenceText(const Inference& inference);

// The same of the table of verification, or why there is none.
std::string VerificationText(const Verification& verification);

// "2x3", or why behaviour is undefined.
std::string RuntimeText(const RuntimeShape& runtime);

}  // namespace assay

#endif  // ASSAY_SPEC_POINTWISE_BROADCAST_TEXT_H_
