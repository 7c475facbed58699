#include "oracle/region_laws.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "oracle/allowed_range.h"
#include "spec/error.h"

namespace assay {
namespace {

// A law is tried on so many points.
constexpr size_t kMostPoints = 1 << 18;
// Tuples of so many bits have all of their values tried.
constexpr int kFewBits = 6;

using Values = std::vector<ElementBits>;
using Types = std::vector<ElementType>;
using Column = std::vector<Scalars>;  // of tuples: a column for each element

// A law is tried on so many points at a time. Most functions that lack it lack
// it at one of the first.
constexpr size_t kPointsAtATime = 1 << 10;

// Values of three tuples, by variable: those of the first tuple, of the second
// and of the third.
struct Points {
  std::vector<Values> values;
  size_t size() const { return values.empty() ? 0 : values[0].size(); }
  Points Between(size_t begin, size_t end) const {
    Points points;
    for (const Values& of : values)
      points.values.emplace_back(of.begin() + static_cast<int64_t>(begin),
                                 of.begin() + static_cast<int64_t>(end));
    return points;
  }
  Column Tuple(const Types& types, size_t number) const {
    Column column;
    for (size_t k = 0; k < types.size(); ++k) {
      const Values& of = values[number * types.size() + k];
      Tensor tensor(TensorType({std::ssize(of)}, types[k]));
      for (size_t i = 0; i < of.size(); ++i)
        tensor.SetBits(static_cast<int64_t>(i), of[i]);
      column.emplace_back(std::move(tensor));
    }
    return column;
  }
};

// Returns whether two columns are known to be the same.
bool AreSame(const Column& a, const Column& b) {
  for (size_t k = 0; k < a.size(); ++k) {
    for (int64_t i = 0; i < a[k].size(); ++i) {
      const Scalars::State x = a[k].StateAt(i), y = b[k].StateAt(i);
      if (x == Scalars::State::kSeveral || x != y) return false;
      if (x == Scalars::State::kKnown &&
          a[k].values().Bits(i) != b[k].values().Bits(i))
        return false;
    }
  }
  return true;
}

// Returns whether f(f(a, b), c) = f(a, f(b, c)) at all points.
bool IsAssociativeAt(Region* region, const Types& types, const Points& points) {
  const Column a = points.Tuple(types, 0), b = points.Tuple(types, 1),
               c = points.Tuple(types, 2);
  const auto f = [&](Column lhs, const Column& rhs) {
    lhs.insert(lhs.end(), rhs.begin(), rhs.end());
    return region->Apply(lhs);
  };
  return AreSame(f(f(a, b), c), f(a, f(b, c)));
}

// Returns whether f(f(a, b), c) = f(f(a, c), b) at all points.
bool CommutesInChainsAt(Region* region, const Types& types,
                        const Points& points) {
  const Column a = points.Tuple(types, 0), b = points.Tuple(types, 1),
               c = points.Tuple(types, 2);
  const auto f = [&](Column lhs, const Column& rhs) {
    lhs.insert(lhs.end(), rhs.begin(), rhs.end());
    return region->Apply(lhs);
  };
  return AreSame(f(f(a, b), c), f(f(a, c), b));
}

// Returns whether the function is a strict weak order at all points.
bool IsStrictWeakOrderAt(Region* region, const Types& types,
                         const Points& points) {
  const Column tuples[] = {points.Tuple(types, 0), points.Tuple(types, 1),
                           points.Tuple(types, 2)};
  // A comparison of two tuples comes first: whether a tuple is less than itself
  // is known of comparators of which nothing else is.
  constexpr std::pair<size_t, size_t> kCompared[] = {
      {0, 1}, {1, 0}, {0, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}};
  std::vector<Scalars> less;
  for (const auto& [x, y] : kCompared) {
    Column arguments;
    for (size_t k = 0; k < types.size(); ++k) {
      arguments.push_back(tuples[x][k]);
      arguments.push_back(tuples[y][k]);
    }
    less.push_back(region->Apply(arguments)[0]);
    if (!less.back().AllKnown()) return false;
  }
  const Scalars &ab = less[0], &ba = less[1], &aa = less[2], &bc = less[3],
                &cb = less[4], &ac = less[5], &ca = less[6];
  for (int64_t i = 0; i < aa.size(); ++i) {
    const auto is = [&](const Scalars& x) { return x.values().Bits(i) != 0; };
    const bool ab_equal = !is(ab) && !is(ba), bc_equal = !is(bc) && !is(cb);
    const bool holds = !is(aa) && !(is(ab) && is(ba)) &&
                       (!is(ab) || !is(bc) || is(ac)) &&
                       (!ab_equal || !bc_equal || (!is(ac) && !is(ca)));
    if (!holds) return false;
  }
  return true;
}

// Returns the points at which each variable has each of its values; none if
// they are too many.
Points AllOf(const std::vector<Values>& values) {
  size_t count = 1;
  for (const Values& of : values) {
    count *= of.size();
    if (count > kMostPoints) return {};
  }
  Points points{std::vector<Values>(values.size())};
  for (size_t n = 0; n < count; ++n) {
    size_t rest = n;
    for (size_t v = 0; v < values.size(); ++v) {
      points.values[v].push_back(values[v][rest % values[v].size()]);
      rest /= values[v].size();
    }
  }
  return points;
}

// Returns values that have every order of so many variables among one another
// and with the constants. NaNs, which the total order tells apart, lie beyond
// the infinities.
Values ExamplesOfOrder(ElementType type, int variables,
                       const std::set<ElementBits>& constants, bool with_nan) {
  std::set<__int128> special;
  __int128 least = 0, greatest = 0;
  if (IsFloat(type)) {
    const FloatFormat format = FormatOf(type);
    greatest = static_cast<__int128>(format.magnitude_mask());
    least = format.has_sign ? -greatest - 1 : __int128{0};
    std::vector<ElementBits> of_format;
    if (format.has_zero) of_format.push_back(0);
    if (format.has_infinity()) {
      of_format.push_back(format.infinity_code());
    } else if (format.has_nan()) {
      of_format.push_back(format.nan_code());
    }
    for (const ElementBits bits : of_format) {
      special.insert(judging::OrderedKey(type, bits));
      if (format.has_sign)
        special.insert(judging::OrderedKey(type, bits ^ format.sign_bit()));
    }
  } else {
    least = MinValue(type);
    greatest = MaxValue(type);
  }
  for (const ElementBits bits : constants)
    special.insert(judging::OrderedKey(type, bits));
  Values values;
  const auto add = [&](__int128 key) {
    const ElementBits bits = judging::BitsOfKey(type, key);
    if (with_nan || !judging::IsNan(type, bits)) values.push_back(bits);
  };
  const auto add_between = [&](__int128 begin, __int128 end) {
    const __int128 first =
        std::max(begin, begin + (end - begin - variables) / 2);
    for (__int128 key = first; key < std::min(end, first + variables); ++key)
      add(key);
  };
  __int128 begin = least;
  for (const __int128 key : special) {
    add_between(begin, key);
    add(key);
    begin = key + 1;
  }
  add_between(begin, greatest + 1);
  return values;
}

// Returns so many complex numbers, which are in order.
Values ComplexExamples(ElementType type, int64_t count) {
  Values values;
  VisitKinds<kComplexes>(type, [&]<class T>() {
    using Part = typename T::Part;
    for (int64_t i = 1; i <= count; ++i)
      values.push_back(
          T(Part::Round(static_cast<double>(i)).value, Part::Zero(false))
              .ToBits());
  });
  return values;
}

// Appends all points of natural numbers of which the sum is `degree` or less.
void AddSimplex(int64_t degree, std::vector<int64_t>* point, size_t at,
                std::vector<std::vector<int64_t>>* all) {
  if (all->size() > kMostPoints) return;
  if (at == point->size()) {
    all->push_back(*point);
    return;
  }
  for (int64_t value = 0; value <= degree; ++value) {
    (*point)[at] = value;
    AddSimplex(degree - value, point, at + 1, all);
  }
}

class Prover {
 public:
  using Law = bool (*)(Region*, const Types&, const Points&);

