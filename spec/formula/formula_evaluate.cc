// This file evaluates a formula's syntax tree: names, logic, arithmetic,
// ellipsis. The global functions are in formula_functions.cc.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/formula/formula.h"
#include "spec/formula/formula_node.h"

namespace assay {

using Node = Formula::Node;
using Kind = Node::Kind;
using List = Value::List;

const char* Name(Truth truth) {
  switch (truth) {
    case Truth::kFalse:
      return "false";
    case Truth::kUndefined:
      return "undefined";
    case Truth::kDeferred:
      return "deferred";
    case Truth::kTrue:
      return "true";
  }
  return "";
}

Truth And(Truth a, Truth b) { return std::min(a, b); }

Truth Not(Truth a) {
  if (a == Truth::kTrue) return Truth::kFalse;
  return a == Truth::kFalse ? Truth::kTrue : a;
}

Truth Or(Truth a, Truth b) { return Not(And(Not(a), Not(b))); }

Value ToValue(Truth truth) {
  switch (truth) {
    case Truth::kFalse:
      return false;
    case Truth::kTrue:
      return true;
    case Truth::kDeferred:
      return Value::Unknown{};
    case Truth::kUndefined:
      break;
  }
  return Value::Undefined{"an operand of the logic is undefined"};
}

Truth TruthOf(const Value& value) {
  if (const bool* truth = value.As<bool>())
    return *truth ? Truth::kTrue : Truth::kFalse;
  if (value.Is<Value::Unknown>()) return Truth::kDeferred;
  if (const List* list = value.As<List>()) {
    Truth all = Truth::kTrue;
    for (const Value& element : *list) all = And(all, TruthOf(element));
    return all;
  }
  return Truth::kUndefined;
}

struct Value::Listed {
  List elements;
  std::optional<TensorType> type;
};

Value::Value(List list)
    : rep_(std::make_shared<const Listed>(
          Listed{std::move(list), std::nullopt})) {}

Value::Value(List list, TensorType type)
    : rep_(std::make_shared<const Listed>(
          Listed{std::move(list), std::move(type)})) {}

const List* Value::Elements(const Listed& listed) { return &listed.elements; }

const TensorType* Value::TypeOfConstant() const {
  const SharedList* list = std::get_if<SharedList>(&rep_);
  return list != nullptr && (*list)->type ? &*(*list)->type : nullptr;
}

Value Value::FromTensor(const Tensor& tensor) {
  const ElementType type = tensor.element_type();
  const auto element = [&](int64_t i) -> Value {
    if (IsFloat(type) || IsComplex(type))
      return Undefined{"an element that is not an integer or a boolean"};
    const __int128 value = ValueOf(type, tensor.Bits(i));
    if (IsBoolean(type)) return value != 0;
    return OfInteger(value);
  };
  int64_t next = 0;
  const std::function<Value(size_t)> nested = [&](size_t dimension) -> Value {
    if (dimension == tensor.type().shape.size()) return element(next++);
    List list;
    for (int64_t i = 0; i < tensor.type().shape[dimension]; ++i)
      list.push_back(nested(dimension + 1));
    if (dimension > 0) return list;
    return Value(std::move(list), tensor.type());
  };
  return nested(0);
}

std::string Value::ToString() const {
  struct Printer {
    std::string operator()(None) const { return "None"; }
    std::string operator()(Unknown) const { return "?"; }
    std::string operator()(const Undefined& u) const {
      return "undefined (" + u.reason + ")";
    }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(int64_t i) const { return std::to_string(i); }
    std::string operator()(Wide wide) const {
      return fmt::format("{}", wide.number);
    }
    std::string operator()(double d) const { return fmt::format("{}", d); }
    std::string operator()(const Symbol& s) const { return s.name; }
    std::string operator()(const std::string& s) const { return '"' + s + '"'; }
    std::string operator()(ElementType t) const { return Name(t); }
    std::string operator()(const Quantized& q) const {
      return q.quantization->ToString();
    }
    std::string operator()(const TensorType& t) const { return t.ToString(); }
    std::string operator()(TokenType t) const {
      return ValueType(t).ToString();
    }
    std::string operator()(const TupleType& t) const {
      return ValueType(t).ToString();
    }
    std::string operator()(const FunctionType& t) const { return t.ToString(); }
    std::string operator()(const Placeholder& p) const {
      return p.type.ToString();
    }
    std::string operator()(const SharedList& list) const {
      std::vector<std::string> items;
      for (const Value& value : list->elements)
        items.push_back(value.ToString());
      return fmt::format("[{}]", fmt::join(items, ", "));
    }
  };
  return std::visit(Printer{}, rep_);
}

std::optional<__int128> IntegerOf(const Value& value) {
  if (const int64_t* number = value.As<int64_t>()) return *number;
  if (const Value::Wide* wide = value.As<Value::Wide>()) return wide->number;
  return std::nullopt;
}

Value OfInteger(__int128 integer) {
  const auto number = static_cast<int64_t>(integer);
  if (number == integer) return number;
  return Value::Wide{integer};
}

std::optional<Value> FindUndecided(const std::vector<Value>& values) {
  std::optional<Value> found;
  for (const Value& value : values) {
    if (value.Is<Value::Undefined>()) return value;
    if (value.Is<Value::Unknown>()) found = value;
  }
  return found;
}

namespace {

class Evaluator {
 public:
  explicit Evaluator(const Environment& environment)
      : environment_(environment) {}

