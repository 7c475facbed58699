#include "tools/mutants/formula_mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "spec/formula/formula_check.h"
#include "spec/formula/formula_token.h"

namespace assay {
namespace {

using Words = std::vector<std::string>;

const std::map<std::string_view, Words>& Operators() {
  static const std::map<std::string_view, Words> operators = {
      {"=", {"!=", "<=", ">="}},
      {"!=", {"="}},
      {"<", {"<=", ">"}},
      {"<=", {"<", ">=", "="}},
      {">", {">=", "<"}},
      {">=", {">", "<=", "="}},
      {"+", {"-"}},
      {"-", {"+"}},
      {"*", {"+", "//"}},
      {"//", {"*", "%"}},
      {"%", {"//"}},
      {"and", {"or"}},
      {"or", {"and"}},
      {"not", {""}},
      {"true", {"false"}},
      {"false", {"true"}}};
  return operators;
}

// Functions of a group take and give the same kinds of values.
const std::vector<Words>& Groups() {
  static const std::vector<Words> groups = {
      {"is_boolean", "is_integer", "is_float", "is_complex", "is_quantized"},
      {"is_signed_integer", "is_unsigned_integer", "is_integer"},
      {"is_quantized", "is_per_tensor_quantized", "is_per_axis_quantized"},
      {"is_tensor", "is_token"},
      {"element_type", "baseline_element_type", "expressed_type",
       "storage_type"},
      {"complex_type", "complex_element_type"},
      {"type", "baseline_type"},
      {"rank", "size"},
      {"shape", "axes"},
      {"num_bits", "quantization_dimension"},
      {"storage_min", "storage_max"},
      {"scales", "zero_points"},
      {"is_sorted", "is_unique"},
      {"sum", "product"},
      {"input_types", "output_types"}};
  return groups;
}

// Members of the same kind have the same text.
std::string KindOf(const InputSpec& input) {
  return fmt::format("{} {} {}", static_cast<int>(input.kind), input.variadic,
                     input.type ? input.type->ToString() : "");
}

// Finds the changes of one formula.
class ChangeFinder {
 public:
  ChangeFinder(const OpSpec& spec, std::string_view text) : text_(text) {
    for (size_t start = SkipSpace(text, 0); start < text.size();) {
      const size_t end = EndOfToken(text, start);
      tokens_.push_back({start, end, text.substr(start, end - start)});
      start = SkipSpace(text, end);
    }
    for (const InputSpec& input : spec.inputs) {
      kinds_[KindOf(input)].push_back(input.name);
      if (input.kind == InputSpec::Kind::kEnum)
        kinds_["values of " + input.name] = input.values;
    }
    for (const OutputSpec& output : spec.outputs) {
      InputSpec like;
      like.kind = output.kind;
      like.variadic = output.variadic;
      kinds_[KindOf(like)].push_back(output.name);
    }
    kinds_["process counts"] = {"num_replicas", "num_partitions",
                                "num_processes"};
    kinds_["element types"] = {"i1", "i8", "i32", "i64", "f32"};
  }

  std::vector<FormulaChange> Find() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      ReplaceToken(i);
      DropParts(i);
    }
    return std::move(changes_);
  }

 private:
  struct Token {
    size_t begin, end;
    std::string_view text;
  };

  bool Is(size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].text == text;
  }

  void Replace(ChangeKind kind, size_t i, std::string to) {
    changes_.push_back({kind, tokens_[i].begin, tokens_[i].end, std::move(to)});
  }

  // Replaces the token by each other word of the list that has it.
  void ReplaceByOthers(ChangeKind kind, size_t i, const Words& words) {
    if (std::ranges::find(words, tokens_[i].text) == words.end()) return;
    for (const std::string& other : words) {
      if (other != tokens_[i].text) Replace(kind, i, other);
    }
  }

  void ReplaceToken(size_t i) {
    const std::string text(tokens_[i].text);
    if (const auto it = Operators().find(text); it != Operators().end()) {
      for (const std::string& other : it->second)
        Replace(ChangeKind::kOperator, i, other);
    } else if (std::isdigit(static_cast<unsigned char>(text[0]))) {
      const int64_t number = std::stoll(text);
      Replace(ChangeKind::kNumber, i, std::to_string(number + 1));
      Replace(ChangeKind::kNumber, i, std::to_string(number - 1));
    } else if (Is(i + 1, "(")) {
      for (const Words& group : Groups())
        ReplaceByOthers(ChangeKind::kFunction, i, group);
    } else {
      for (const auto& [kind, names] : kinds_)
        ReplaceByOthers(ChangeKind::kName, i, names);
    }
  }

  // Drops the parts that the token joins.
  void DropParts(size_t i) {
    static constexpr std::array<std::string_view, 6> kAround = {
        ",", "then", "else", "If", "if", "for"};
    static constexpr std::array<std::string_view, 7> kOr = {
        ",", "then", "else", "If", "if", "for", "or"};
    static constexpr std::array<std::string_view, 8> kAnd = {
        ",", "then", "else", "If", "if", "for", "or", "and"};
    if (Is(i, "and") || Is(i, "or")) {
      const std::span<const std::string_view> bounds =
          Is(i, "and") ? std::span<const std::string_view>(kAnd) : kOr;
      Drop(BeginOf(i, bounds), i);
      Drop(i, EndOf(i, bounds));
    } else if (Is(i, "If")) {
      static constexpr std::array<std::string_view, 1> kThen = {"then"};
      Drop(i, EndOf(i, kThen) + 1);
    } else if (Is(i, "if")) {
      static constexpr std::array<std::string_view, 1> kElse = {"else"};
      const size_t otherwise = EndOf(i, kElse) + 1;
      static constexpr std::array<std::string_view, 2> kEnds = {",", "for"};
      Drop(BeginOf(i, kAround), otherwise);
      Drop(i, EndOf(otherwise, kEnds));
    }
  }

  // Returns the first token of the part that ends before token `i`: the one
  // behind an open bracket, or behind a token of `bounds` outside of brackets.
  size_t BeginOf(size_t i, std::span<const std::string_view> bounds) const {
    int depth = 0;
    for (; i > 0; --i) {
      const std::string_view text = tokens_[i - 1].text;
      if (text == ")" || text == "]") ++depth;
      if ((text == "(" || text == "[") && --depth < 0) break;
      if (depth == 0 && std::ranges::find(bounds, text) != bounds.end()) break;
    }
    return i;
  }

  // Returns the token behind the part that begins behind token `i`.
  size_t EndOf(size_t i, std::span<const std::string_view> bounds) const {
    int depth = 0;
    for (++i; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "(" || text == "[") ++depth;
      if ((text == ")" || text == "]") && --depth < 0) break;
      if (depth == 0 && std::ranges::find(bounds, text) != bounds.end()) break;
    }
    return i;
  }

  // Drops the tokens from `from` to before `to`, or to `to` itself where it
  // joins the part with what follows.
  void Drop(size_t from, size_t to) {
    if (Is(to, "and") || Is(to, "or")) {
      if (!Is(from, "and") && !Is(from, "or")) ++to;
    }
    if (from >= to) return;
    const size_t end =
        to < tokens_.size() && !Is(to, ")") && !Is(to, "]") && !Is(to, ",")
            ? tokens_[to].begin
            : tokens_[to - 1].end;
    changes_.push_back({ChangeKind::kDropped, tokens_[from].begin, end, ""});
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::map<std::string, Words> kinds_;
  std::vector<FormulaChange> changes_;
};

}  // namespace

