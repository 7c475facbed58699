// Programs are drawn op by op, and each op is evaluated as soon as it is there:
// one whose results the oracle cannot tell under the policy of a compiler,
// which decides little, is drawn again. So a program is decided by the way it
// is made.
#ifndef ASSAY_FUZZ_PROGRAMS_PROGRAM_DRAWER_H_
#define ASSAY_FUZZ_PROGRAMS_PROGRAM_DRAWER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/search/choices.h"
#include "fuzz/draw/plain_calls.h"
#include "fuzz/programs/program_ops.h"
#include "fuzz/proposals/control_ops.h"
#include "oracle/program.h"
#include "spec/program.h"

namespace assay {

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
  bool DrawPlain(const ProgramOps::Choice& choice, Scope* scope);
  bool DrawControl(Scope* scope);
  bool DrawBranches(ControlKind kind, Scope* scope);
  bool DrawLoop(Scope* scope);
  bool DrawFunctionCall(ControlKind kind, Scope* scope);
  bool DrawBarrier(Scope* scope);
  bool DrawTuple(Scope* scope);

  // A call of which one operand is bound to a value, if any is.
  struct Call {
    Op op;
    std::optional<size_t> bound;
  };
  const ProgramOps::Choice& DrawChoice(const Scope& scope);
  // Precondition: the scope has a value, which some of the signatures take.
  const Signature& DrawSignature(const std::vector<const Signature*>& taking,
                                 Scope* scope);
  std::optional<Call> DrawCall(const ProgramOps::Choice& choice, Scope* scope);
  // Returns whether the call is small, and of functions that its scope allows.
  bool MayAdd(const OpSpec& spec, const Op& op, const Scope* scope);
  void DrawOps(Scope* scope, uint32_t count);
  // Adds the op if its results are decided.
  bool Add(Op op, Scope* scope);
  bool IsDecided(const Op& op);
  // Removes all ops of the function under way but the first ones.
  void TakeBack(size_t ops, Scope* scope);
  // Binds the operands of a call, but for number `bound`, to values or to new
  // inputs of their types.
  void Bind(std::optional<size_t> bound, Scope* scope, Op* op);

  // Returns one of the values that the scope sees, mostly a recent one: of the
  // type, if it is not null, only one that is known unless `takes_ranged`, and
  // not the one of the name `except`.
  const TypedName* Pick(Scope* scope, const TensorType* type, bool takes_ranged,
                        std::string_view except = {});
  TypedName PickOrInput(Scope* scope, const TensorType& type,
                        std::string_view except = {});
  TypedName NewInput(Scope* scope, Tensor values);
  // Returns the result of a new constant.
  TypedName NewConstant(Scope* scope, Tensor values);
  bool DrawsConstant();
  // Returns a new constant or a new input.
  TypedName NewValue(Scope* scope, Tensor values);
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
  ProgramEvaluator evaluator_;
  const ProgramOps::Choices* leaning_ = nullptr;
  const ProgramOps::Choice* last_ = nullptr;
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
