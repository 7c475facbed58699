// The ops that programs are drawn of, with what tells which of them take a
// value of a type.
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_OPS_H_
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_OPS_H_

#include <map>
#include <vector>

#include "cases/variants/op_table.h"
#include "fuzz/proposals/control_ops.h"

namespace assay {

class ProgramOps {
 public:
  // `entries` must outlive the object. Ops that StableHLO text does not have
  // stand in no program.
  ProgramOps(const std::vector<OpEntry>& entries,
             std::vector<ControlKind> control);

  struct Choice {
    const OpEntry* entry;
    // By element type: signatures of which some operand has it, and, of
    // elementwise ops, those whose result has it as well.
    std::map<ElementType, std::vector<const Signature*>> taking, keeping;
  };
  using Choices = std::vector<const Choice*>;

  bool empty() const { return choices_.empty(); }
  const Choices& elementwise() const { return elementwise_; }
  // A program leans to one of these lists, none of which is empty: the two ops
  // that a rule of a compiler is about are often of one kind. The first has all
  // ops.
  const std::vector<Choices>& leanings() const { return leanings_; }
  const std::vector<ControlKind>& control() const { return control_; }
  // Returns whether programs may have constants.
  bool has_constants() const { return has_constants_; }

 private:
  std::vector<Choice> choices_;
  Choices elementwise_;
  std::vector<Choices> leanings_;
  std::vector<ControlKind> control_;
  bool has_constants_ = false;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_PROGRAMS_PROGRAM_OPS_H_
