// The types of a pointwise call are drawn, and analysed by the rules of
// promotion.
#ifndef ASSAY_FUZZ_DRAW_POINTWISE_TYPES_H_
#define ASSAY_FUZZ_DRAW_POINTWISE_TYPES_H_

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cases/search/choices.h"
#include "cases/variants/op_table.h"
#include "spec/pointwise/promotion.h"

namespace assay {

// PointwiseTypes are the types of a call whose shapes do not matter yet.
struct PointwiseTypes {
  enum class Kind : uint8_t { kTensor, kZeroDim, kScalar };
  std::vector<ElementType> operands;
  std::vector<Kind> kinds;
  std::vector<Attribute> attributes;  // with promotion_methods
  std::vector<ElementType> results;
};

// Draws valid types. Analysing a call takes longer than drawing all the rest of
// it, so answers are kept, in a table that does not grow: a later question
// takes the place of an earlier one.
class PointwiseDrawer {
 public:
  // `entry` must outlive the object. The result is valid until the next call.
  const PointwiseTypes& Draw(const OpEntry& entry, Choices* choices);
  // Returns the call with tensors of these types as it is usually made, with
  // the first promotion that is valid; nullptr if none is. The result is valid
  // until the next call.
  const PointwiseTypes* FindUsual(const OpEntry& entry,
                                  const std::vector<ElementType>& operands);

 private:
  // A Function has everything that does not depend on the call.
  struct Function {
    Function(const OpEntry& entry, size_t number);
    const OpEntry& entry;
    uint64_t number;
    std::vector<const InputSpec*> operands;
    std::vector<int> promoted;  // those that are no predicates
  };
  struct Question {
    const Function* function = nullptr;
    size_t attributes = 0;             // index in those of the entry
    std::vector<PromotionRule> rules;  // by output
  };
  struct Answer {
    uint64_t question = 0;
    bool is_valid = false;
    std::array<ElementType, 2> results = {};
  };
  static constexpr size_t kAnswers = 1 << 18;

  const Function& FunctionOf(const OpEntry& entry);
  // Draws the arguments of a list: those that are promoted, once and in order;
  // or, sometimes, any of all operands, in any order and with repetitions.
  static std::vector<int> DrawArguments(const Function& function,
                                        Choices* choices);
  // Returns whether the question, with operands and kinds of types_, is valid,
  // and sets the rest of types_ if it is.
  bool Ask(const Question& question);
  // Tries one method of promotion after the other, with the operands and kinds
  // of types_, until one is valid.
  bool AskUsual(const Function& function);
  Answer Analyse(const Question& question);

  std::unordered_map<const OpEntry*, Function> functions_;
  std::vector<Answer> answers_ = std::vector<Answer>(kAnswers);
  PointwiseTypes types_;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_DRAW_POINTWISE_TYPES_H_