  using Pair = std::pair<size_t, size_t>;

  // `arguments` says by element of a tuple which arguments of the function are
  // those of its two tuples.
  Prover(const Function& function, const OpCall& call,
         std::vector<Pair> arguments, Law law)
      : function_(function),
        call_(call),
        arguments_(std::move(arguments)),
        law_(law) {
    for (const Pair& pair : arguments_)
      types_.push_back(function.inputs[pair.first].type.tensor().element_type);
  }

  Shown Result() const {
    const OpCall quiet{call_.op, call_.inputs, call_.policy, Marks::kNone};
    Region region(function_, quiet);
    if (!region.IsOnColumns()) return Shown::kNever;
    const auto holds_at = [&](const std::vector<Values>& values) {
      return HoldsAt(&region, AllOf(values));
    };
    // Functions with several results of most values are slow, and a few values
    // tell that they have no law.
    const auto holds = [&](const std::vector<Values>& values) {
      return holds_at(FewOfEach(values)) && holds_at(values);
    };
    int bits = 0;
    for (const ElementType type : types_) bits += Info(type).bits;
    if (bits <= kFewBits)
      return holds(AllValues()) ? Shown::kAlways : Shown::kNever;
    if (AreAll({"bits"}))
      return holds(ZerosAndOnes()) ? Shown::kAlways : Shown::kNever;
    if (IsOfOrder(region)) {
      // The order of complex numbers does not decide between all of them.
      const bool may_be_nan = !std::ranges::any_of(types_, IsComplex);
      if (may_be_nan && holds(Examples(region, true))) return Shown::kAlways;
      return holds(Examples(region, false)) ? Shown::kOfNumbers : Shown::kNever;
    }
    return AreAll({"ring_sum", "ring_product"}) && IsPolynomialLaw()
               ? Shown::kAlways
               : Shown::kNever;
  }

