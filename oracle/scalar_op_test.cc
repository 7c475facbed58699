// Tests that what an op allows for any values between the ends of ranges lies
// in what ScalarOp says of these ranges. Every op whose file has the trait
// `ranges` is drawn.
#include "oracle/scalar_op.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "oracle/allowed_range.h"
#include "oracle/elementwise/float_test_support.h"
#include "oracle/flush/flush.h"
#include "oracle/flush/possibly_flushed.h"

namespace assay {
namespace {

using judging::BitsOfKey;
using judging::HasKey;
using judging::OrderedKey;
using enum ElementType;

constexpr ElementType kTypes[] = {
    kI1,     kI4,     kI8,       kUi8,        kI32,      kUi32,
    kI64,    kF16,    kBF16,     kF32,        kF64,      kF8E4M3FN,
    kF8E5M2, kF8E3M4, kF4E2M1FN, kF8E5M2FNUZ, kF8E8M0FNU};

// Returns the calls of an op on scalars of these types that its constraints
// accept, with every value of its enums.
std::vector<Op> CallsOf(const OpSpec& spec) {
  std::vector<Op> calls;
  const auto add_results = [&](Op op) {
    for (const ElementType type : kTypes) {
      op.outputs = {{spec.outputs[0].name, "result", TensorType({}, type)}};
      bool is_accepted = true;
      for (const ConstraintResult& r : CheckConstraints(spec, op))
        is_accepted &= r.truth == Truth::kTrue;
      if (is_accepted) calls.push_back(op);
    }
  };
  const auto add_enums = [&](auto& self, Op op, size_t at) -> void {
    if (at == spec.inputs.size()) return add_results(std::move(op));
    for (const std::string& value : spec.inputs[at].values) {
      Op with = op;
      with.attributes.push_back({spec.inputs[at].name, Symbol{value}});
      self(self, std::move(with), at + 1);
    }
    if (spec.inputs[at].values.empty()) self(self, std::move(op), at + 1);
  };
  for (const ElementType type : kTypes) {
    for (const bool is_predicate_first : {false, true}) {
      if (is_predicate_first && IsBoolean(type)) continue;
      Op op;
      op.op = spec.id;
      for (const InputSpec& input : spec.inputs) {
        if (input.kind != InputSpec::Kind::kTensor) continue;
        const bool is_boolean = is_predicate_first && op.inputs.empty();
        op.inputs.push_back(
            {input.name, input.name, TensorType({}, is_boolean ? kI1 : type)});
      }
      if (is_predicate_first && op.inputs.size() < 3) continue;
      add_enums(add_enums, std::move(op), 0);
    }
  }
  return calls;
}

ElementType TypeOf(const Op::Operand& operand) {
  return operand.type.tensor().element_type;
}

class Draw {
 public:
  explicit Draw(uint32_t seed) : random_(seed) {}

  size_t Below(size_t count) { return random_() % count; }

  // Returns the key of a value that is no NaN.
  __int128 Key(ElementType type) {
    const std::vector<__int128>& special = Special(type);
    const __int128 least = special.front(), greatest = special.back();
    while (true) {
      __int128 key = special[Below(special.size())];
      const size_t how = Below(4);
      if (how == 0) key += static_cast<int>(Below(41)) - 20;
      if (how == 1) key = Between(least, greatest);
      if (key >= least && key <= greatest && HasKey(type, key)) return key;
    }
  }
  __int128 Between(__int128 lo, __int128 hi) {
    const auto count = static_cast<unsigned __int128>(hi - lo) + 1;
    const unsigned __int128 number =
        static_cast<unsigned __int128>(random_()) << 64 | random_();
    return lo + static_cast<__int128>(number % count);
  }

  Possible::Range Range(ElementType type) {
    const __int128 a = Key(type);
    __int128 b = Key(type);
    const size_t how = Below(8);
    if (how < 2) b = a;
    if (how == 2) b = a + 40;
    if (b > Special(type).back() || !HasKey(type, b)) b = a;
    return {BitsOfKey(type, std::min(a, b)), BitsOfKey(type, std::max(a, b))};
  }

