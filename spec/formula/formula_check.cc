// A type is the set of kinds that a value may have (formula_type.h). A part of
// a formula is refused only if no kind that it may have fits, so parts of
// unknown kind pass.
#include "spec/formula/formula_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using Node = Formula::Node;
using Kind = Node::Kind;

using Type = FormulaType;

class Checker {
 public:
  explicit Checker(const OpSpec& spec) : spec_(spec) {
    for (const InputSpec& input : spec.inputs)
      members_.emplace(input.name, TypeOfInput(input));
    for (const OutputSpec& output : spec.outputs)
      members_.emplace(output.name, output.variadic
                                        ? Type{kListKind, kTensorKind}
                                        : Type{kTensorKind});
  }

  // `expected` is the kind of the whole formula; for truth values, which
  // constraints are made of, a list of them is accepted too.
  void CheckFormula(const std::string& pointer, const Formula& formula,
                    Kinds expected) {
    pointer_ = pointer;
    infers_ = pointer.starts_with("/infer/");
    const Type type = Check(formula.root());
    if (expected == kBooleanKind)
      RequireTruth(type, "the formula must be");
    else if (!type.MayBe(expected))
      Complain(fmt::format("the formula must be {}, not {}", Describe(expected),
                           Describe(type.kinds)));
  }

  std::vector<FormulaComplaint> TakeComplaints() {
    return std::move(complaints_);
  }

 private:
  static Type TypeOfInput(const InputSpec& input) {
    if (input.kind == InputSpec::Kind::kFunction ||
        input.kind == InputSpec::Kind::kName)
      return input.variadic ? Type{kListKind, kFunctionKind}
                            : Type{kFunctionKind};
    if (input.IsValue())
      return input.variadic ? Type{kListKind, kTensorKind} : Type{kTensorKind};
    if (input.kind == InputSpec::Kind::kEnum) {
      Type type{kSymbolKind};
      type.symbols.insert(input.values.begin(), input.values.end());
      if (input.variadic) {
        type.element = type.kinds;
        type.kinds = kListKind;
      }
      return type;
    }
    if (input.kind == InputSpec::Kind::kType)
      return {kElementTypeKind | kNoneKind};
    if (!input.type && input.kind == InputSpec::Kind::kConstant)
      return {kTensorKind};
    if (!input.type) return {kAnyKind};
    const Kinds element = IsBoolean(input.type->element_type)   ? kBooleanKind
                          : IsInteger(input.type->element_type) ? kNumberKind
                                                                : kAnyKind;
    switch (input.type->shape.size()) {
      case 0:
        return {element};
      case 1:
        return {kListKind | kConstantKind, element};
      default:
        return {kListKind | kConstantKind, kListKind};
    }
  }

  void Complain(const std::string& reason) {
    const auto same = [&](const FormulaComplaint& c) {
      return c.pointer == pointer_ && c.reason == reason;
    };
    if (std::ranges::none_of(complaints_, same))
      complaints_.push_back({pointer_, reason});
  }

  void ComplainIf(const std::string& reason) {
    if (!reason.empty()) Complain(reason);
  }

  Type Check(const Node& node) {
    switch (node.kind) {
      case Kind::kInteger:
        return {kNumberKind};
      case Kind::kName:
        return Lookup(node.text);
      case Kind::kCall:
        return Call(node);
      case Kind::kList:
        return List(node);
      case Kind::kIndex:
      case Kind::kSlice:
        return Subscript(node);
      case Kind::kSpread:
        return Spread(node);
      case Kind::kNegate:
        return Arithmetic("-", Check(node.children[0]), {kNumberKind});
      case Kind::kArithmetic:
        return Arithmetic(node.text, Check(node.children[0]),
                          Check(node.children[1]));
      case Kind::kNot:
        RequireTruth(Check(node.children[0]), "'not' takes");
        return {kBooleanKind};
      case Kind::kAnd:
      case Kind::kOr:
        for (const Node& child : node.children)
          RequireTruth(Check(child),
                       node.kind == Kind::kAnd ? "'and' takes" : "'or' takes");
        return {kBooleanKind};
      case Kind::kImplication:
        for (const Node& child : node.children)
          RequireTruth(Check(child), "'If .., then ..' takes");
        return {kBooleanKind};
      case Kind::kForAll:
        RequireTruth(Loop(node), "'For all' takes");
        return {kBooleanKind};
      case Kind::kComprehension: {
        const Type body = Loop(node);
        return {kListKind, body.kinds, body.symbols};
      }
      case Kind::kComparison:
        return Comparison(node);
      case Kind::kConditional:
        return Conditional(node);
      case Kind::kNone:
        break;
    }
    return {kNoneKind};
  }

  Type Lookup(const std::string& name) {
    if (infers_ && std::ranges::find(spec_.outputs, name, &OutputSpec::name) !=
                       spec_.outputs.end())
      Complain(fmt::format("'{}' is an output, and not there yet", name));
    if (const auto it = members_.find(name); it != members_.end())
      return it->second;
    if (const auto it = spec_.where.find(name); it != spec_.where.end()) {
      if (!open_.insert(name).second) {
        Complain(fmt::format("'{}' is defined by itself", name));
        return {kAnyKind};
      }
      const Type type = Check(it->second.root());
      open_.erase(name);
      return type;
    }
    if (ParseElementType(name) || name == kTensorFloat32)
      return {kElementTypeKind};
    if (IsProcessCount(name)) return {kNumberKind};
    if (name == "true" || name == "false") return {kBooleanKind};
    if (name == "None") return {kNoneKind};
    Type symbol{kSymbolKind};
    symbol.symbols.insert(name);
    return symbol;
  }

