// Programs are drawn op by op, and each op is evaluated as soon as it is there:
// one whose results the oracle cannot tell, under policy assay and under that
// of compilers, is drawn again. So a program is decided by the way it is made.
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_DRAWER_H_
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_DRAWER_H_

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/search/choices.h"
#include "cases/variants/op_table.h"
#include "fuzz/draw/plain_calls.h"
#include "fuzz/proposals/control_ops.h"
#include "oracle/program.h"
#include "spec/program.h"

namespace assay {

// The ops that programs are drawn of, with what tells which of them take a
// value of a type.
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
  bool empty() const { return choices_.empty(); }
  const std::vector<Choice>& choices() const { return choices_; }
  const std::vector<const Choice*>& elementwise() const { return elementwise_; }
  const std::vector<ControlKind>& control() const { return control_; }

 private:
  std::vector<Choice> choices_;
  std::vector<const Choice*> elementwise_;
  std::vector<ControlKind> control_;
};

struct DrawnProgram {
  Function main;
  std::vector<Tensor> inputs;  // of main, in order
};

class ProgramDrawer {
 public:
  static constexpr int64_t kMostElements = 64;

  // No tensor has more than `most_elements` or kMostElements elements.
  ProgramDrawer(const ProgramOps& ops, PlainCalls* plain, int64_t most_elements,
                Choices* choices);
  // Returns a program of two ops or more; nullopt if no drawn op was decided.
  std::optional<DrawnProgram> Draw();

 private:
  // A Scope is a function under way. That of a callee does not see the values
  // around it.
  struct Scope {
    Function* function;
    Scope* around;  // nullptr: it is the program
    bool is_callee = false;
    TypedNames values = {};
    TypedNames arguments = {};  // of the call, for the inputs of a callee
  };

  // Each returns whether an op was added.
  bool DrawOp(Scope* scope);
  bool DrawPlain(Scope* scope);
  bool DrawControl(Scope* scope);
  bool DrawBranches(ControlKind kind, Scope* scope);
  bool DrawLoop(Scope* scope);
  bool DrawCall(Scope* scope);
  bool DrawBarrier(Scope* scope);
  bool DrawTuple(Scope* scope);

  void DrawOps(Scope* scope, uint32_t count);
  // Adds the op if its results are decided.
  bool Add(Op op, Scope* scope);
  bool IsDecided(const Op& op);
  // Binds the operands of a call, but for number `bound`, to values or to new
  // inputs of their types.
  void Bind(std::optional<size_t> bound, Scope* scope, Op* op);

  const TypedName* Pick(Scope* scope, const TensorType* type);
  TypedName PickOrInput(Scope* scope, const TensorType& type);
  TypedName NewInput(Scope* scope, Tensor values);
  // Returns a value of the type, mostly one that an op in the scope computes.
  TypedName ResultOf(Scope* scope, const TensorType& type);
  std::optional<TypedName> KeepType(Scope* scope, const TypedName& value);
  TypedName DrawPredicate(Scope* scope);

  std::string NewName(char letter);
  TypedNames NewNames(char letter, const TypedNames& of);
  void Define(const std::string& name, const Tensor& values);
  DrawnProgram Finish();

  const ProgramOps& ops_;
  PlainCalls& plain_;
  const int64_t most_elements_;
  Choices& choices_;
  std::array<ProgramEvaluator, 2> evaluators_;
  std::map<std::string, Tensor> known_;  // values, and one of those of a range
  std::set<std::string> ranged_;
  std::map<std::string, Tensor> inputs_;  // of the program
  DrawnProgram drawn_;
  Scope top_{&drawn_.main, nullptr};
  int left_ = 0;   // ops
  int depth_ = 0;  // of functions under way
  int names_ = 0;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_PROGRAMS_PROGRAM_DRAWER_H_
