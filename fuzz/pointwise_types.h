// Types of pointwise calls: what is asked of promotion, and what it answers.
#ifndef ASSAY_FUZZ_POINTWISE_TYPES_H_
#define ASSAY_FUZZ_POINTWISE_TYPES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/op_table.h"

namespace assay {

// Of a call whose shapes do not matter yet.
struct PointwiseTypes {
  enum class Kind : uint8_t { kTensor, kZeroDim, kScalar };
  std::vector<ElementType> operands;
  std::vector<Kind> kinds;
  std::vector<Attribute> attributes;  // with promotion_methods
  std::vector<ElementType> results;
};

// Draws them, valid. Analysing a call takes longer than all else of drawing it,
// so what was found is kept.
class PointwiseDrawer {
 public:
  PointwiseTypes Draw(const OpEntry& entry, Choices* choices);

 private:
  using Results = std::optional<std::vector<ElementType>>;
  const Results& ResultsOf(const OpEntry& entry, const PointwiseTypes& types);

  std::map<std::string, Results, std::less<>> known_;
  std::string key_;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_POINTWISE_TYPES_H_
