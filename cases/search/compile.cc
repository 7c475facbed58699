#include "cases/search/compile.h"

#include <algorithm>
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
    const auto child = [&](size_t i) { return Of(node.children[i]); };
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
        return node.children.size() == 1 ? child(0)
                                         : Subscript(child(0), child(1));
      case Node::Kind::kSlice:
        return Slice(child(0), child(1), child(2));
      case Node::Kind::kSpread:
        return child(0);
      case Node::Kind::kNegate:
        return Arithmetic("-", Constant(int64_t{0}), child(0));
      case Node::Kind::kNot:
        return Negation(child(0));
      case Node::Kind::kAnd:
        return Conjunction({child(0), child(1)});
      case Node::Kind::kOr:
        return Disjunction(child(0), child(1));
      case Node::Kind::kArithmetic:
        return Arithmetic(node.text, child(0), child(1));
      case Node::Kind::kComparison:
        return Chain(node);
      case Node::Kind::kConditional:
        return Conditional(node);
      case Node::Kind::kImplication:
        return Implication(node);
      case Node::Kind::kForAll:
      case Node::Kind::kComprehension:
        return Loop(node);
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
    std::vector<std::optional<Term::List>> spread;
    for (const Node& child : node.children) {
      arguments.push_back(Of(child));
      spread.emplace_back();
      if (child.kind != Node::Kind::kSpread || arguments.back().IsSettled())
        continue;
      if (arguments.back().As<Expression>() != nullptr)
        return CallOfEach(node.text, arguments);
      spread.back() = TermsOf(arguments.back());
      if (!spread.back()) throw NotUnderstood();
      if (length && *length != spread.back()->size()) return Constant(false);
      length = spread.back()->size();
    }
    if (!length) return Apply(node.text, arguments);
    Term::List results;
    for (size_t i = 0; i < *length; ++i) {
      Term::List scalars = arguments;
      for (size_t k = 0; k < arguments.size(); ++k) {
        if (spread[k]) scalars[k] = (*spread[k])[i];
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

  // Lists of which the length is not known are put together in the search.
  Term List(const Node& node) {
    std::vector<Expression> parts;
    Term::List items;
    const auto finish_items = [&] {
      if (!items.empty()) parts.push_back(ToExpression({items}));
      items.clear();
    };
    for (const Node& child : node.children) {
      Term item = Of(child);
      if (item.IsSettled()) return item;
      if (child.kind != Node::Kind::kSpread) {
        items.push_back(std::move(item));
      } else if (const std::optional<Term::List> list = TermsOf(item)) {
        items.insert(items.end(), list->begin(), list->end());
      } else {
        finish_items();
        parts.push_back(ToExpression(item));
      }
    }
    if (parts.empty()) return ListOf(std::move(items));
    finish_items();
    return parts.size() == 1 ? Term{parts[0]} : Compiled(Kind::kConcat, parts);
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
    if (op == "in")
      return Compiled(Kind::kIsIn, {ToExpression(a), ToExpression(b)});
    const bool is_swapped = op[0] == '>';
    return Compiled(
        op.size() == 1 ? Kind::kLess : Kind::kLessOrEqual,
        {ToExpression(is_swapped ? b : a), ToExpression(is_swapped ? a : b)});
  }

  Term Conditional(const Node& node) {
    const Term condition = Of(node.children[0]);
    if (condition.IsSettled()) return condition;
    if (const std::optional<Truth> known = KnownTruth(condition)) {
      if (*known != Truth::kTrue && *known != Truth::kFalse) return condition;
      return Of(node.children[*known == Truth::kTrue ? 1 : 2]);
    }
    const Term a = Of(node.children[1]), b = Of(node.children[2]);
    if (a.IsSettled() || b.IsSettled()) return {};
    return Compiled(Kind::kConditional, {ToExpression(condition),
                                         ToExpression(a), ToExpression(b)});
  }

  Term Implication(const Node& node) {
    const Term condition = Of(node.children[0]);
    if (KnownTruth(condition) == Truth::kFalse) return Constant(true);
    return Disjunction(Negation(condition), Of(node.children[1]));
  }

  // Compiles the body for an element. A definition that is used in it may bind
  // the same name.
  Term Body(const Node& node, Term element) {
    const auto it = bound_.find(node.text);
    const std::optional<Term> outer =
        it == bound_.end() ? std::nullopt : std::optional(it->second);
    bound_.insert_or_assign(node.text, std::move(element));
    Term body = Of(node.children[1]);
    bound_.erase(node.text);
    if (outer) bound_.emplace(node.text, *outer);
    return body;
  }

  // For all gives the truth of its body for all elements, and a comprehension
  // the list of what its body is for each of them.
  Term Loop(const Node& node) {
    const bool is_truth = node.kind == Node::Kind::kForAll;
    const Term range = Of(node.children[0]);
    if (range.IsSettled()) return range;
    if (const std::optional<Term::List> elements = TermsOf(range)) {
      Term::List all;
      for (const Term& element : *elements) all.push_back(Body(node, element));
      if (is_truth) return Conjunction(all);
      return IsAnySettled(all) ? Term{} : ListOf(std::move(all));
    }
    if (depth_ == kMostIndices) throw NotUnderstood();
    const Expression index = Expression::OfSlot(Kind::kIndex, depth_);
    const auto* matrix = range.As<Term::Matrix>();
    Expression places =
        matrix == nullptr
            ? ToExpression(range)
            : Expression::Of(Kind::kRange,
                             {Expression::Of(Kind::kElement,
                                             {Expression::OfSlot(Kind::kShape,
                                                                 matrix->shape),
                                              Expression::Number(0)})});
    ++depth_;
    const Term body =
        Body(node,
             matrix == nullptr ? Term{index} : Term{Term::Row{*matrix, index}});
    --depth_;
    if (body.IsSettled() || (is_truth && body.As<Expression>() == nullptr))
      return body;
    Expression loop = Expression::Of(is_truth ? Kind::kForAll : Kind::kMap,
                                     {std::move(places), ToExpression(body)});
    loop.slot = depth_;
    return {std::move(loop)};
  }

  const OpSpec& spec_;
  const Terms& members_;
  Terms bound_;  // by loops
  size_t depth_ = 0;
};

}  // namespace

Term Compile(const Formula& formula, const OpSpec& spec, const Terms& members) {
  return Compiler(spec, members).Of(formula.root());
}

}  // namespace assay
