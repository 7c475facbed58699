// An OpSpec is what an op is, according to ops/<op>.json. Everything about an
// op follows from this one description.
//
// A file gives inputs, outputs, constraints (formulas, or sentences that code
// decides, under the labels of the text), the clauses of its semantics, the
// inference of result types, and the rule by which results are compared.
// op.schema.json documents every field.
#ifndef ASSAY_SPEC_OP_SPEC_H_
#define ASSAY_SPEC_OP_SPEC_H_

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/builtin_constraint.h"
#include "spec/formula/formula.h"
#include "spec/program.h"

namespace assay {

struct InputSpec {
  // kTensor, kToken, kTuple, kValue: a value computed at run time; kValue is a
  // tensor, a token or a tuple. kFunction: an input function. kName: the name
  // of a function of the program. kShaped: a tensor or vector type, perhaps
  // without a rank, of an op that is verified and never run. kText: a constant
  // that is passed as it stands. kDictionary: constants by name. kMetadata: a
  // text or a dictionary. kType: an element type.
  enum class Kind {
    kTensor,
    kToken,
    kTuple,
    kValue,
    kConstant,
    kEnum,
    kText,
    kName,
    kDictionary,
    kMetadata,
    kType,
    kFunction,
    kShaped
  };
  std::string label;  // "I1", for messages and coverage
  std::string name;
  Kind kind = Kind::kTensor;
  bool variadic = false;            // any number of them, also none; of enums
                                    // and names, a list
  bool is_predicate = false;        // of a pointwise op: i1, never promoted
  std::vector<std::string> types;   // of a tensor ("integer", "any"), or of a
                                    // value ("token"); empty: not restricted
  std::optional<TensorType> type;   // of a constant; its rank may be any where
                                    // the text does not say it
  std::vector<std::string> values;  // of an enum, or names of types
  std::optional<std::string>
      absent;  // of a constant or enum: its text when a call leaves it out
  std::optional<Formula> absent_value;  // the same for formulas
  // Real text leaves some attributes out that the specification requires. This
  // is the value that MLIR then gives them.
  std::optional<Formula> text_default;
  // Where StableHLO text has the constant if it is not an attribute of that
  // name: another attribute, or a field of one
  // ("dimension_numbers.offset_dims").
  std::string text_attribute, text_field;
  // Of an enum that text writes as a number: that of each value.
  std::vector<int64_t> numbers;
  // The text names what the op calls. A case may say which function that is.
  bool is_target = false;
  bool is_radicand = false;  // a root is taken of it, with epsilon added
  // The elements of this operand are indices of another tensor.
  bool is_index = false;
  // The value that an operand must have when the call runs; the behaviour is
  // undefined otherwise.
  std::optional<Formula> at_run_time;
  // Constraints of the op ask for the elements of this operand: value(name).
  bool has_known_value = false;
  // Of a name: a constraint asks whether the program has the function.
  bool may_be_undefined = false;
  // Rows of a constant of two dimensions may differ in length: -1 stands behind
  // the elements of those that are shorter.
  bool is_ragged = false;

  // Returns whether it is an operand, which is computed at run time.
  bool IsValue() const {
    return kind == Kind::kTensor || kind == Kind::kToken ||
           kind == Kind::kTuple || kind == Kind::kValue;
  }
  // Returns whether a value of the type is of this kind.
  static bool IsOfKind(const ValueType& type, Kind kind);
  bool Takes(const ValueType& type) const { return IsOfKind(type, kind); }
};

struct OutputSpec {
  std::string name;
  std::vector<std::string> types;
  bool variadic = false;
  // A result is a tensor, a token, a tuple, or any of these.
  InputSpec::Kind kind = InputSpec::Kind::kTensor;

  bool Gives(const ValueType& type) const {
    return InputSpec::IsOfKind(type, kind);
  }
};

struct ConstraintSpec {
  std::string label;  // "C1", or "I1"/"O1" for what the Inputs and Outputs
                      // tables say of types
  Formula formula;
  std::string sha256;  // of the normalised sentence; empty for I and O
  // This says why no call violates the constraint and nothing else. It is empty
  // if one does.
  std::string never_alone;
  // This says why nothing violates it at all, such as the grammar of text.
  std::string never;
  // If this version lacks something that it takes to exercise the constraint,
  // this says what ("quantized types").
  std::string needs;
  // If code decides the constraint (builtin_constraint.h, or the reader of
  // text), these are the check and the sentence. `formula` is empty then.
  const BuiltinConstraint* check = nullptr;
  std::string sentence;
  std::string policy;  // the key that decides it; empty: the text is clear
  // This says what verifiers accept although it violates the constraint.
  std::string accepted_in_the_field;

