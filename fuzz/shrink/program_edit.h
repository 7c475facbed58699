// The functions of a program, and the simplest changes of it: parts of it, and
// what is left without tuples. Private to the shrinker.
#ifndef ASSAY_FUZZ_SHRINK_PROGRAM_EDIT_H_
#define ASSAY_FUZZ_SHRINK_PROGRAM_EDIT_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/case.h"
#include "oracle/control/execute.h"
#include "spec/policy.h"

namespace assay {

// Returns the functions of a program: the first, and those inside of its ops
// and called by them, each behind the one that it is in. What is called is
// copied first, so that it may be changed.
std::vector<Function*> FunctionsOf(Program* program);
// Returns the function that an op calls. Precondition: the op is one of those
// that FunctionsOf returned last.
Function* CalleeOf(Op* op);
// Returns how many ops a function has, with those of the functions inside of it
// and called by it.
int64_t CountOps(const Function& function);

// An OpPlace says where an op stands in a program.
struct OpPlace {
  size_t function;  // of FunctionsOf
  size_t position;  // in its body
};
Op& OpAt(OpPlace place, Program* program);
// Returns the places of all ops, from the last op of each function to the
// first.
std::vector<OpPlace> OpPlacesOf(const Program& program);

// Executes the program of a case by the oracle, and leaves the values of its
// function. Returns false if it takes more steps than kFuel.
// Preconditions: the case runs, and all values of its function are tensors.
bool Execute(const Case& c, const Policy& policy, Walk::Values* values);

// Puts one value in the place of another wherever a function, or one inside of
// its ops, uses it. A called function does not see it.
void Replace(const std::string& from, const std::string& to,
             Function* function);
std::set<std::string> UsedIn(const std::vector<Function*>& functions);
// Returns the values of the ops whose results nobody uses.
std::set<std::string> DeadIn(const std::vector<Function*>& functions);
// Removes what nobody needs: ops, inputs, layouts. Ops that define a value of
// `kept` stay. Returns nothing if no op is left, or no result that an op
// computes.
std::optional<Case> Cleaned(Case c, const std::set<std::string>& kept);

// Gives each call a function of its own, and each function and value a name of
// its own.
Case WithOwnNames(Case c);

// Takes the members of tuples from where they come from; nothing if there are
// no tuples and tokens, or some stay.
std::optional<Case> WithoutTuples(const Case& c);

// OneOp makes one op of a program a call of its own, whose operands are the
// oracle's results of earlier ops. FirstOps removes the last ops of a program.
std::optional<Case> OneOp(const Case& c, size_t op, const Policy& policy);
std::optional<Case> FirstOps(const Case& c, size_t count);

}  // namespace assay

#endif  // ASSAY_FUZZ_SHRINK_PROGRAM_EDIT_H_
