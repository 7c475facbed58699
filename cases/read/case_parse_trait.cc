// The operands and results of a trait's case are types, and no value has some
// of them, so the call is in Case::trait and its program cannot run.
#include <fmt/format.h>

#include <algorithm>

#include "cases/read/case_parse.h"
#include "spec/op_spec.h"
#include "spec/pointwise/broadcast.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

ShapedType ParseShaped(const JsonView& text) {
  std::string reason;
  const std::optional<ShapedType> type =
      ParseShapedType(text.String(), &reason);
  if (!type) text.Fail(reason);
  return *type;
}

// Returns the sizes of an operand when the call runs: those given, or those of
// its type.
Shape ParseRuntimeShape(const JsonView& operand, const ShapedType& type) {
  if (!type.IsRanked())
    operand.Fail(
        "a case about what happens when the call runs has ranked "
        "operands only");
  const auto given = operand.Find("shape");
  if (!given) {
    if (std::ranges::find(*type.shape, kDynamic) != type.shape->end())
      operand.Fail("'shape' is missing: other operands have one");
    return *type.shape;
  }
  Shape shape;
  for (const JsonView& size : given->Elements())
    shape.push_back(size.Integer(0, INT64_MAX));
  bool fits = shape.size() == type.shape->size();
  for (size_t d = 0; fits && d < shape.size(); ++d)
    fits = (*type.shape)[d] == kDynamic || (*type.shape)[d] == shape[d];
  if (!fits)
    given->Fail(fmt::format("no value of type {} has this shape", type.text));
  return shape;
}

void ParseOperands(const JsonView& inputs, TraitCase* trait) {
  inputs.RequireObject({"operands"});
  const JsonElements operands = inputs.At("operands").Elements();
  bool runs = false;
  for (const JsonView& operand : operands) {
    operand.RequireObject({"type", "shape"});
    trait->call.operands.push_back(ParseShaped(operand.At("type")));
    runs |= operand.Find("shape").has_value();
  }
  for (size_t i = 0; runs && i < operands.size(); ++i)
    trait->runtime.push_back(
        ParseRuntimeShape(operands[i], trait->call.operands[i]));
}

void ParseResults(const JsonView& outputs, TraitCase* trait) {
  outputs.RequireObject({"result"});
  const JsonView result = outputs.At("result");
  std::vector<JsonView> results = {result};
  if (result.json().is_array()) {
    const JsonElements elements = result.Elements();
    results.assign(elements.begin(), elements.end());
  }
  for (const JsonView& element : results) {
    element.RequireObject({"type"});
    trait->call.results.push_back(ParseShaped(element.At("type")));
  }
}

std::string ParseExpectedShape(const JsonView& text) {
  std::optional<Shape> unused;
  if (!ParseShapeText(text.String(), &unused))
    text.Fail(
        fmt::format("'{}' is not a shape: \"2x?x4\", \"()\" of rank 0, "
                    "\"*\" if nothing is inferred",
                    Cut(text.String())));
  return text.String();
}

void ParseExpect(const JsonView& expect, Case* c) {
  TraitCase& trait = *c->trait;
  const OpSpec& spec = *FindOp(c->op);
  expect.RequireObject({"shape", "violates", "runtime", "undefined"});
  if (const auto violates = expect.Find("violates")) {
    c->violates = violates->json().is_array()
                      ? violates->Strings()
                      : std::vector<std::string>{violates->String()};
    if (c->violates.empty()) violates->Fail("at least one constraint");
    for (const std::string& label : c->violates) {
      if (spec.Constraint(label) == nullptr)
        violates->Fail(
            fmt::format("{} has no constraint '{}'", c->op, Cut(label)));
    }
  }
  if (const auto shape = expect.Find("shape"))
    trait.shape = ParseExpectedShape(*shape);
  if (const auto runtime = expect.Find("runtime"))
    trait.runtime_shape = ParseExpectedShape(*runtime);
  if (const auto undefined = expect.Find("undefined")) {
    trait.undefined = undefined->String();
    if (spec.Clause(trait.undefined) == nullptr &&
        spec.Constraint(trait.undefined) == nullptr)
      undefined->Fail(
          fmt::format("{} has no clause '{}'", c->op, Cut(trait.undefined)));
  }
}

}  // namespace

void ParseTraitCase(const JsonView& json, Case* c) {
  json.RequireObject({"id", "flags", "covers", "source", "policy", "inputs",
                      "outputs", "expect"});
  TraitCase& trait = c->trait.emplace();
  c->is_static = false;
  ParseOperands(json.At("inputs"), &trait);
  ParseResults(json.At("outputs"), &trait);
  if (const auto expect = json.Find("expect")) ParseExpect(*expect, c);
  const bool about_running = trait.runtime_shape || !trait.undefined.empty();
  if (trait.runtime_shape && !trait.undefined.empty())
    json.At("expect").Fail("either 'runtime' or 'undefined'");
  if (trait.runtime.empty() == about_running)
    json.Fail(
        "operands with a 'shape' go with 'runtime' or 'undefined' in "
        "'expect'");
  if (about_running && !c->violates.empty())
    json.At("expect").Fail("a call that violates a constraint does not run");
  if ((trait.shape || about_running) && c->source.empty())
    json.Fail("literal expectations need a 'source'");
  Function& main = c->program.functions.emplace_back();
  main.name = "main";
  main.body.push_back(trait.call.ToOp());
}

}  // namespace assay