 private:
  // Returns the keys of values at which functions change, in order: the first
  // is that of the least value, the last that of the greatest.
  const std::vector<__int128>& Special(ElementType type) {
    std::vector<__int128>& keys = special_[type];
    if (!keys.empty()) return keys;
    if (!IsFloat(type)) {
      keys = {MinValue(type), MaxValue(type)};
      for (const int key : {-128, -16, -2, -1, 0, 1, 2, 15, 127}) {
        if (key > keys[0] && key < keys[1]) keys.push_back(key);
      }
    } else {
      const FloatFormat format = FormatOf(type);
      const auto greatest = static_cast<__int128>(
          format.has_infinity() ? format.infinity_code() : format.max_code());
      VisitKinds<kFloats>(type, [&]<class T>() {
        for (const double value : {1e-40, 6e-8, 0.01, 0.25, 0.75, 1.0, 1.5, 2.0,
                                   3.0, 20.0, 88.0, 300.0, 4e4, 1e30}) {
          const ElementBits bits = T::Round(value).value.ToBits();
          if (!judging::IsNan(type, bits))
            keys.push_back(OrderedKey(type, bits));
        }
      });
      for (const __int128 key :
           {__int128{0}, __int128{1}, greatest - 1, greatest})
        keys.push_back(key);
      for (size_t i = 0, n = keys.size(); i < n && format.has_sign; ++i)
        keys.push_back(-keys[i] - 1);
    }
    std::ranges::sort(keys);
    return keys;
  }

