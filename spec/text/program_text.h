// Programs from StableHLO text, and as text.
//
// The tree (syntax.h) knows what stands in the text; an op's specification
// knows which operand, attribute, function and result has which name. An op
// without an op file is refused by name.
#ifndef ASSAY_SPEC_TEXT_PROGRAM_TEXT_H_
#define ASSAY_SPEC_TEXT_PROGRAM_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "spec/op_spec.h"
#include "spec/program.h"
#include "spec/text/callees.h"
#include "spec/text/parse.h"

namespace assay {

using text::ConstraintsViolated;

// What a reader of programs is for: to judge them, or to verify them alone.
// Only then may they have ops whose family is not judged, and quantized types.
enum class Reading { kJudged, kVerified };

// The functions of a tree, @main first if there is one, whose ops satisfy their
// constraints. Throws ConstraintsViolated for one that does not, SyntaxError
// for what is no program, and NotJudged for what no program here has.
Program BindProgram(const text::Chunk& tree,
                    Reading reading = Reading::kJudged);

// A constraint that an op of a program violates.
struct Violation {
  text::Location location;
  const OpSpec* spec;
  const ConstraintSpec* constraint;
  // What the formula speaks of, with its value in the call: {"rank(lhs)", "2"}.
  std::vector<std::pair<std::string, std::string>> values;
};

// Returns all of the program, in the order of its ops. Throws as BindProgram
// does, but for violated constraints of ops.
std::vector<Violation> VerifyProgram(const text::Chunk& tree);
// Returns the same of statements without a function around them
// (text::ParseStatements).
std::vector<Violation> VerifyStatements(const text::Chunk& tree);

// Reads the text of a chunk, and binds it. Throws InputError that names the
// file, the line and the column.
Program ReadProgram(const std::string& file, const text::ChunkText& chunk,
                    const text::Limits& limits = {});

// The function of a tree's region that ends with func.return. Throws
// SyntaxError, and NotJudged for what no program here has.
Function BindRegion(const std::string& name, const text::Region& region,
                    text::Location location);

// An input function as the generic form writes it between its braces:
// "^bb0(%a: tensor<i8>): stablehlo.return %a : tensor<i8>". What nothing in it
// defines is a capture. It is verified; what is not judged in it, WhyUnjudged
// says. `where` is what errors name: lines are those of `text`.
// `callees` are the functions that it may call; null: it calls none.
Function ReadRegion(const std::string& where, const std::string& name,
                    std::string_view text, const text::Limits& limits = {},
                    Callees* callees = nullptr);

// A function that ops call, in the same form, that ends with func.return. It
// captures nothing.
Function ReadCallee(const std::string& where, const std::string& name,
                    std::string_view text, const text::Limits& limits,
                    Callees* callees);

// The type of a value: "tuple<tensor<2xi8>, !stablehlo.token>".
ValueType ReadValueType(const std::string& where, std::string_view text);

// The texts that ReadRegion and ReadCallee read. Values keep their names.
std::string RegionText(const Function& region);
std::string CalleeText(const Function& function);

// A module in MLIR's generic form.
std::string ProgramText(const Program& program);

// One `func.func private @NAME` in the generic form; its last arguments are the
// captures of the function.
std::string FunctionText(const Function& function);

}  // namespace assay

#endif  // ASSAY_SPEC_TEXT_PROGRAM_TEXT_H_