  Value Evaluate(const Node& node) {
    switch (node.kind) {
      case Kind::kInteger:
        return node.integer;
      case Kind::kName:
        return Lookup(node.text);
      case Kind::kCall:
        return Call(node);
      case Kind::kList:
        return Elements(node.children);
      case Kind::kIndex:
        return Subscript(node);
      case Kind::kSlice:
        return Slice(node);
      case Kind::kSpread:
        return Evaluate(node.children[0]);  // a bare `xs...` is xs
      case Kind::kNegate:
        return Arithmetic("-", int64_t{0}, Evaluate(node.children[0]));
      case Kind::kNot:
        return ToValue(Not(Truth_(node.children[0])));
      case Kind::kAnd:
        return ToValue(And(Truth_(node.children[0]), Truth_(node.children[1])));
      case Kind::kOr:
        return ToValue(Or(Truth_(node.children[0]), Truth_(node.children[1])));
      case Kind::kArithmetic:
        return Arithmetic(node.text, Evaluate(node.children[0]),
                          Evaluate(node.children[1]));
      case Kind::kComparison:
        return Chain(node);
      case Kind::kConditional:
        return Conditional(node);
      case Kind::kImplication:
        return Implication(node);
      case Kind::kForAll:
        return ForAll(node);
      case Kind::kComprehension:
        return Comprehension(node);
      case Kind::kNone:
        break;
    }
    return Value::None{};
  }

 private:
  Truth Truth_(const Node& node) { return TruthOf(Evaluate(node)); }

  Value Lookup(const std::string& name) {
    if (const auto it = bound_.find(name); it != bound_.end())
      return it->second;
    if (const auto it = environment_.members.find(name);
        it != environment_.members.end())
      return it->second;
    if (environment_.definitions != nullptr) {
      const auto it = environment_.definitions->find(name);
      if (it != environment_.definitions->end()) {
        if (++depth_ > 50)
          throw FormulaError(fmt::format("'{}' is defined by itself", name));
        Value value = Evaluate(it->second.root());
        --depth_;
        return value;
      }
    }
    if (const std::optional<ElementType> type = ParseElementType(name))
      return *type;
    if (name == "true") return true;
    if (name == "false") return false;
    if (name == "None") return Value::None{};
    if (name == kTensorFloat32) return Symbol{name};
    if (IsProcessCount(name)) return Value::Unknown{};
    // Enum constants are written in capitals and are their own value.
    const auto is_capital = [](char c) {
      return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
    };
    if (std::all_of(name.begin(), name.end(), is_capital)) return Symbol{name};
    throw FormulaError(fmt::format("unknown name '{}'", name));
  }

