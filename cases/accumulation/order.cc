#include "cases/accumulation/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "spec/types/float_format.h"

namespace assay {
namespace {

// Sums are kept in these precisions. Absorption by the widest is asked for
// first: what is absorbed there is absorbed in all.
constexpr int kWidest = 53, kSingle = 24;

// Returns the number of units that a sum is, of at most `most`.
int64_t CountOf(double sum, double unit, int64_t most) {
  const double count = sum / unit;
  if (count >= 0 && count <= static_cast<double>(most) &&
      count == std::floor(count))
    return static_cast<int64_t>(count);
  throw NotRevealed(
      fmt::format("a sum of at most {} units of {} is {}, which is no number "
                  "of them",
                  most, unit, sum));
}

void AddLarge(const UnitScheme& scheme, int32_t plus, int32_t minus,
              SumTerms* terms) {
  terms->numbers.emplace_back(plus, scheme.large);
  terms->numbers.emplace_back(minus, -scheme.large);
  if (scheme.factor == 1) return;
  terms->factors.emplace_back(plus, scheme.factor);
  terms->factors.emplace_back(minus, scheme.factor);
}

// Throws NotRevealed unless units are counted, and the large terms cancel.
void Calibrate(Summation* summation, const UnitScheme& scheme) {
  const int32_t n = summation->n();
  const auto units =
      static_cast<int32_t>(std::min<int64_t>(n, scheme.most_units));
  SumTerms counted;
  for (int32_t i = 0; i < units; ++i)
    counted.numbers.emplace_back(i, scheme.unit);
  const double sum = summation->Sum(counted);
  if (sum != units * scheme.unit)
    throw NotRevealed(fmt::format("the sum of {} units of {} is {}", units,
                                  scheme.unit, sum));
  if (n < 2) return;
  const double zero =
      summation->Sum({.numbers = {{0, scheme.large}, {n - 1, -scheme.large}}});
  if (zero != 0)
    throw NotRevealed(fmt::format("the sum of {0}, zeros and -{0} is {1}",
                                  scheme.large, zero));
}

SumTerms TermsOf(const TreeQuestion& question, const UnitScheme& scheme,
                 int32_t n) {
  SumTerms terms;
  if (2 * std::ssize(question.units) > n) {
    std::vector<bool> is_unit(static_cast<size_t>(n));
    for (const int32_t unit : question.units)
      is_unit[static_cast<size_t>(unit)] = true;
    terms.rest = scheme.unit;
    for (int32_t i = 0; i < n && std::ssize(question.units) < n; ++i) {
      if (!is_unit[static_cast<size_t>(i)]) terms.numbers.emplace_back(i, 0);
    }
  } else {
    for (const int32_t unit : question.units)
      terms.numbers.emplace_back(unit, scheme.unit);
  }
  AddLarge(scheme, question.plus, question.minus, &terms);
  for (const auto& [plus, minus] : question.more)
    AddLarge(scheme, plus, minus, &terms);
  return terms;
}

}  // namespace

std::vector<UnitScheme> UnitSchemes(ElementType type, bool has_factors) {
  const FloatFormat format = FormatOf(type);
  if (!format.has_zero || !format.has_sign) return {};
  const int least = format.min_exponent(), greatest = format.max_exponent();
  const int smallest = least - format.mantissa_bits;
  const int64_t countable = int64_t{1} << std::min(format.precision(), 30);
  std::vector<UnitScheme> schemes;
  const auto add = [&](int bits, int exponent_of_factor) {
    const int large = greatest + exponent_of_factor;
    // Subnormal units are counted as well by backends that do not flush them.
    for (const int lowest : {smallest, least}) {
      // Units need no more room than all that are countable.
      const int unit =
          std::max(lowest, std::min(0, large - bits - 1 - format.precision()));
      const int room = std::min(large - bits - unit - 1, 40);
      if (room < 0) continue;
      const UnitScheme scheme = {
          std::ldexp(1.0, greatest), std::ldexp(1.0, exponent_of_factor),
          std::ldexp(1.0, unit), std::min(countable, int64_t{1} << room), bits};
      const bool is_new =
          std::ranges::none_of(schemes, [&](const UnitScheme& s) {
            return s.factor == scheme.factor && s.unit == scheme.unit &&
                   s.most_units <= scheme.most_units;
          });
      if (is_new) schemes.push_back(scheme);
    }
  };
  for (const int bits : {kWidest, kSingle, format.precision()}) add(bits, 0);
  if (has_factors && greatest < 127) {
    for (const int bits : {kWidest, kSingle}) add(bits, greatest);
  }
  return schemes;
}

namespace {

// Calls `use` with each scheme until it returns true. Throws NotRevealed with
// the reason why the first one shows nothing.
template <class F>
void UseSchemes(Summation* summation, const F& use) {
  std::string reason;
  for (const UnitScheme& scheme :
       UnitSchemes(summation->type(), summation->has_factors())) {
    try {
      Calibrate(summation, scheme);
      if (use(scheme)) return;
    } catch (const NotRevealed& e) {
      if (reason.empty()) reason = e.what();
    }
  }
  throw NotRevealed(reason.empty() ? "the type has no numbers that show it"
                                   : reason);
}

AnswerQuestions AnswersOf(Summation* summation, const UnitScheme& scheme) {
  return [=](std::span<const TreeQuestion> asked) {
    std::vector<SumTerms> calls;
    for (const TreeQuestion& question : asked)
      calls.push_back(TermsOf(question, scheme, summation->n()));
    const std::vector<double> sums = summation->Sums(calls);
    std::vector<int64_t> counts;
    for (size_t i = 0; i < sums.size(); ++i)
      counts.push_back(
          CountOf(sums[i], scheme.unit, std::ssize(asked[i].units)));
    return counts;
  };
}

}  // namespace

RevealedTree RevealOrder(Summation* summation, const RevealOptions& options) {
  std::optional<RevealedTree> revealed;
  UseSchemes(summation, [&](const UnitScheme& scheme) {
    RevealOptions limited = options;
    limited.most_units = std::min(options.most_units, scheme.most_units);
    revealed =
        RevealTree(summation->n(), AnswersOf(summation, scheme), limited);
    return true;
  });
  return *std::move(revealed);
}

std::vector<int64_t> SubtreeSizes(Summation* summation, int32_t first,
                                  const std::vector<int32_t>& others) {
  const int32_t n = summation->n();
  std::vector<int32_t> all(static_cast<size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int64_t> sizes;
  UseSchemes(summation, [&](const UnitScheme& scheme) {
    const AnswerQuestions answer = AnswersOf(summation, scheme);
    sizes.assign(others.size(), n);
    for (size_t k = 0; k < others.size(); ++k) {
      std::span<const int32_t> units = all;
      std::vector<TreeQuestion> questions;
      while (!units.empty()) {
        const auto count =
            static_cast<size_t>(std::min(scheme.most_units, std::ssize(units)));
        questions.push_back({first, others[k], units.first(count)});
        units = units.subspan(count);
      }
      for (const int64_t outside : answer(questions)) sizes[k] -= outside;
    }
    // A sum that absorbs nothing has no subtree of all terms.
    return std::ranges::find(sizes, n) != sizes.end();
  });
  return sizes;
}

namespace {

using Node = SumTree::Node;
using Bits = AdditionTraits::Bits;

// A term of each of two parts that a node joins, and one that comes later.
struct Meeting {
  int32_t first, second, later;
};

// Returns a meeting at the node, and nullopt if nothing comes later.
std::optional<Meeting> MeetingAt(const SumTree& tree, const Node& node) {
  if (node.IsLeaf() || node.size == tree.num_leaves()) return std::nullopt;
  const auto term = [&](size_t child) {
    return tree.nodes()[static_cast<size_t>(node.children[child])].least;
  };
  Meeting meeting{term(0), term(1), 0};
  // A term outside of the node: its leaves are marked.
  std::vector<bool> is_inside(static_cast<size_t>(tree.num_leaves()));
  std::vector<const Node*> below = {&node};
  for (size_t at = 0; at < below.size(); ++at) {
    if (below[at]->IsLeaf())
      is_inside[static_cast<size_t>(below[at]->least)] = true;
    for (const int32_t child : below[at]->children)
      below.push_back(&tree.nodes()[static_cast<size_t>(child)]);
  }
  const auto later = std::ranges::find(is_inside, false);
  meeting.later = static_cast<int32_t>(later - is_inside.begin());
  return meeting;
}

// Terms of these numbers show the type of sums.
class Numbers {
 public:
  explicit Numbers(Summation* summation)
      : summation_(*summation), format_(FormatOf(summation->type())) {}

  double least() const { return std::ldexp(1.0, format_.min_exponent()); }
  int most_digits() const {
    return format_.max_exponent() - format_.min_exponent();
  }
  double Ask(const std::vector<std::pair<int32_t, double>>& numbers) {
    return summation_.Sum({.numbers = numbers});
  }

  // Returns how many digits a sum has: 2^q and 1 meet, and -2^q comes later.
  std::optional<Bits> DigitsAt(const std::optional<Meeting>& meeting) {
    if (!meeting) return std::nullopt;
    return Digits([&](double large, double one) {
      return Ask({{meeting->first, large},
                  {meeting->second, one},
                  {meeting->later, -large}});
    });
  }
  // `ask` returns the sum, which is `one` as long as there are digits enough.
  template <class F>
  std::optional<Bits> Digits(const F& ask) {
    for (int q = 1; q <= most_digits(); ++q) {
      const double sum = ask(std::ldexp(least(), q), least());
      if (sum == 0) return Bits{q, false};
      if (sum != least()) return std::nullopt;
    }
    return Bits{most_digits() + 1, true};
  }

 private:
  Summation& summation_;
  FloatFormat format_;
};

std::optional<bool> KeepsProducts(Summation* summation,
                                  const Meeting& meeting) {
  const FloatFormat format = FormatOf(summation->type());
  const int k = format.precision() / 2 + 1;
  if (k > format.mantissa_bits || -2 * k < format.min_exponent())
    return std::nullopt;
  // (1 + e)^2 = 1 + 2e + e^2, of which the type has not got the last part.
  const double e = std::ldexp(1.0, -k);
  bool keeps = false;
  for (const auto& [product, other] :
       {std::pair(meeting.first, meeting.second),
        std::pair(meeting.second, meeting.first)}) {
    SumTerms terms{.numbers = {{product, 1 + e}, {other, -1 - 2 * e}}};
    terms.factors = {{product, 1 + e}};
    const double sum = summation->Sum(terms);
    if (sum != 0 && sum != e * e) return std::nullopt;
    keeps |= sum != 0;
  }
  return keeps;
}

}  // namespace

AdditionTraits MeasureAdditions(Summation* summation, const SumTree& tree) {
  AdditionTraits traits;
  const FloatFormat format = FormatOf(summation->type());
  if (summation->has_init()) traits.inits = summation->Sum({.init = 1});
  if (tree.num_leaves() < 2) return traits;
  Numbers numbers(summation);
  const Node* least = &tree.root();
  const Node* wide = nullptr;
  for (const Node& node : tree.nodes()) {
    if (!node.IsLeaf() && node.size < least->size) least = &node;
    if (node.children.size() > 2 && wide == nullptr) wide = &node;
  }
  const Node* last = nullptr;
  for (const int32_t child : tree.root().children) {
    const Node& node = tree.nodes()[static_cast<size_t>(child)];
    if (last == nullptr || node.size > last->size) last = &node;
  }
  const std::optional<Meeting> meeting = MeetingAt(tree, *least);
  traits.first_sum = numbers.DigitsAt(meeting);
  traits.last_sum = numbers.DigitsAt(MeetingAt(tree, *last));
  if (traits.first_sum && !traits.first_sum->is_least &&
      format.mantissa_bits > 0) {
    // 2^p + 1.5 lies between 2^p and 2^p + 2, nearer to the latter.
    const double one = numbers.least();
    const double large = std::ldexp(one, traits.first_sum->bits);
    const double sum = numbers.Ask({{meeting->first, large},
                                    {meeting->second, 1.5 * one},
                                    {meeting->later, -large}});
    if (sum == 2 * one) traits.rounding = AdditionTraits::Rounding::kNearest;
    if (sum == 0) traits.rounding = AdditionTraits::Rounding::kTowardZero;
  }
  const Meeting pair =
      meeting.value_or(Meeting{tree.nodes()[0].least, tree.root().greatest, 0});
  if (summation->has_factors())
    traits.keeps_products = KeepsProducts(summation, pair);
  if (format.mantissa_bits > 0) {
    const double one = numbers.least();
    const double sum =
        numbers.Ask({{pair.first, 1.5 * one}, {pair.second, -one}});
    if (sum == 0 || sum == 0.5 * one) traits.flushes = sum == 0;
  }
  if (wide != nullptr) {
    std::array<int32_t, 3> term{};
    for (size_t k = 0; k < 3; ++k)
      term[k] = tree.nodes()[static_cast<size_t>(wide->children[k])].least;
    traits.alignment = numbers.Digits([&](double large, double one) {
      return numbers.Ask({{term[0], large}, {term[1], -large}, {term[2], one}});
    });
  }
  return traits;
}

std::string BitsText(const AdditionTraits::Bits& bits) {
  const char* type = "";
  for (const auto& [precision, name] :
       {std::pair(8, " (bf16)"), std::pair(11, " (f16)"),
        std::pair(24, " (f32)"), std::pair(53, " (f64)")}) {
    if (precision == bits.bits && !bits.is_least) type = name;
  }
  return fmt::format("{}{} bits{}", bits.is_least ? "at least " : "", bits.bits,
                     type);
}

}  // namespace assay