 private:
  bool AreAll(const std::set<std::string>& algebras) const {
    return std::ranges::all_of(function_.body, [&](const Op& op) {
      return algebras.contains(FindOp(op.op)->algebra) || op.inputs.empty();
    });
  }

  // Returns whether values are compared and chosen, and nothing else.
  bool IsOfOrder(const Region& region) const {
    for (const auto& [type, value] : region.Constants()) {
      if (IsComplex(type)) return false;
    }
    return std::ranges::all_of(function_.body, [](const Op& op) {
      const std::string& algebra = FindOp(op.op)->algebra;
      if (op.inputs.empty()) return true;
      const ElementType type = op.inputs[0].type.tensor().element_type;
      return algebra == "order" || (algebra == "bits" && IsBoolean(type));
    });
  }

  // Returns whether the function looks at an element of its tuples.
  bool IsUsed(size_t element) const {
    const auto [a, b] = arguments_[element];
    return Reads(function_, a) || Reads(function_, b);
  }

  static std::vector<Values> FewOfEach(std::vector<Values> values) {
    constexpr size_t kFew = 5;
    for (Values& of : values) {
      if (of.size() <= kFew) continue;
      Values few;
      for (size_t i = 0; i < kFew; ++i)
        few.push_back(of[i * (of.size() - 1) / (kFew - 1)]);
      of = std::move(few);
    }
    return values;
  }

  // Returns the values of each variable of three tuples.
  template <class F>
  std::vector<Values> OfEach(F of) const {
    std::vector<Values> values;
    for (int tuple = 0; tuple < 3; ++tuple) {
      for (size_t k = 0; k < types_.size(); ++k)
        values.push_back(IsUsed(k) ? of(types_[k]) : Values{0});
    }
    return values;
  }
  std::vector<Values> AllValues() const {
    return OfEach([](ElementType type) {
      Values values;
      for (ElementBits bits = 0; bits < ElementBits{1} << Info(type).bits;
           ++bits)
        values.push_back(bits);
      return values;
    });
  }
  std::vector<Values> ZerosAndOnes() const {
    return OfEach([](ElementType type) -> Values {
      return {0, ~ElementBits{0} >> (128 - Info(type).bits)};
    });
  }
  std::vector<Values> Examples(const Region& region, bool with_nan) const {
    std::map<ElementType, std::set<ElementBits>> constants;
    for (const auto& [type, value] : region.Constants()) {
      for (const Possible::Range& range : value.ranges)
        constants[type].insert(range.lo);
    }
    return OfEach([&](ElementType type) {
      const auto count = 3 * std::ranges::count(types_, type);
      if (IsComplex(type)) return ComplexExamples(type, count);
      return ExamplesOfOrder(type, static_cast<int>(count), constants[type],
                             with_nan);
    });
  }

