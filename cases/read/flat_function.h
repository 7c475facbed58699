// A function of StableHLO text becomes one without calls, constants and checks:
// what is left of it is computed.
#ifndef ASSAY_CASES_READ_FLAT_FUNCTION_H_
#define ASSAY_CASES_READ_FLAT_FUNCTION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cases/near_literal.h"
#include "spec/text/syntax.h"
#include "spec/types/tensor.h"

namespace assay {

// More statements than this, or arguments, are a mistake or an attack: calls
// of functions that call others double with each level.
inline constexpr int64_t kMostFlatStatements = 4096;

inline constexpr char kConstantStatement[] = "stablehlo.constant";
// A constant with this attribute stays an op of the function that is flattened,
// because a compiler that sees its value is what is judged.
inline constexpr char kStaysConstant[] = "assay.stays_constant";

struct FlatFunction {
  struct Check {
    Tensor literal;
    // Absent: the result must have the bits of the literal.
    std::optional<Nearness> nearness;
  };

  // Its arguments are constants; it returns what is checked. If nothing is
  // checked, its first arguments are those of the function, and it returns what
  // the function does.
  text::Region region;
  std::vector<Tensor> constants;  // of the last arguments
  std::vector<Check> checks;      // of the returned values, or none
};

// The functions of a module by their names.
using FunctionsOfText =
    std::map<std::string, const text::Function*, std::less<>>;

// Says which functions of a module check something: in a statement of their
// own, in one of a region, or in a function that they call.
class ChecksOfFunctions {
 public:
  explicit ChecksOfFunctions(const FunctionsOfText& functions);
  bool Has(const text::Function& function) const {
    return have_checks_.contains(&function);
  }

 private:
  std::unordered_set<const text::Function*> have_checks_;
};

// Flattens a function that checks something, and so has its operands in itself.
// Throws SyntaxError, and NotJudged for what cases do not have. Precondition:
// `function` has a body, and `functions` are of its module.
FlatFunction FlattenChecks(const text::Function& function,
                           const FunctionsOfText& functions);

// Flattens a function that checks nothing, and may take tensors. It throws what
// FlattenChecks does.
FlatFunction FlattenResults(const text::Function& function,
                            const FunctionsOfText& functions);

}  // namespace assay

#endif  // ASSAY_CASES_READ_FLAT_FUNCTION_H_
