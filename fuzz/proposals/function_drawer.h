// Draws functions of scalars, such as the computation of map.
#ifndef ASSAY_FUZZ_PROPOSALS_FUNCTION_DRAWER_H_
#define ASSAY_FUZZ_PROPOSALS_FUNCTION_DRAWER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/search/choices.h"
#include "spec/op_spec.h"
#include "spec/program.h"

namespace assay {

// Returns the elementwise ops whose operands and result have this type, and
// that need no attributes. Those with a budget are left out unless they are
// asked for.
const std::vector<const OpSpec*>& OpsOn(ElementType type, bool with_budget);

// Values have numbers in their names, and ops are added in dataflow order.
class FunctionDrawer {
 public:
  using Value = TypedName;

  // If it `has_budgets`, ops with a budget are drawn too.
  FunctionDrawer(std::string name, bool has_budgets, Choices* choices)
      : choices_(*choices), has_budgets_(has_budgets) {
    function_.name = std::move(name);
  }

  Value AddArgument(ElementType type);
  // Returns a value that is defined around the function.
  Value Capture(ElementType type);
  // Adds an op on operands of which all have one type but the predicate of a
  // select. Its result has this type.
  Value Add(std::string_view op, const std::vector<Value>& operands,
            ElementType type, std::vector<Attribute> attributes = {});
  // A NOTYPE comparison does not exist: integers, booleans and floats are each
  // compared in their own way. A complex number is compared by its real part if
  // it is compared by order.
  Value AddCompare(std::string_view direction, const Value& lhs,
                   const Value& rhs, bool is_total_order = false);
  // Draws an op on values, or an `if` between two of them, and returns its
  // result, which may be one of the values if no op takes them.
  Value DrawOp(const std::vector<Value>& values);

  Function Finish(const std::vector<Value>& results) &&;

 private:
  Value Define(ElementType type);
  Value DrawOpOn(const std::vector<Value>& values, const Value& first);
  Value DrawIf(const Value& on_true, const Value& on_false);
  const Value& OfType(const std::vector<Value>& values, ElementType type);

  Function function_;
  Choices& choices_;
  const bool has_budgets_;
  int next_ = 0;
};

}  // namespace assay

#endif  // ASSAY_FUZZ_PROPOSALS_FUNCTION_DRAWER_H_
