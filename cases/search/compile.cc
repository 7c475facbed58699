#include "cases/search/compile.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spec/formula/formula_node.h"

namespace assay {
namespace {

using Node = Formula::Node;
using Kind = Expression::Kind;

class Compiler {
 public:
  Compiler(const OpSpec& spec, const Terms& members)
      : spec_(spec), members_(members) {}

  Term Of(const Node& node) {
    switch (node.kind) {
      case Node::Kind::kInteger:
        return Constant(node.integer);
      case Node::Kind::kName:
        return Named(node.text);
      case Node::Kind::kCall:
        return Call(node);
      case Node::Kind::kList:
        return List(node);
      case Node::Kind::kIndex:
        return Subscript(node);
      case Node::Kind::kSlice:
        return Slice(node);
      case Node::Kind::kSpread:
        return Of(node.children[0]);
      case Node::Kind::kNegate:
        return Arithmetic("-", Constant(int64_t{0}), Of(node.children[0]));
      case Node::Kind::kNot:
        return Negation(Of(node.children[0]));
      case Node::Kind::kAnd:
        return Conjunction({Of(node.children[0]), Of(node.children[1])});
      case Node::Kind::kOr:
        return Disjunction(Of(node.children[0]), Of(node.children[1]));
      case Node::Kind::kArithmetic:
        return Arithmetic(node.text, Of(node.children[0]),
                          Of(node.children[1]));
      case Node::Kind::kComparison:
        return Chain(node);
      case Node::Kind::kConditional:
        return Conditional(node);
      case Node::Kind::kImplication:
        return Implication(node);
      case Node::Kind::kForAll:
        return ForAll(node);
      case Node::Kind::kComprehension:
        throw NotUnderstood();
      case Node::Kind::kNone:
        break;
    }
    return Constant(Value::None{});
  }

 private:
  Term Named(const std::string& name) {
    if (const auto it = bound_.find(name); it != bound_.end())
      return it->second;
    if (const auto it = members_.find(name); it != members_.end())
      return it->second;
    if (const auto it = spec_.where.find(name); it != spec_.where.end())
      return Of(it->second.root());
    // The other names are constants of the notation.
    const Environment nothing;
    return Constant(Evaluate(Formula::Parse(name), nothing));
  }

  Term Call(const Node& node) {
    Term::List arguments;
    std::optional<size_t> length;
    std::vector<bool> is_spread;
    for (const Node& child : node.children) {
      arguments.push_back(Of(child));
      is_spread.push_back(child.kind == Node::Kind::kSpread);
      if (!is_spread.back() || arguments.back().IsSettled()) continue;
      if (arguments.back().As<Expression>() != nullptr)
        return CallOfEach(node.text, arguments);
      const auto* list = arguments.back().As<Term::List>();
      if (list == nullptr) throw NotUnderstood();
      if (length && *length != list->size()) return Constant(false);
      length = list->size();
    }
    if (!length) return Apply(node.text, arguments);
    Term::List results;
    for (size_t i = 0; i < *length; ++i) {
      Term::List scalars = arguments;
      for (size_t k = 0; k < arguments.size(); ++k) {
        const auto* list = arguments[k].As<Term::List>();
        if (is_spread[k] && list != nullptr) scalars[k] = (*list)[i];
      }
      results.push_back(Apply(node.text, scalars));
    }
    return {results};
  }

  // dim(x, places...) is the only function of each element of a list that is
  // not known.
  static Term CallOfEach(const std::string& name, const Term::List& arguments) {
    if (name != "dim" || arguments.size() != 2) throw NotUnderstood();
    const auto* tensor = arguments[0].As<Term::Tensor>();
    if (tensor == nullptr) throw NotUnderstood();
    return Compiled(Kind::kGather,
                    {Expression::OfSlot(Kind::kShape, tensor->number),
                     ToExpression(arguments[1])});
  }

