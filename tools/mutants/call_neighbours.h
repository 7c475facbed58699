// Neighbours of calls: a few parts of a call are changed at random, such as a
// dimension, an element type or an element of a list.
//
// A mutant of a formula is held against them if an argument says that no call
// tells it from the formula.
#ifndef ASSAY_TOOLS_MUTANTS_CALL_NEIGHBOURS_H_
#define ASSAY_TOOLS_MUTANTS_CALL_NEIGHBOURS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/op_spec.h"
#include "spec/program.h"

namespace assay {

// Returns the call without the bodies of its functions, which no formula sees.
Op WithTypesAlone(const Op& call);
// Returns the types and attributes of the call in one line.
std::string Describe(const Op& call);

class CallNeighbours {
 public:
  // `calls` are at least one, of WithTypesAlone. Both must outlive the object.
  CallNeighbours(const OpSpec& spec, const std::vector<Op>& calls);

  // Returns a neighbour, the same for the same index; nullopt if a quantized
  // type of it is none, which readers refuse.
  std::optional<Op> Draw(uint64_t index) const;

 private:
  const OpSpec& spec_;
  const std::vector<Op>& calls_;
  std::vector<TensorType> types_;  // that tensors of the calls have
};

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_CALL_NEIGHBOURS_H_