  // f(a, xs...) is the list of the function's values for each element of xs.
  // Several spread arguments advance together.
  Value Call(const Node& node) {
    std::vector<Value> arguments;
    std::vector<size_t> spread;
    for (const Node& child : node.children) {
      if (child.kind == Kind::kSpread) spread.push_back(arguments.size());
      arguments.push_back(Evaluate(child));
    }
    if (spread.empty()) return CallFunction(node.text, arguments);
    if (const std::optional<Value> undecided = FindUndecided(arguments))
      return *undecided;
    size_t length = 0;
    for (size_t i = 0; i < spread.size(); ++i) {
      const List* list = arguments[spread[i]].As<List>();
      if (list == nullptr)
        return Value::Undefined{"'...' behind something that is not a list"};
      if (i > 0 && list->size() != length)
        return Value::Undefined{"'...' over lists of different lengths"};
      length = list->size();
    }
    List results;
    for (size_t k = 0; k < length; ++k) {
      std::vector<Value> scalars = arguments;
      for (size_t i : spread) scalars[i] = (*arguments[i].As<List>())[k];
      results.push_back(CallFunction(node.text, scalars));
    }
    return results;
  }

  // In [a, xs..., b] a spread element contributes its elements, which is how
  // our dialect writes concatenation.
  Value Elements(const std::vector<Node>& nodes) {
    List list;
    for (const Node& node : nodes) {
      Value value = Evaluate(node);
      if (node.kind != Kind::kSpread) {
        list.push_back(std::move(value));
        continue;
      }
      const List* items = value.As<List>();
      if (items == nullptr)
        return value.Is<Value::Unknown>()
                   ? value
                   : Value::Undefined{
                         "'...' behind something that is not a list"};
      list.insert(list.end(), items->begin(), items->end());
    }
    return list;
  }

  Value Subscript(const Node& node) {
    Value base = Evaluate(node.children[0]);
    if (node.children.size() == 1)
      return base;  // x[] is the element of a 0-dimensional tensor
    const std::vector<Value> operands = {base, Evaluate(node.children[1])};
    if (const std::optional<Value> undecided = FindUndecided(operands))
      return *undecided;
    const List* list = base.As<List>();
    const int64_t* index = operands[1].As<int64_t>();
    if (list == nullptr || index == nullptr)
      return Value::Undefined{
          "subscript of something that is not a list, or by something that is "
          "not an integer"};
    if (*index < 0 || *index >= static_cast<int64_t>(list->size())) {
      return Value::Undefined{
          fmt::format("index {} of a list of {}", *index, list->size())};
    }
    return (*list)[static_cast<size_t>(*index)];
  }

  Value Slice(const Node& node) {
    const std::vector<Value> parts = {Evaluate(node.children[0]),
                                      Evaluate(node.children[1]),
                                      Evaluate(node.children[2])};
    if (const std::optional<Value> undecided = FindUndecided(parts))
      return *undecided;
    const List* list = parts[0].As<List>();
    if (list == nullptr)
      return Value::Undefined{"slice of something that is not a list"};
    const int64_t size = static_cast<int64_t>(list->size());
    const int64_t lower = parts[1].Is<Value::None>() ? 0
                          : parts[1].As<int64_t>()   ? *parts[1].As<int64_t>()
                                                     : -1;
    const int64_t upper = parts[2].Is<Value::None>() ? size
                          : parts[2].As<int64_t>()   ? *parts[2].As<int64_t>()
                                                     : -1;
    if (lower < 0 || upper > size || lower > upper)
      return Value::Undefined{
          fmt::format("slice [{}:{}] of a list of {}", lower, upper, size)};
    return List(list->begin() + lower, list->begin() + upper);
  }

  static bool IsZero(const Value& value) {
    const int64_t* number = value.As<int64_t>();
    return number != nullptr && *number == 0;
  }

