#include "backends/calls/pointwise.h"

#include <string.h>

namespace assay::calls {
namespace {

int NumOutputs(std::string_view name) { return name == "polar" ? 2 : 1; }

// Returns whether the number of operands is right for the functions that are
// made of ops. The kernels know how many operands an op takes.
bool HasOperandsOf(std::string_view name, int num_inputs) {
  if (name == "copy_func") return num_inputs == 1;
  if (name == "polar") return num_inputs == 2;
  if (name == "add_func") return num_inputs == 3;
  return num_inputs >= 1 && num_inputs <= kMaxInputs;
}

bool PromoteOutput(const AssayCall& call, const Argument* arguments, int o,
                   const Promotion& promotion, PointwiseProgram* program,
                   Complaint* complaint) {
  Promoted& promoted = program->outputs[o];
  if (!Promote(promotion, arguments, &promoted)) {
    return complaint->Say(
        "promotion_methods: the operands of output %d have no type in common",
        o);
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    if (program->IsPredicate(k)) continue;
    if (CategoryOf(program->inputs[k]) > CategoryOf(promoted.computation)) {
      return complaint->Say(
          "operand %d is of a higher category than output %d is computed in", k,
          o);
    }
  }
  Type type;
  if (!ParseType(call.outputs[o], &type) || type != promoted.result) {
    return complaint->Say("output %d has not the type that is promoted to", o);
  }
  return true;
}

// The type that values are compared in determines how they are compared.
bool CheckCompareType(const AssayCall& call, const Type& computation,
                      Complaint* complaint) {
  const char* text = "";
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, "compare_type") == 0) {
      text = call.attributes[i].text;
    }
  }
  const std::string_view type = text;
  const Kind kind = computation.kind;
  const bool is_float = kind == Kind::kFloat || kind == Kind::kFormat;
  const std::string_view wanted =
      kind == Kind::kSigned                            ? "SIGNED"
      : kind == Kind::kUnsigned || kind == Kind::kBool ? "UNSIGNED"
                                                       : "FLOAT";
  const bool fits = type == wanted || (is_float && type == "TOTALORDER");
  return fits || complaint->Say(
                     "compare_type %s is not of the type that is "
                     "computed in",
                     text);
}

bool CheckTypes(const AssayCall& call, PointwiseProgram* program,
                Complaint* complaint) {
  const char* text = nullptr;
  for (int32_t i = 0; i < call.num_attributes; ++i) {
    if (strcmp(call.attributes[i].name, "promotion_methods") == 0) {
      text = call.attributes[i].text;
    }
  }
  Promotion promotions[kMaxOutputs];
  const char* wrong =
      ParsePromotions(text, call.num_inputs, call.num_outputs, promotions);
  if (wrong != nullptr) return complaint->Say("promotion_methods %s", wrong);
  Argument arguments[kMaxInputs];
  for (int k = 0; k < call.num_inputs; ++k) {
    const bool is_scalar = (call.inputs[k].flags & ASSAY_SCALAR) != 0;
    arguments[k] = {program->inputs[k], call.inputs[k].tensor.ndim > 0,
                    is_scalar};
  }
  if (program->name == "select" && program->inputs[0].kind != Kind::kBool) {
    return complaint->Say("operand 0, the predicate, is not of type i1");
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    if (!PromoteOutput(call, arguments, o, promotions[o], program, complaint)) {
      return false;
    }
  }
  return program->name != "compare" ||
         CheckCompareType(call, program->outputs[0].computation, complaint);
}

}  // namespace

const char* PointwiseName(const char* op) {
  constexpr std::string_view kPrefix = "pointwise.";
  return strncmp(op, kPrefix.data(), kPrefix.size()) == 0 ? op + kPrefix.size()
                                                          : nullptr;
}

AssayStatus ReadPointwise(const AssayCall& call, PointwiseProgram* program,
                          Complaint* complaint) {
  *program = {};
  program->name = PointwiseName(call.op);
  program->num_inputs = call.num_inputs;
  program->num_outputs = call.num_outputs;
  program->attributes = call.attributes;
  program->num_attributes = call.num_attributes;
  if (!HasOperandsOf(program->name, call.num_inputs) ||
      call.num_outputs != NumOutputs(program->name)) {
    complaint->Say("%s: number of operands not implemented", call.op);
    return ASSAY_UNSUPPORTED;
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    if (ParseType(call.inputs[k], &program->inputs[k])) continue;
    complaint->Say("%s: element type not implemented", call.op);
    return ASSAY_UNSUPPORTED;
  }
  if (!CheckBroadcast(call, complaint) ||
      !CheckTypes(call, program, complaint)) {
    return ASSAY_INVALID;
  }
  return ASSAY_OK;
}

}  // namespace assay::calls