  // Returns the formula or the sentence.
  const std::string& Text() const {
    return sentence.empty() ? formula.text() : sentence;
  }
};

// Returns the number of a clause label: the digits of "S6" or "SH-06". "E1" to
// "E6" are the shared clauses of spec/encodings.json and take the numbers 58 to
// 63. Marks are bits of a word, so a number is below 64. Returns nullopt if
// there is no such label.
constexpr std::optional<int> ClauseNumberOf(std::string_view label) {
  int number = -1;
  for (const char c : label) {
    if (c < '0' || c > '9') continue;
    number = (number < 0 ? 0 : number) * 10 + (c - '0');
    if (number > 63) return std::nullopt;
  }
  if (number < 0) return std::nullopt;
  if (label.front() == 'E') number += 57;
  return number > 63 ? std::nullopt : std::optional<int>(number);
}

// A clause is a sentence of the semantics.
struct ClauseSpec {
  std::string label;  // "S1", "SH-08"
  std::string slug;   // "negative_zero": what it says, in a word or two
  int number = 0;     // the label's digits: the bit that marks the clause
  std::string text;
  std::string status;  // defined, implementation_defined, undefined, tbd
  std::string policy;  // the key that decides an open clause; empty if defined
  // This says in our words when the sentence applies. It is empty if the
  // sentence says so itself.
  std::string when;
  // If this version lacks something that it takes to exercise the clause, this
  // says what.
  std::string needs;
  // For clauses that no element of a result executes, this says how the suite
  // judges them.
  std::string judged;
  // For clauses that are not about results, this says what they are about:
  // "allocation".
  std::string about;
};

// How StableHLO text writes an op, as its file has it.
struct OpText {
  std::vector<std::string> forms;
  std::vector<std::string> properties;
  // Properties of MLIR that the specification does not describe, and that
  // mean nothing to the op.
  std::vector<std::string> others = {};
  // Truth values that MLIR writes as unit attributes: false is left out.
  std::vector<std::string> units = {};
  // Properties that later revisions describe.
  std::vector<std::string> later = {};
};

struct OpSpec {
  std::string id;
  // If the op shares its constraints and clauses with others, this names their
  // family: "pointwise".
  std::string family;
  std::string source;  // the document: "stablehlo", "paddle", "mlir", "func",
                       // "flaggems"
  std::string file;    // "spec/ops/add.json"
  int first_line = 0, last_line = 0;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  std::map<std::string, Formula, std::less<>> where;
  std::vector<ConstraintSpec> constraints;
  // The keys are "type(result)", "shape(result)" and "element_type(result)".
  std::map<std::string, Formula, std::less<>> infer;
  std::vector<ClauseSpec> semantics;
  std::string rule;          // bits, exact, ulp
  std::string complex_rule;  // the rule for complex operands
  // For rule exact, this says whether a policy may give floats a budget
  // nevertheless.
  bool may_have_budget = false;
  // For rule ulp, these are the least and the greatest value of the real
  // function.
  std::optional<double> least, greatest;
  // A policy may allow an error of the "operand", or of the "logarithm" (of the
  // base, to base 2); empty if the op has no such error.
  std::string operand_error;
  std::string rule_reason;
  // These are ids of the cases that are the text's own examples.
  std::vector<std::string> examples;
  // Whether the oracle has a function for the op.
  bool executable = true;
  // The family of ops that this version does not judge; empty for others. Such
  // an op is verified and not executed.
  std::string unjudged;
  // Whether programs and calls may have the op.
  bool IsOfPrograms() const { return executable || !unjudged.empty(); }
  // Returns the input that names what the op calls, if the text does not say
  // what that is; nullptr for others.
  const InputSpec* Target() const;
  // Sentences of the semantics that are no clauses, each with the reason.
  std::vector<std::pair<std::string, std::string>> unquoted;
  // The result's element at an index is a function of the operands' elements at
  // that index alone.
  bool elementwise = false;
  // A row of the result (of its first dimension) rests on one row of
  // each operand, whatever the values are; elementwise ops are so.
  bool row_local = false;
  bool IsRowLocal() const { return elementwise || row_local; }
  // A binary op gives the same result if its operands change places.
  bool commutative = false;
  // A binary op that forms a monoid says how: "exact", or as a "sum" or
  // "product", which rounds floats. Empty if it forms none.
  std::string monoid;
  // Laws of functions that are made of the op are proven as those of an
  // "order", of a "ring_sum" or "ring_product", or of "bits". Empty if they are
  // not proven.
  std::string algebra;
  // Each element of a result is one element of an operand.
  bool moves = false;
  // The direction in which the result goes as an operand rises. By sign, it is
  // one direction below zero, and one above it.
  enum class Direction { kIncreasing, kDecreasing, kBySign };
  // The op is monotone in these operands, one by one, if `when` holds.
  struct Monotone {
    std::optional<Formula> when;
    std::map<std::string, Direction, std::less<>> operands;
  };
  std::vector<Monotone> monotone;
  // The op adds many "terms"; with "means" it divides by their number, too.
  // Empty if it does not add.
  std::string adds;
  // The valid calls for which an implementation may raise an error.
  std::optional<Formula> refusable;
  // The op is a conversion: what it does depends on the element types
  // of its operand and result, which a call chooses both.
  bool converts = false;
  // The op controls which ops are executed, or passes values on: it is executed
  // by the runner, and no backend sees it.
  bool control = false;
  // This says how StableHLO text writes the op, as the file has it:
  // text/form_table.h reads it. Ops that are not in that text have none.
  using Text = OpText;
  std::optional<Text> text;