  Value Arithmetic(const std::string& op, const Value& lhs, const Value& rhs) {
    // 0 times a size that is not known is 0.
    if (op == "*" && ((IsZero(lhs) && rhs.Is<Value::Unknown>()) ||
                      (IsZero(rhs) && lhs.Is<Value::Unknown>())))
      return int64_t{0};
    if (const std::optional<Value> undecided = FindUndecided({lhs, rhs}))
      return *undecided;
    const List* lhs_list = lhs.As<List>();
    const List* rhs_list = rhs.As<List>();
    if (lhs_list != nullptr || rhs_list != nullptr) {
      if (lhs_list && rhs_list && lhs_list->size() != rhs_list->size())
        return Value::Undefined{"arithmetic on lists of different lengths"};
      List result;
      const size_t size = lhs_list ? lhs_list->size() : rhs_list->size();
      for (size_t i = 0; i < size; ++i) {
        result.push_back(Arithmetic(op, lhs_list ? (*lhs_list)[i] : lhs,
                                    rhs_list ? (*rhs_list)[i] : rhs));
      }
      return result;
    }
    const std::optional<__int128> a = IntegerOf(lhs), b = IntegerOf(rhs);
    if (!a || !b)
      return Value::Undefined{"arithmetic on something that is not an integer"};
    __int128 r = 0;
    bool overflows = false;
    if (op == "+") {
      overflows = __builtin_add_overflow(*a, *b, &r);
    } else if (op == "-") {
      overflows = __builtin_sub_overflow(*a, *b, &r);
    } else if (op == "*") {
      overflows = __builtin_mul_overflow(*a, *b, &r);
    } else if (*b == 0) {
      return Value::Undefined{"division by zero"};
    } else if (*b == -1) {  // The least integer by -1 would trap.
      overflows = __builtin_sub_overflow(__int128{0}, *a, &r);
      if (op == "%") return int64_t{0};
    } else {
      // Python's division goes to the floor.
      r = *a / *b - (*a % *b != 0 && (*a < 0) != (*b < 0));
      if (op == "%") r = *a - r * *b;
    }
    if (overflows)
      return Value::Undefined{"an integer of the formula overflows 128 bits"};
    return OfInteger(r);
  }

  // a = b = c means that all three are equal. Comparing neighbors alone would
  // not suffice: a type with a `?` is compatible with two types that are not
  // the same.
  Value Chain(const Node& node) {
    Truth all = Truth::kTrue;
    std::vector<Value> equals = {Evaluate(node.children[0])};
    for (size_t i = 0; i < node.operators.size(); ++i) {
      const std::string& op = node.operators[i];
      Value rhs = Evaluate(node.children[i + 1]);
      if (op != "=") equals = {equals.back()};
      for (const Value& lhs : equals)
        all = And(all, TruthOf(Compare(op, lhs, rhs)));
      if (op != "=") equals.clear();
      equals.push_back(std::move(rhs));
    }
    return ToValue(all);
  }

  Value Conditional(const Node& node) {
    switch (Truth_(node.children[0])) {
      case Truth::kTrue:
        return Evaluate(node.children[1]);
      case Truth::kFalse:
        return Evaluate(node.children[2]);
      case Truth::kDeferred:
        return Value::Unknown{};
      case Truth::kUndefined:
        break;
    }
    return Value::Undefined{"the condition is undefined"};
  }

  Value Implication(const Node& node) {
    const Truth condition = Truth_(node.children[0]);
    if (condition == Truth::kFalse) return true;
    return ToValue(Or(Not(condition), Truth_(node.children[1])));
  }

  // Calls `visit` with the body of a loop evaluated for each element. Returns
  // why there is no loop, or nullopt.
  template <class F>
  std::optional<Value> Loop(const Node& node, F visit) {
    const Value range = Evaluate(node.children[0]);
    if (std::optional<Value> undecided = FindUndecided({range}))
      return undecided;
    const List* list = range.As<List>();
    if (list == nullptr)
      return Value::Undefined{"a loop through something that is not a list"};
    // A definition that is evaluated inside may bind the same name.
    std::optional<Value> outer;
    if (const auto it = bound_.find(node.text); it != bound_.end())
      outer = it->second;
    for (const Value& element : *list) {
      bound_.insert_or_assign(node.text, element);
      visit(Evaluate(node.children[1]));
    }
    bound_.erase(node.text);
    if (outer) bound_.emplace(node.text, *std::move(outer));
    return std::nullopt;
  }

  Value ForAll(const Node& node) {
    Truth all = Truth::kTrue;
    if (std::optional<Value> why = Loop(
            node, [&](const Value& body) { all = And(all, TruthOf(body)); }))
      return *std::move(why);
    return ToValue(all);
  }

  Value Comprehension(const Node& node) {
    List list;
    if (std::optional<Value> why =
            Loop(node, [&](Value body) { list.push_back(std::move(body)); }))
      return *std::move(why);
    return list;
  }

  const Environment& environment_;
  std::map<std::string, Value, std::less<>> bound_;  // by 'For all'
  int depth_ = 0;
};

}  // namespace

Value Evaluate(const Formula& formula, const Environment& environment) {
  return Evaluator(environment).Evaluate(formula.root());
}

}  // namespace assay
