// Calls that are no pointwise ones are drawn by their types: a search gives
// them shapes and numbers, and a proposal functions, if the op takes some.
#ifndef ASSAY_FUZZ_DRAW_PLAIN_CALLS_H_
#define ASSAY_FUZZ_DRAW_PLAIN_CALLS_H_

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cases/search/call_search.h"
#include "cases/variants/op_table.h"

namespace assay {

// Returns the entries of the ops that `is_wanted` accepts and that are drawn:
// those of the op table, and behind them those that take functions.
std::vector<OpEntry> DrawnOps(
    const std::function<bool(const OpSpec&)>& is_wanted);

class PlainCalls {
 public:
  // Draws a valid call of these types, with zeros as the elements of constants.
  // `entry` must outlive the object. Find returns nullopt if there is none, and
  // Draw must not be asked then.
  std::optional<Op> Find(const OpEntry& entry, const Signature& signature,
                         const SearchGoal& goal, Choices* choices);
  Op Draw(const OpEntry& entry, const Signature& signature,
          const SearchGoal& goal, Choices* choices);
  // Draw in two steps, for who wants to see the types first, or to give shapes:
  // Start returns a call of these types without shapes, with as many indices as
  // an operand of that rank has dimensions, and Complete gives it shapes,
  // numbers and functions, or returns false.
  Op Start(const OpEntry& entry, const Signature& signature, size_t rank,
           Choices* choices);
  bool Complete(const OpEntry& entry, const SearchGoal& goal, Choices* choices,
                Op* call);
  // Returns a call whose operands and results all have this shape; nullopt if
  // the op has none. Precondition: it takes no functions.
  std::optional<Op> OnShape(const OpEntry& entry, const Signature& signature,
                            const Shape& shape, Choices* choices);
  // Gives the call other shapes and numbers, so that the constraint of this
  // label is false and no other is. Returns false, and leaves the call as it
  // was, if it finds none.
  bool Violate(const OpEntry& entry, std::string_view label, const Shape& seed,
               Choices* choices, Op* call);

 private:
  static void AddFunctions(const OpEntry& entry, Choices* choices, Op* call);
  CallSearch& SearchOf(const OpEntry& entry);

  std::unordered_map<const OpSpec*, CallSearch> searches_;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_PLAIN_CALLS_H_
