// A Region is a function of the specification that is applied to scalars: the
// computation of map, the body of reduce, the comparator of sort.
//
// The function is compiled once: names become slots, and what does not rest on
// its arguments is evaluated. It is applied to many tuples of arguments side by
// side, so that an op of its body costs one evaluation on a column of scalars,
// not one for each application. A function with an op that is not elementwise
// is evaluated op by op for each application.
#ifndef ASSAY_ORACLE_REGION_H_
#define ASSAY_ORACLE_REGION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/program.h"
#include "oracle/scalar_op.h"
#include "oracle/scalars.h"

namespace assay {

class Region {
 public:
  // `function` is a region of `call`, which outlives this object.
  // Preconditions: its arguments and results are tensors of rank 0.
  Region(const Function& function, const OpCall& call);

  // Returns the results of so many applications, by result of the function.
  // `arguments` has a column for each argument, all of one size.
  std::vector<Scalars> Apply(const std::vector<Scalars>& arguments);

  // Returns whether every op that rests on arguments is elementwise.
  bool IsOnColumns() const { return is_on_columns_; }
  // Returns the scalars in the function that do not rest on its arguments, if
  // it is on columns.
  std::vector<std::pair<ElementType, Possible>> Constants() const;

  // Returns the clauses of the body's ops that were executed so far.
  const std::vector<OpMarks>& marks() const { return marks_; }

 private:
  // A Slot is a value that rests on the arguments, or a scalar that is the same
  // in all applications.
  struct Slot {
    ElementType type;
    Scalars column;
    std::optional<Possible> constant = std::nullopt;
    bool constant_is_unrounded = false;
    // By application: whether a backend may leave the value unrounded. Empty:
    // in none.
    std::vector<bool> unrounded = {};
  };
  // A Step is an op of the body that is evaluated on columns.
  struct Step {
    ScalarOp op;
    const Op* call;
    std::vector<size_t> operands;
    size_t result;
  };

  // Returns whether the op rests on arguments.
  bool RestsOnArguments(const Op& op) const;
  bool IsOnColumns(const Op& op) const;
  // Returns the slot of a value; one that does not rest on arguments gets one.
  size_t SlotOf(const TypedName& value);
  void AddStep(const Op& op);
  const Scalars& ColumnOf(size_t slot, int64_t size);

  std::vector<Scalars> ApplyToColumns(const std::vector<Scalars>& arguments);
  void MarkUnrounded(const Step& step, int64_t size);
  std::vector<Scalars> ApplyOneByOne(const std::vector<Scalars>& arguments);
  // Evaluates the body on one range of each argument.
  std::vector<Possible> ApplyOnce(const std::vector<Possible>& arguments);
  void AddMarksOf(const OpSpec& spec, const Evaluation& evaluation);

  const Function& function_;
  const Policy& policy_;
  const Marks wanted_;
  const Unrounded unrounded_;
  ProgramEvaluator constants_;  // captures, and what rests on them alone
  std::vector<Slot> slots_;
  std::map<std::string, size_t, std::less<>> slot_of_;
  std::vector<Step> steps_;
  std::vector<const Op*> later_;  // the ops that rest on arguments
  std::vector<size_t> results_;
  bool is_on_columns_ = true;
  std::vector<OpMarks> constant_marks_, marks_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REGION_H_
