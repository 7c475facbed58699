// Calls of which only the constraints are judged: those of ops that this
// version does not judge, and those that have quantized types.
//
// Nothing is known of an op but its file. Types and attributes are drawn and
// changed one by one until no constraint is false whatever the shapes are, or
// exactly the one that is to be violated; then shapes and numbers are searched,
// and functions are made that fit.
#ifndef ASSAY_FUZZ_DRAW_VERIFIED_CALLS_H_
#define ASSAY_FUZZ_DRAW_VERIFIED_CALLS_H_

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cases/search/call_search.h"

namespace assay {

class VerifiedCalls {
 public:
  // Returns a call of the op that satisfies all constraints, or that violates
  // the one of this label alone; nullopt if none was found in a bounded number
  // of choices. If `is_quantized`, most of its tensors are.
  std::optional<Op> Draw(const OpSpec& spec, std::string_view violated,
                         bool is_quantized, const SearchGoal& goal,
                         Choices* choices);

 private:
  std::unordered_map<const OpSpec*, CallSearch> searches_;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_VERIFIED_CALLS_H_