  Type Call(const Node& node) {
    const FunctionSignature& signature =
        FindSignature(node.text, node.children.size());
    bool maps = false;
    for (size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      const bool spread = child.kind == Kind::kSpread;
      maps |= spread;
      const Type type = Check(child);
      const Kinds kinds = spread ? type.element : type.kinds;
      if ((kinds & signature.parameters[i].kinds) == 0)
        Complain(fmt::format("{}() takes {}, not {}", node.text,
                             Describe(signature.parameters[i].kinds),
                             Describe(kinds)));
    }
    if (maps) return {kListKind, signature.result.kinds};
    return signature.result;
  }

  Type List(const Node& node) {
    Type list{kListKind, 0};
    for (const Node& child : node.children) {
      const Type type = Check(child);
      list.element |= child.kind == Kind::kSpread ? type.element : type.kinds;
      list.symbols.insert(type.symbols.begin(), type.symbols.end());
    }
    if (node.children.empty()) list.element = kAnyKind;
    return list;
  }

  Type Spread(const Node& node) {
    Type type = Check(node.children[0]);
    if (!type.MayBe(kListKinds)) {
      Complain(
          fmt::format("'...' follows a list, not {}", Describe(type.kinds)));
      return {kAnyKind};
    }
    return type;
  }

  // A subscript is x[], x[i] or x[a:b].
  Type Subscript(const Node& node) {
    const Type base = Check(node.children[0]);
    if (node.children.size() == 1) return base;
    if (!base.MayBe(kListKinds))
      Complain(fmt::format("a subscript follows a list, not {}",
                           Describe(base.kinds)));
    for (size_t i = 1; i < node.children.size(); ++i) {
      const Type index = Check(node.children[i]);
      const bool absent = node.children[i].kind == Kind::kNone;
      if (!absent && !index.MayBe(kNumberKind))
        Complain(fmt::format("a subscript is a number, not {}",
                             Describe(index.kinds)));
    }
    return node.kind == Kind::kIndex ? Type{base.element} : base;
  }

  Type Arithmetic(const std::string& op, const Type& lhs, const Type& rhs) {
    const auto require = [&](const Type& type) {
      const bool list = type.MayBe(kListKinds) &&
                        (type.element & (kNumberKind | kListKinds)) != 0;
      if (list || type.MayBe(kNumberKind)) return;
      Complain(
          fmt::format("'{}' takes numbers, not {}", op, Describe(type.kinds)));
    };
    require(lhs);
    require(rhs);
    const Kinds lists = (lhs.kinds | rhs.kinds) & kListKinds;
    if (lists == 0) return {kNumberKind};
    const bool scalar = (lhs.kinds & rhs.kinds & kNumberKind) != 0;
    return {kListKind | (scalar ? kNumberKind : 0), kNumberKind};
  }

  void RequireTruth(const Type& type, const char* who) {
    const bool list = type.MayBe(kListKind) &&
                      (type.element & (kBooleanKind | kListKinds)) != 0;
    if (!list && !type.MayBe(kBooleanKind))
      Complain(
          fmt::format("{} a truth value, not {}", who, Describe(type.kinds)));
  }

  Type Comparison(const Node& node) {
    std::vector<Type> types;
    for (const Node& child : node.children) types.push_back(Check(child));
    for (size_t i = 0; i < node.operators.size(); ++i)
      ComplainIf(CompareComplaint(node.operators[i], types[i], types[i + 1]));
    return {kBooleanKind};
  }

  // Returns the type of the body.
  Type Loop(const Node& node) {
    const Type range = Check(node.children[0]);
    if (!range.MayBe(kListKinds))
      Complain(fmt::format("a loop goes through a list, not {}",
                           Describe(range.kinds)));
    // A definition that the body names may have a loop of its own.
    const auto members = members_;
    members_.insert_or_assign(node.text,
                              Type{range.element, kAnyKind, range.symbols});
    Type body = Check(node.children[1]);
    members_ = members;
    return body;
  }

  Type Conditional(const Node& node) {
    RequireTruth(Check(node.children[0]), "'if' takes");
    Type type = Check(node.children[1]);
    type.Add(Check(node.children[2]));
    return type;
  }

  const OpSpec& spec_;
  std::map<std::string, Type, std::less<>> members_;
  std::set<std::string> open_;  // definitions that are being looked at
  std::string pointer_;
  bool infers_ = false;  // a result type, from inputs alone
  std::vector<FormulaComplaint> complaints_;
};

}  // namespace

std::vector<FormulaComplaint> CheckTypes(const OpSpec& spec) {
  Checker checker(spec);
  for (const auto& [name, formula] : spec.where)
    checker.CheckFormula("/where/" + name, formula, kAnyKind);
  for (const ConstraintSpec& constraint : spec.constraints) {
    if (constraint.check == nullptr)
      checker.CheckFormula(PointerOf(spec, constraint), constraint.formula,
                           kBooleanKind);
  }
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    if (spec.inputs[i].text_default)
      checker.CheckFormula(
          fmt::format("/inputs/{}/text_default", i),
          *spec.inputs[i].text_default,
          kSymbolKind | kNumberKind | kBooleanKind | kListKind);
  }
  for (const auto& [target, formula] : spec.infer) {
    Kinds expected = target.starts_with("type(")    ? kTypeKind
                     : target.starts_with("shape(") ? kListKinds
                                                    : kElementTypeKind;
    // The results of a variadic output have a list of them. Clang 14 does not
    // capture `target`.
    const std::string_view name = target;
    if (std::ranges::any_of(spec.outputs, [&](const OutputSpec& output) {
          return output.variadic && name.ends_with("(" + output.name + ")");
        }))
      expected = kListKinds;
    checker.CheckFormula("/infer/" + target, formula, expected);
  }
  return checker.TakeComplaints();
}

}  // namespace assay
