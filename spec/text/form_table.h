// The forms of all ops: those of spec/ops come from the op files, and those of
// other dialects, and of ops that have no op file, from forms.json.
#ifndef ASSAY_SPEC_TEXT_FORM_TABLE_H_
#define ASSAY_SPEC_TEXT_FORM_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "spec/op_spec.h"
#include "spec/text/form.h"
#include "spec/text/syntax.h"

namespace assay::text {

// An OpForm has the forms of an op, and what else the text layer knows of it.
struct OpForm {
  std::string name;  // "stablehlo.add"
  // None of an op that has the generic form alone.
  std::vector<Form> forms = {};
  // The attributes that MLIR prints as properties: in "<{..}>".
  std::vector<std::string> properties = {};
  // Ops that the specification of this revision does not have: "deprecated",
  // "later" or "internal", and empty for the others.
  std::string status = {};
  std::string reason = {};  // One clause, of ops with a status.
  // An op of StableHLO that does the same on tensors; empty: none.
  std::string same_as = {};
};

// The op of that name; null if it has no entry. Also takes the names that stand
// without their dialect: "call", "return", "module".
const OpForm* FindForm(std::string_view name);

// Returns the op of StableHLO that the statement stands for: its own, or one
// that does the same.
std::string_view MeaningOf(const Statement& statement);

// Returns the name of the enum that an attribute of the op is a constant of:
// that of its form, or else the attribute's own. `op` may be null.
std::string EnumOf(const OpForm* op, const std::string& attribute);
// Returns the same of an input of kind enum: if that is no enum of the text,
// the enum that has all values of the input.
std::string EnumOf(const OpForm* op, const InputSpec& input);

// All entries, sorted by name.
const std::vector<OpForm>& OpForms();

// The constants of an enum; null if there is none of that name.
const std::vector<std::string>* FindEnum(std::string_view name);

// Returns the names of the ops that "reduce(..) applies" may name: monoids.
const std::vector<std::string>& Reducers();

// Reads what an op file says of the op's text. Throws InputError that names the
// file if it says nothing though StableHLO writes the op, if it names what
// neither the op nor the language of forms has, or if forms.json has the op
// too. Precondition: the spec's source is "stablehlo".
OpForm ReadOpForm(const OpSpec& spec);

}  // namespace assay::text

#endif  // ASSAY_SPEC_TEXT_FORM_TABLE_H_