  // Returns the total degree of the results as polynomials of the arguments.
  int64_t Degree() const {
    std::map<std::string, int64_t, std::less<>> degrees;
    for (const TypedName& input : function_.inputs) degrees[input.name] = 1;
    for (const Op& op : function_.body) {
      const bool is_product = FindOp(op.op)->algebra == "ring_product";
      int64_t degree = 0;
      for (const Op::Operand& operand : op.inputs) {
        const int64_t of = degrees[operand.value];
        degree = is_product ? degree + of : std::max(degree, of);
      }
      degrees[op.outputs[0].value] = std::min<int64_t>(degree, 1 << 10);
    }
    int64_t degree = 0;
    for (const TypedName& result : function_.results)
      degree = std::max(degree, degrees[result.name]);
    return degree;
  }

  bool IsPolynomialLaw() const {
    // Integers wrap, and the law holds modulo 2^N as it holds of integers.
    if (!std::ranges::all_of(types_, IsInteger) ||
        call_.policy.Get("integer_overflow") != "wrap")
      return false;
    const int64_t degree = Degree() * Degree();
    std::vector<int64_t> point(3 * types_.size());
    std::vector<std::vector<int64_t>> all;
    AddSimplex(degree, &point, 0, &all);
    if (all.size() > kMostPoints) return false;
    Points points{std::vector<Values>(point.size())};
    for (const std::vector<int64_t>& of : all) {
      for (size_t v = 0; v < of.size(); ++v) {
        const ElementType type = types_[v % types_.size()];
        if (of[v] > MaxValue(type)) return false;
        points.values[v].push_back(BitsOf(type, of[v]));
      }
    }
    // If a value overflowed, it would be open here.
    const Policy any = call_.policy.With("integer_overflow", "any");
    const OpCall call{call_.op, call_.inputs, any, Marks::kNone};
    Region region(function_, call);
    return HoldsAt(&region, points);
  }

  // Returns whether the law holds at all points, and there is one.
  bool HoldsAt(Region* region, const Points& points) const {
    for (size_t begin = 0, end = 0; begin < points.size(); begin = end) {
      end = std::min(begin + kPointsAtATime, points.size());
      if (!law_(region, types_, points.Between(begin, end))) return false;
    }
    return points.size() > 0;
  }

  const Function& function_;
  const OpCall& call_;
  const std::vector<Pair> arguments_;
  Types types_;
  const Law law_;
};

}  // namespace

bool Reads(const Function& function, size_t argument) {
  const std::string& name = function.inputs[argument].name;
  const auto is = [&](const std::string& value) { return value == name; };
  return std::ranges::any_of(function.results, is, &TypedName::name) ||
         std::ranges::any_of(function.body, [&](const Op& op) {
           return std::ranges::any_of(op.inputs, is, &Op::Operand::value) ||
                  std::ranges::any_of(Captures(op), is, &TypedName::name);
         });
}

namespace {

// Says of a law of functions of two tuples, one behind the other.
Shown ShownOfTuples(const Function& function, const OpCall& call,
                    bool (*law)(Region*, const Types&, const Points&)) {
  const size_t count = function.results.size();
  ASSAY_CHECK(function.inputs.size() == 2 * count);
  std::vector<Prover::Pair> arguments;
  for (size_t k = 0; k < count; ++k) arguments.emplace_back(k, count + k);
  return Prover(function, call, arguments, law).Result();
}

}  // namespace

Shown ShownAssociative(const Function& function, const OpCall& call) {
  return ShownOfTuples(function, call, &IsAssociativeAt);
}

Shown ShownToCommuteInChains(const Function& function, const OpCall& call) {
  return ShownOfTuples(function, call, &CommutesInChainsAt);
}

bool IsOrderedNumber(ElementType type, ElementBits bits) {
  if (HasNan(type, bits)) return false;
  if (!IsComplex(type)) return true;
  const ElementType part = PartType(type);
  for (int p = 0; p < PartCount(type); ++p) {
    if (PartOf(type, bits, p) == FormatOf(part).sign_bit()) return false;
  }
  return true;
}

Shown ShownStrictWeakOrder(const Function& function, const OpCall& call) {
  std::vector<Prover::Pair> arguments;
  for (size_t k = 0; k < function.inputs.size(); k += 2)
    arguments.emplace_back(k, k + 1);
  return Prover(function, call, arguments, &IsStrictWeakOrderAt).Result();
}

}  // namespace assay