  static Term Apply(const std::string& name, const Term::List& arguments) {
    // Nothing is quantized, whatever its type is.
    constexpr std::array kQuantized = {
        "is_quantized", "is_per_axis_quantized", "is_per_tensor_quantized",
        "storage_type", "storage_min",           "storage_max",
        "scales",       "expressed_type",        "quantization_dimension",
        "zero_points"};
    if (std::ranges::find(kQuantized, name) != kQuantized.end())
      return Constant(CallFunction(name, {ElementType::kI1}));
    if (IsAnySettled(arguments)) return {};
    if (AreAllConstant(arguments)) {
      std::vector<Value> values;
      for (const Term& term : arguments) values.push_back(*ConstantOf(term));
      return Constant(CallFunction(name, values));
    }
    if (const auto* tensor = arguments[0].As<Term::Tensor>())
      return OfTensor(name, *tensor, arguments);
    if (const auto* list = arguments[0].As<Term::List>())
      return OfList(name, *list, arguments);
    const Expression first = ToExpression(arguments[0]);
    if (name == "size")
      return first.is_list ? Compiled(Kind::kLength, {first})
                           : Constant(int64_t{1});
    if (name == "is_unique") return Compiled(Kind::kIsUnique, {first});
    if (name == "range") return Compiled(Kind::kRange, {first});
    if (name == "without" || name == "max")
      return Compiled(name == "max" ? Kind::kMax : Kind::kWithout,
                      {first, ToExpression(arguments[1])});
    throw NotUnderstood();
  }

  static Term OfTensor(const std::string& name, const Term::Tensor& tensor,
                       const Term::List& arguments) {
    const auto of_slot = [&](Kind kind) {
      return Expression::OfSlot(kind, tensor.number);
    };
    if (name == "type" || name == "baseline_type") return {tensor};
    if (name == "shape") return {of_slot(Kind::kShape)};
    if (name == "rank") return {of_slot(Kind::kRank)};
    if (name == "size") return {of_slot(Kind::kSize)};
    if (name == "axes") return Compiled(Kind::kRange, {of_slot(Kind::kRank)});
    if (name == "dim")
      return Compiled(Kind::kElement,
                      {of_slot(Kind::kShape), ToExpression(arguments[1])});
    if (name == "broadcast" || name == "is_broadcastable") {
      const auto* other = arguments[1].As<Term::Tensor>();
      if (other == nullptr) throw NotUnderstood();
      return Compiled(
          name == "broadcast" ? Kind::kBroadcast : Kind::kIsBroadcastable,
          {of_slot(Kind::kShape),
           Expression::OfSlot(Kind::kShape, other->number)});
    }
    // The other functions are of the element type.
    if (!tensor.type) return {};
    if (name == "element_type" || name == "baseline_element_type")
      return Constant(*tensor.type);
    if (arguments.size() == 1)
      return Constant(CallFunction(name, {*tensor.type}));
    throw NotUnderstood();
  }

  static Term OfList(const std::string& name, const Term::List& list,
                     const Term::List& arguments) {
    if (name == "size") return Constant(static_cast<int64_t>(list.size()));
    if (name == "same") {
      Term::List all;
      for (const Term& term : list) all.push_back(Equality(list[0], term));
      if (!all.empty()) all.erase(all.begin());
      return Conjunction(all);
    }
    if (name == "sum")
      return Compiled(Kind::kSum, ToExpression(arguments[0]).children);
    if (name == "is_unique")
      return Compiled(Kind::kIsUnique, {ToExpression(arguments[0])});
    throw NotUnderstood();
  }

  Term List(const Node& node) {
    Term::List items;
    for (const Node& child : node.children) {
      Term item = Of(child);
      if (item.IsSettled()) return item;
      if (child.kind != Node::Kind::kSpread) {
        items.push_back(std::move(item));
      } else if (const auto* list = item.As<Term::List>()) {
        items.insert(items.end(), list->begin(), list->end());
      } else {
        throw NotUnderstood();
      }
    }
    if (!AreAllConstant(items)) return {items};
    Value::List values;
    for (const Term& item : items) values.push_back(*ConstantOf(item));
    return Constant(std::move(values));
  }

  Term Subscript(const Node& node) {
    const Term base = Of(node.children[0]);
    if (node.children.size() == 1 || base.IsSettled()) return base;
    const Term index = Of(node.children[1]);
    if (index.IsSettled()) return index;
    const auto* list = base.As<Term::List>();
    if (list == nullptr)
      return Compiled(Kind::kElement,
                      {ToExpression(base), ToExpression(index)});
    const int64_t* number = NumberOf(index);
    if (number == nullptr) throw NotUnderstood();
    // Nothing stands there, and another constraint says so.
    if (*number < 0 || *number >= static_cast<int64_t>(list->size())) return {};
    return (*list)[static_cast<size_t>(*number)];
  }