  std::mt19937_64 random_;
  std::map<ElementType, std::vector<__int128>> special_;
};

// Returns a value of a range: an end, the middle, a neighbour of an end or of
// zero, or any.
ElementBits PointOf(ElementType type, const Possible::Range& range,
                    Draw* draw) {
  if (range.lo == range.hi) return range.lo;
  const __int128 lo = OrderedKey(type, range.lo);
  const __int128 hi = OrderedKey(type, range.hi);
  while (true) {
    const __int128 keys[] = {lo,
                             hi,
                             lo + (hi - lo) / 2,
                             lo + 1,
                             hi - 1,
                             -2,
                             -1,
                             0,
                             1,
                             draw->Between(lo, hi),
                             draw->Between(lo, hi)};
    const __int128 key = keys[draw->Below(std::size(keys))];
    if (key >= lo && key <= hi && HasKey(type, key))
      return BitsOfKey(type, key);
  }
}

bool Has(ElementType type, const Possible& all, ElementBits bits) {
  if (HasNan(type, bits)) {
    return std::ranges::any_of(all.ranges, [&](const Possible::Range& range) {
      return HasNan(type, range.lo) && (all.any_nan || range.lo == bits);
    });
  }
  const __int128 key = OrderedKey(type, bits);
  return std::ranges::any_of(all.ranges, [&](const Possible::Range& range) {
    return !HasNan(type, range.lo) && OrderedKey(type, range.lo) <= key &&
           key <= OrderedKey(type, range.hi);
  });
}

std::string TextOf(ElementType type, const Possible& possible) {
  std::string text;
  for (const Possible::Range& range : possible.ranges)
    text += " [" + FormatValue(type, range.lo) + ", " +
            FormatValue(type, range.hi) + "]";
  return text;
}

struct Outcome {
  int decided = 0;
  std::vector<std::string> violations;
};

// Draws ranges of the operands, applies `of_ranges` to these and `of_points` to
// values in them, and reports results of the latter that are not in those of
// the former.
Outcome Chain(const Op& of_ranges, const Op& of_points, const Policy& policy,
              int draws, Draw* draw) {
  Outcome outcome;
  const ElementType result_type =
      of_points.outputs[0].type.tensor().element_type;
  const size_t arity = of_points.inputs.size();
  for (int n = 0; n < draws; ++n) {
    std::vector<Possible> operands(arity);
    bool is_single = true;
    for (size_t k = 0; k < arity; ++k) {
      const ElementType type = TypeOf(of_points.inputs[k]);
      Possible::Range range = draw->Range(type);
      const bool may_be_nan = IsFloat(type) && FormatOf(type).has_nan();
      if (may_be_nan && arity > 1 && draw->Below(16) == 0)
        range.lo = range.hi = FormatOf(type).nan_code();
      is_single &= range.lo == range.hi;
      operands[k].ranges = {range};
    }
    if (is_single) continue;
    const Possible result =
        ScalarOp(of_ranges, policy, Marks::kNone).Apply(operands);
    if (result.kind != Possible::Kind::kRanges) continue;
    ++outcome.decided;
    constexpr int kPoints = 48;
    std::vector<Tensor> points;
    Op op = of_points;
    op.outputs[0].type.tensor().shape = {kPoints};
    for (size_t k = 0; k < arity; ++k) {
      const ElementType type = TypeOf(op.inputs[k]);
      op.inputs[k].type.tensor().shape = {kPoints};
      points.emplace_back(TensorType({kPoints}, type));
      for (int64_t i = 0; i < kPoints; ++i)
        points[k].SetBits(i, PointOf(type, operands[k].ranges[0], draw));
    }
    const Evaluation evaluation =
        EvaluateScalars(op, points, policy, Marks::kNone);
    std::map<int64_t, Possible> flushed;
    if (MayBeFlushed(op, policy))
      flushed = PossiblyFlushed(op, points, policy, evaluation.outputs[0]);
    for (int64_t i = 0; i < kPoints; ++i) {
      const auto by_flushing = flushed.find(i);
      const Possible at = by_flushing != flushed.end()
                              ? by_flushing->second
                              : PossibleAt(evaluation.outputs[0], i);
      bool is_inside = at.kind == Possible::Kind::kRanges;
      for (const Possible::Range& range : at.ranges)
        is_inside &= Has(result_type, result, range.lo) &&
                     Has(result_type, result, range.hi);
      if (is_inside) continue;
      std::string text = op.op;
      for (const Attribute& attribute : op.attributes)
        text += " " + std::get<Symbol>(attribute.value).name;
      for (size_t k = 0; k < arity; ++k) {
        const ElementType type = TypeOf(op.inputs[k]);
        text += " " + TensorType({}, type).ToString() +
                TextOf(type, operands[k]) + " at " +
                FormatValue(type, points[k].Bits(i));
      }
      outcome.violations.push_back(text + " gives" + TextOf(result_type, at) +
                                   (at.ranges.empty() ? " open" : "") +
                                   ", which is not in" +
                                   TextOf(result_type, result));
      break;
    }
  }
  return outcome;
}

class RangesOfOps : public testing::TestWithParam<const char*> {};

TEST_P(RangesOfOps, HaveAllThatTheirPointsGive) {
  Draw draw(7);
  const Policy& policy = Policy::Find(GetParam());
  int ops = 0;
  for (const OpSpec& spec : Ops()) {
    if (spec.monotone.empty() || !spec.family.empty()) continue;
    ++ops;
    int decided = 0;
    for (const Op& op : CallsOf(spec)) {
      const Outcome outcome = Chain(op, op, policy, 24, &draw);
      decided += outcome.decided;
      if (!outcome.violations.empty())
        ADD_FAILURE() << outcome.violations.size() << " of " << outcome.decided
                      << ", such as " << outcome.violations[0];
    }
    RecordProperty(spec.id, decided);
    EXPECT_GT(decided, 0) << spec.id << " under " << policy.name();
  }
  EXPECT_GT(ops, 20);
}

INSTANTIATE_TEST_SUITE_P(Policies, RangesOfOps,
                         testing::Values("assay", "stablehlo", "xla", "numpy",
                                         "torch", "tensorflow", "cuda_fast"),
                         [](const auto& info) {
                           return std::string(info.param);
                         });

// The same calls of an op with another direction show that a wrong trait would
// be noticed.
TEST(RangesOfOps, AreNotThoseOfOtherOps) {
  Draw draw(1);
  const auto violations = [&](const char* of_ranges, const char* of_points,
                              ElementType type) {
    const size_t arity = FindOp(of_points)->inputs.size();
    const auto call = [&](const char* id) {
      return MakeFloatCall(
                 id, std::vector<Tensor>(arity, Tensor(TensorType({}, type))),
                 TensorType({}, type))
          .op;
    };
    return Chain(call(of_ranges), call(of_points), Policy::Find("assay"), 200,
                 &draw)
        .violations.size();
  };
  EXPECT_GT(violations("add", "subtract", kI8), 10);
  EXPECT_GT(violations("maximum", "multiply", kF32), 10);
  EXPECT_GT(violations("exponential", "cosine", kF32), 10);
  EXPECT_GT(violations("ceil", "floor", kF32), 10);
  EXPECT_GT(violations("sqrt", "cbrt", kF64), 10);
  EXPECT_EQ(violations("floor", "floor", kF32), 0);
}

std::string Applied(const char* id, ElementType type,
                    const std::vector<Possible::Range>& ranges,
                    const Policy& policy) {
  std::vector<Possible> operands;
  std::vector<Tensor> tensors;
  for (const Possible::Range& range : ranges) {
    operands.push_back({Possible::Kind::kRanges, false, {range}});
    tensors.emplace_back(TensorType({}, type));
  }
  const Op op = MakeFloatCall(id, tensors, TensorType({}, type)).op;
  const Possible result = ScalarOp(op, policy, Marks::kNone).Apply(operands);
  if (result.kind == Possible::Kind::kOpen) return "open";
  if (result.kind == Possible::Kind::kUndecided) return "undecided";
  return TextOf(type, result);
}

TEST(ScalarOp, SaysWhatRangesGive) {
  const auto of = [&](const char* id, ElementType type,
                      std::vector<std::pair<const char*, const char*>> texts,
                      const char* policy = "assay") {
    std::vector<Possible::Range> ranges;
    for (const auto& [lo, hi] : texts)
      ranges.push_back({BitsOfText(type, lo), BitsOfText(type, hi)});
    return Applied(id, type, ranges, Policy::Find(policy));
  };
  EXPECT_EQ(of("add", kI32, {{"1", "100"}, {"-20", "20"}}), " [-19, 120]");
  EXPECT_EQ(of("multiply", kI32, {{"-10", "100"}, {"-20", "30"}}),
            " [-2000, 3000]");
  EXPECT_EQ(of("divide", kF32, {{"-1", "3"}, {"2", "4"}}), " [-0.5, 1.5]");
  EXPECT_EQ(of("abs", kI32, {{"-10", "100"}}), " [0, 100]");
  // A sum that may wrap is not known, and one that may be anything is open.
  EXPECT_EQ(of("add", kI8, {{"1", "100"}, {"0", "20"}}), " [1, 120]");
  EXPECT_EQ(of("add", kI8, {{"1", "100"}, {"0", "28"}}), "undecided");
  EXPECT_EQ(of("add", kI8, {{"1", "100"}, {"0", "28"}}, "stablehlo"), "open");
  // 0 * inf, which is between the ends, is a NaN.
  EXPECT_EQ(of("multiply", kF32, {{"-1", "1"}, {"1", "inf"}}), "undecided");
  EXPECT_EQ(of("multiply", kF32, {{"-1", "1"}, {"1", "8"}}), " [-8, 8]");
  EXPECT_EQ(of("sqrt", kF32, {{"-1", "4"}}), "undecided");
  EXPECT_EQ(of("sqrt", kF32, {{"-0", "4"}}), " [-0, 2]");
  EXPECT_EQ(of("negate", kUi8, {{"1", "200"}}), "undecided");
  EXPECT_EQ(of("cosine", kF32, {{"1", "2"}}), "undecided");
  // Hardware may flush what is subnormal between the ends.
  EXPECT_EQ(of("add", kF32, {{"-1", "1"}, {"2", "2"}}), " [1, 3]");
  EXPECT_EQ(of("add", kF32, {{"-1", "1"}, {"2", "2"}}, "flush"), " [1, 3]");
  EXPECT_EQ(of("add", kF32, {{"1", "3"}, {"2", "2"}}, "flush"), " [3, 5]");
  EXPECT_EQ(of("add", kF32, {{"1", "3"}, {"-2", "-2"}}, "flush"),
            " [-1, 1] [0, 0] [-0, -0]");
}

// Tensors share their elements, and columns do not.
TEST(Scalars, ACopyKeepsItsValues) {
  Tensor values(TensorType({2}, ElementType::kI8));
  values.SetBits(0, 1);
  values.SetBits(1, 2);
  const Scalars column(values);
  Scalars copy = column;
  copy.Set(0, Possible::Value(3));
  EXPECT_EQ(copy.At(0).ranges[0].lo, 3u);
  EXPECT_EQ(column.At(0).ranges[0].lo, 1u);
  EXPECT_EQ(values.Bits(0), 1u);
}

}  // namespace
}  // namespace assay
