#include "fuzz/programs/program_ops.h"

#include <set>
#include <utility>

namespace assay {

ProgramOps::ProgramOps(const std::vector<OpEntry>& entries,
                       std::vector<ControlKind> control)
    : control_(std::move(control)) {
  for (const OpEntry& entry : entries) {
    if (entry.IsPointwise() || entry.spec->source != "stablehlo") continue;
    Choice choice{&entry, {}, {}};
    for (const Signature& signature : entry.signatures) {
      // Sizes that are operands are given for each call.
      std::set<ElementType> types;
      for (size_t k = 0; k < signature.operands.size(); ++k) {
        if (!entry.operands[k]->at_run_time)
          types.insert(signature.operands[k]);
      }
      for (const ElementType type : types) {
        choice.taking[type].push_back(&signature);
        if (entry.spec->elementwise && signature.results.size() == 1 &&
            signature.results[0] == type)
          choice.keeping[type].push_back(&signature);
      }
    }
    choices_.push_back(std::move(choice));
  }
  Choices all, of_integers, arithmetic, real_functions, others;
  for (const Choice& choice : choices_) {
    const OpSpec& spec = *choice.entry->spec;
    has_constants_ |= IsConstant(spec.id);
    all.push_back(&choice);
    if (!spec.elementwise) {
      others.push_back(&choice);
      continue;
    }
    elementwise_.push_back(&choice);
    Choices& kind = spec.rule == "ulp"                          ? real_functions
                    : choice.taking.contains(ElementType::kF32) ? arithmetic
                                                                : of_integers;
    kind.push_back(&choice);
  }
  // Rules about arithmetic are the most. The others are many, and their calls
  // fit the values of a program less often.
  leanings_ = {all,         arithmetic,     arithmetic,     arithmetic,
               of_integers, real_functions, real_functions, others,
               others,      others,         others,         others};
  std::erase_if(leanings_, [](const Choices& ops) { return ops.empty(); });
}

}  // namespace assay