OpSpec WithFormulasAlone(const OpSpec& spec) {
  OpSpec alone;
  alone.id = spec.id;
  alone.file = spec.file;
  alone.inputs = spec.inputs;
  for (InputSpec& input : alone.inputs) input.text_default.reset();
  alone.outputs = spec.outputs;
  alone.where = spec.where;
  for (const ConstraintSpec& constraint : spec.constraints) {
    if (constraint.check == nullptr) alone.constraints.push_back(constraint);
  }
  return alone;
}

std::vector<FormulaChange> ChangesOf(const OpSpec& spec,
                                     std::string_view text) {
  return ChangeFinder(spec, text).Find();
}

FormulaMutants MutantsOf(const OpSpec& spec) {
  const OpSpec alone = WithFormulasAlone(spec);
  FormulaMutants result;
  // `set` puts a formula in the place of the one with this text.
  const auto add = [&](const std::string& label, const std::string& text,
                       const OpSpec& original, auto set) {
    std::set<std::string> seen = {text};
    for (const FormulaChange& change : ChangesOf(spec, text)) {
      const std::string from =
          text.substr(change.begin, change.end - change.begin);
      const std::string changed =
          text.substr(0, change.begin) + change.to + text.substr(change.end);
      if (!seen.insert(changed).second) continue;
      FormulaMutant mutant{
          label, change.kind,
          fmt::format("{}: '{}' -> '{}'", change.begin + 1, from, change.to),
          original};
      try {
        set(&mutant.spec, Formula::Parse(changed));
        if (!CheckTypes(mutant.spec).empty()) {
          ++result.untyped;
          continue;
        }
      } catch (const FormulaError&) {
        ++result.unparsed;
        continue;
      }
      result.mutants.push_back(std::move(mutant));
    }
  };
  for (const ConstraintSpec& constraint : alone.constraints) {
    OpSpec original = alone;
    original.constraints = {constraint};
    add(constraint.label, constraint.formula.text(), original,
        [](OpSpec* mutant, Formula formula) {
          mutant->constraints[0].formula = std::move(formula);
        });
  }
  for (const auto& [name, definition] : alone.where) {
    // Clang 14 captures no structured bindings.
    const std::string& defined = name;
    add("where " + name, definition.text(), alone,
        [&](OpSpec* mutant, Formula formula) {
          mutant->where.insert_or_assign(defined, std::move(formula));
        });
  }
  return result;
}

std::vector<const FormulaMutant*> Choose(
    const std::vector<FormulaMutant>& mutants, size_t most) {
  std::vector<const FormulaMutant*> chosen;
  std::map<std::string, std::map<ChangeKind, std::vector<const FormulaMutant*>>>
      formulas;
  for (const FormulaMutant& mutant : mutants)
    formulas[mutant.label][mutant.kind].push_back(&mutant);
  for (const auto& [label, kinds] : formulas) {
    // Each round takes one more of every kind that has one.
    std::map<ChangeKind, size_t> counts;
    for (size_t left = most, before = 0; left > 0 && left != before;) {
      before = left;
      for (const auto& [kind, of_kind] : kinds) {
        if (left == 0 || counts[kind] == of_kind.size()) continue;
        ++counts[kind];
        --left;
      }
    }
    for (const auto& [kind, of_kind] : kinds) {
      for (size_t i = 0; i < counts[kind]; ++i)
        chosen.push_back(of_kind[i * of_kind.size() / counts[kind]]);
    }
  }
  return chosen;
}

}  // namespace assay
