// What a violated constraint speaks of, for messages.
#include <algorithm>

#include "spec/formula/formula_node.h"
#include "spec/op_environment.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

using Node = Formula::Node;

class ValueCollector {
 public:
  ValueCollector(const OpSpec& spec, const Environment& environment)
      : spec_(spec), environment_(environment) {}

  // Adds the parts of a formula that have a name and a value of their own.
  void Visit(const Node& node) {
    if (node.kind == Node::Kind::kName) {
      Add(node.text);
      // The parts of a definition are told as well.
      const auto definition = spec_.where.find(node.text);
      if (definition != spec_.where.end() && depth_ < 4) {
        ++depth_;
        Visit(definition->second.root());
        --depth_;
      }
      return;
    }
    if (node.kind == Node::Kind::kCall && node.children.size() == 1 &&
        node.children[0].kind == Node::Kind::kName &&
        environment_.members.contains(node.children[0].text))
      Add(node.text + "(" + node.children[0].text + ")");
    for (const Node& child : node.children) Visit(child);
  }

  std::vector<std::pair<std::string, std::string>> Take() {
    return std::move(values_);
  }

 private:
  void Add(const std::string& text) {
    const auto is_there = [&](const auto& value) {
      return value.first == text;
    };
    const bool is_name = text.find('(') == std::string::npos;
    if (std::ranges::any_of(values_, is_there) ||
        (is_name && !environment_.members.contains(text) &&
         !spec_.where.contains(text)))
      return;
    const Value value = Evaluate(Formula::Parse(text), environment_);
    values_.emplace_back(text, Cut(value.ToString()));
  }

  const OpSpec& spec_;
  const Environment& environment_;
  std::vector<std::pair<std::string, std::string>> values_;
  int depth_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> ValuesOf(
    const OpSpec& spec, const Op& call, const ConstraintSpec& constraint) {
  const Environment environment =
      EnvironmentOf(spec, call, /*with_outputs=*/true);
  ValueCollector collector(spec, environment);
  if (constraint.sentence.empty()) collector.Visit(constraint.formula.root());
  return collector.Take();
}

}  // namespace assay