  Term Slice(const Node& node) {
    std::vector<Expression> parts;
    for (const Node& child : node.children) {
      const Term term = Of(child);
      if (term.IsSettled()) return term;
      const Value* value = ConstantOf(term);
      if (value != nullptr && value->Is<Value::None>())
        parts.push_back(parts.size() == 1
                            ? Expression::Number(0)
                            : Expression::Of(Kind::kLength, {parts[0]}));
      else
        parts.push_back(ToExpression(term));
    }
    return Compiled(Kind::kSlice, std::move(parts));
  }

  static Term Arithmetic(const std::string& op, const Term& a, const Term& b) {
    if (a.IsSettled() || b.IsSettled()) return {};
    const int64_t* x = NumberOf(a);
    const int64_t* y = NumberOf(b);
    if (op == "*" && x != nullptr && y != nullptr) return Constant(*x * *y);
    if (op == "+" && x != nullptr && y != nullptr) return Constant(*x + *y);
    if (op == "%") throw NotUnderstood();
    const Kind kind = op == "+"   ? Kind::kAdd
                      : op == "-" ? Kind::kSubtract
                      : op == "*" ? Kind::kMultiply
                                  : Kind::kFloorDivide;
    return Compiled(kind, {ToExpression(a), ToExpression(b)});
  }

  Term Chain(const Node& node) {
    Term::List all;
    Term lhs = Of(node.children[0]);
    for (size_t i = 0; i < node.operators.size(); ++i) {
      Term rhs = Of(node.children[i + 1]);
      all.push_back(Comparison(node.operators[i], lhs, rhs));
      lhs = std::move(rhs);
    }
    return Conjunction(all);
  }

  static Term Comparison(const std::string& op, const Term& a, const Term& b) {
    if (a.IsSettled() || b.IsSettled()) return {};
    if (op == "=") return Equality(a, b);
    if (op == "!=") return Negation(Equality(a, b));
    if (ConstantOf(a) != nullptr && ConstantOf(b) != nullptr)
      return Constant(Compare(op, *ConstantOf(a), *ConstantOf(b)));
    if (op == "in") throw NotUnderstood();
    const bool is_swapped = op[0] == '>';
    return Compiled(
        op.size() == 1 ? Kind::kLess : Kind::kLessOrEqual,
        {ToExpression(is_swapped ? b : a), ToExpression(is_swapped ? a : b)});
  }

  Term Conditional(const Node& node) {
    const Term condition = Of(node.children[0]);
    if (condition.IsSettled()) return condition;
    if (const std::optional<bool> known = KnownTruth(condition))
      return Of(node.children[*known ? 1 : 2]);
    const Term a = Of(node.children[1]), b = Of(node.children[2]);
    if (a.IsSettled() || b.IsSettled()) return {};
    return Compiled(Kind::kConditional, {ToExpression(condition),
                                         ToExpression(a), ToExpression(b)});
  }

  Term Implication(const Node& node) {
    const Term condition = Of(node.children[0]);
    if (KnownTruth(condition) == false) return Constant(true);
    return Disjunction(Negation(condition), Of(node.children[1]));
  }

  Term ForAll(const Node& node) {
    const Term range = Of(node.children[0]);
    if (range.IsSettled()) return range;
    const auto with = [&](Term element) {
      bound_.insert_or_assign(node.text, std::move(element));
      Term truth = Of(node.children[1]);
      bound_.erase(node.text);
      return truth;
    };
    if (const auto* list = range.As<Term::List>()) {
      Term::List all;
      for (const Term& element : *list) all.push_back(with(element));
      return Conjunction(all);
    }
    if (const Value* value = ConstantOf(range)) {
      Term::List all;
      for (const Value& element : *value->As<Value::List>())
        all.push_back(with(Constant(element)));
      return Conjunction(all);
    }
    if (depth_ == kMostIndices) throw NotUnderstood();
    const Term body = with({Expression::OfSlot(Kind::kIndex, depth_++)});
    --depth_;
    if (body.As<Expression>() == nullptr) return body;
    Expression all = Expression::Of(Kind::kForAll,
                                    {ToExpression(range), ToExpression(body)});
    all.slot = depth_;
    return {std::move(all)};
  }

  const OpSpec& spec_;
  const Terms& members_;
  std::map<std::string, Term, std::less<>> bound_;  // by 'For all'
  size_t depth_ = 0;
};

}  // namespace

Term Compile(const Formula& formula, const OpSpec& spec, const Terms& members) {
  return Compiler(spec, members).Of(formula.root());
}

}  // namespace assay