  // A pointwise op is made of these ops, in dataflow order. `inputs` names
  // inputs of this op and outputs of earlier steps.
  struct Step {
    std::string op;
    std::vector<std::string> inputs;
    std::string output;
  };
  std::vector<Step> steps;

  // Returns the op whose constraints and clauses it has: its family, or the op
  // itself.
  const std::string& Family() const { return family.empty() ? id : family; }
  const ClauseSpec* Clause(int number) const;
  const ClauseSpec* Clause(std::string_view label) const;
  const ConstraintSpec* Constraint(std::string_view label) const;
  const InputSpec* Input(std::string_view name) const;
  // Returns whether text has an input of the op as this attribute, or in it.
  bool HasTextAttribute(std::string_view attribute) const;
};

// Returns all ops, sorted by id: those of the op files, and the pointwise ones
// that are made of them (pointwise.h). Throws InputError if an embedded file is
// wrong.
std::span<const OpSpec> Ops();
// Returns their ids, from which a misspelled name is guessed.
std::vector<std::string> OpIds();
// Returns nullptr if there is no such op, or other element of programs
// (elements.h).
const OpSpec* FindOp(std::string_view id);

// Reads one op file. Throws InputError that names the file and, for a formula,
// the JSON pointer.
OpSpec ParseOpSpec(std::string_view file, std::string_view text);

// Returns where a constraint is in its op file: "/constraints/C1/formula", or
// "/inputs/0" for one of a type column.
std::string PointerOf(const OpSpec& spec, const ConstraintSpec& constraint);

struct ConstraintResult {
  const ConstraintSpec* constraint;
  Truth truth;
  Value value;  // value of the formula; None of a builtin constraint
  std::string
      reason;  // of a builtin constraint: the part of the call that decides

  // Returns "C1 .. is false: formula" for messages: the text of the constraint
  // and the reason.
  std::string Text() const;
};

// Evaluates every constraint on a call that has all of its operands, attributes
// and results. Constraints with a `policy` follow it; without an argument, the
// policy is `assay`.
std::vector<ConstraintResult> CheckConstraints(const OpSpec& spec,
                                               const Op& call,
                                               const Policy& policy);
std::vector<ConstraintResult> CheckConstraints(const OpSpec& spec,
                                               const Op& call);

// Returns what the formula of a constraint speaks of, each with its value in
// the call: inputs, outputs, local definitions, and functions of these.
std::vector<std::pair<std::string, std::string>> ValuesOf(
    const OpSpec& spec, const Op& call, const ConstraintSpec& constraint);

// Returns what this version lacks to judge the results of a call that satisfies
// its constraints: the family of the op, or "quantized types". Empty: nothing.
std::string UnjudgedBecause(const OpSpec& spec, const Op& call);
// Returns the same of all ops of a function, those of its regions and of what
// it calls as well.
std::string UnjudgedBecause(const Function& function);
// Returns the same of an op whose target is no function of the case.
std::string UnknownTarget(std::string_view target);

// The value that an operand must have when a call runs; nullopt if any will do,
// or its type has no such value.
std::optional<Tensor> RunTimeValue(const OpSpec& spec,
                                   const Op::Operand& operand, const Op& call);

// Returns the first rule that holds of a call, or nullptr.
const OpSpec::Monotone* FindMonotone(const OpSpec& spec, const Op& call);
// Returns whether an implementation may raise an error for a valid call, or for
// one in the functions that the call names.
bool IsRefusable(const OpSpec& spec, const Op& call);

// The value of an attribute that text leaves out; nullopt if there is none, or
// the formula does not give a value of the attribute's type.
std::optional<AttributeValue> TextDefault(const OpSpec& spec,
                                          const InputSpec& input,
                                          const Op& call);

// This is the type of each result, as far as the specification infers it: for
// "type(result)" it is the whole type, for "shape(result)" alone `element_type`
// stays empty (the output type is load-bearing and must be given). It is
// undefined where the formula is. A variadic output has as many results as its
// formulas say, and none where they say nothing.
struct InferredType {
  std::string output;  // The name of the output.
  std::optional<Shape> shape;
  std::optional<ElementType> element_type;
  std::shared_ptr<const Quantization> quantization = nullptr;
  // The bytes of all elements do not fit 63 bits. There is no such type, and it
  // has no shape.
  bool is_too_large = false;

  bool IsWhole() const { return shape && element_type; }
  // Precondition: it is whole.
  TensorType Type() const;
};
std::vector<InferredType> InferResultTypes(const OpSpec& spec, const Op& call);
// Returns what is inferred of result number `number` of an output, or nullptr.
const InferredType* FindInferred(const std::vector<InferredType>& types,
                                 std::string_view output, size_t number);
// Returns what is inferred of result number `result` of a call, or nullptr.
const InferredType* FindInferred(const std::vector<InferredType>& types,
                                 const Op& call, size_t result);

}  // namespace assay

#endif  // ASSAY_SPEC_OP_SPEC_H_
