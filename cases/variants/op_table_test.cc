// Tests that the table has exactly the element types and attributes that the
// constraints accept.
#include "cases/variants/op_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "cases/search/plan.h"
#include "cases/variants/walk_calls.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

const std::vector<OpEntry>& WholeTable() {
  static const std::vector<OpEntry> table =
      MakeOpTable([](const OpSpec&) { return true; });
  return table;
}

const OpEntry& EntryOf(std::string_view id) {
  return *std::ranges::find(
      WholeTable(), id, [](const OpEntry& entry) { return entry.spec->id; });
}

// Returns "i8 i8 -> i1 comparison_direction=LT".
std::string SignatureText(const std::vector<ElementType>& operands,
                          ElementType result,
                          const std::vector<Attribute>& attributes) {
  std::string text;
  for (const ElementType type : operands)
    text += fmt::format("{} ", Name(type));
  text += fmt::format("-> {}", Name(result));
  for (const Attribute& attribute : attributes)
    text += fmt::format(" {}={}", attribute.name, AttributeText(attribute));
  return text;
}

Tensor I64s(const std::vector<int64_t>& values, Shape shape) {
  Tensor tensor(TensorType{std::move(shape), ElementType::kI64});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.SetBits(static_cast<int64_t>(i),
                   static_cast<ElementBits>(static_cast<uint64_t>(values[i])));
  return tensor;
}

// Returns every value of enums and truth values, and absence where a call may
// leave them out.
std::vector<std::vector<Attribute>> AllAttributes(const OpSpec& spec) {
  std::vector<std::vector<Attribute>> all = {{}};
  for (const InputSpec& input : spec.inputs) {
    if (input.kind == InputSpec::Kind::kTensor) continue;
    std::vector<std::optional<Attribute>> choices;
    if (input.absent) choices.push_back(std::nullopt);
    if (input.kind == InputSpec::Kind::kEnum) {
      for (const std::string& value : input.values)
        choices.push_back(Attribute{input.name, Symbol{value}});
    } else if (IsBoolean(input.type->element_type)) {
      for (const uint64_t value : {0, 1}) {
        Tensor truth(*input.type);
        truth.SetBits(0, value);
        choices.push_back(Attribute{input.name, truth});
      }
    } else {
      continue;
    }
    std::vector<std::vector<Attribute>> longer;
    for (const std::vector<Attribute>& some : all) {
      for (const std::optional<Attribute>& choice : choices) {
        longer.push_back(some);
        if (choice) longer.back().push_back(*choice);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// Adds the other attributes of a call: numbers that are valid whatever the
// types.
void AddOtherAttributes(const OpSpec& spec, Op* call) {
  for (const char* name : {"exponent_bits", "mantissa_bits"}) {
    if (spec.Input(name) == nullptr) continue;
    Tensor bits(*spec.Input(name)->type);
    bits.SetBits(0, 5);
    call->attributes.push_back({name, bits});
  }
  if (spec.Input("broadcast_dimensions") != nullptr)
    call->attributes.push_back({"broadcast_dimensions", I64s({0}, {1})});
}

enum class Acceptance { kAccepted, kRefused, kRefusedWhateverTheResult };

Acceptance AcceptanceOf(const OpSpec& spec, const Op& call) {
  Acceptance acceptance = Acceptance::kAccepted;
  for (const ConstraintResult& result : CheckConstraints(spec, call)) {
    if (result.truth == Truth::kTrue) continue;
    // A column of the table refuses the input.
    if (result.constraint->label[0] == 'I')
      return Acceptance::kRefusedWhateverTheResult;
    acceptance = Acceptance::kRefused;
  }
  return acceptance;
}

// Tries tensor<2x..> and, where an element may have parts, any number of them.
Acceptance AcceptanceOnSomeShape(const OpSpec& spec, Op call) {
  const Acceptance acceptance = AcceptanceOf(spec, call);
  if (acceptance != Acceptance::kRefused || spec.id != "bitcast_convert")
    return acceptance;
  for (const int64_t parts : {2, 3, 4, 6, 8, 16, 32, 64}) {
    for (TensorType* type :
         {&call.inputs[0].type.tensor(), &call.outputs[0].type.tensor()}) {
      type->shape = {2, parts};
      if (AcceptanceOf(spec, call) == Acceptance::kAccepted)
        return Acceptance::kAccepted;
      type->shape = {2};
    }
  }
  return acceptance;
}

std::vector<ElementType> AllTypes() {
  std::vector<ElementType> types;
  for (const ElementTypeInfo& info : ElementTypes()) types.push_back(info.type);
  return types;
}

// Returns all types or, if the product is too large, one of each kind and width
// that constraints distinguish.
std::vector<ElementType> TypesToTry(const OpSpec& spec) {
  using enum ElementType;
  if (OperandsOf(spec).size() > 2 || AllAttributes(spec).size() > 8)
    return {kI1, kI2, kI32, kUi8, kUi64, kF8E4M3FN, kBF16, kF64, kComplexF32};
  return AllTypes();
}

// If a type is inferred, it is the only one. A test of the op files checks that
// it is right.
std::vector<ElementType> ResultsToTry(const OpSpec& spec, const Op& call) {
  const auto inferred = InferResultTypes(spec, call).at(0).element_type;
  return inferred ? std::vector{*inferred} : AllTypes();
}

// Returns all signatures on those operands, found by trying all there could be.
std::set<std::string> AllSignatures(const OpSpec& spec,
                                    const std::vector<ElementType>& types) {
  std::set<std::string> signatures;
  const std::vector<const InputSpec*> operands = OperandsOf(spec);
  size_t combinations = 1;
  for (size_t k = 0; k < operands.size(); ++k) combinations *= types.size();
  for (const std::vector<Attribute>& attributes : AllAttributes(spec)) {
    for (size_t n = 0; n < combinations; ++n) {
      Op call;
      call.op = spec.id;
      call.attributes = attributes;
      AddOtherAttributes(spec, &call);
      std::vector<ElementType> chosen;
      size_t left = n;
      for (const InputSpec* operand : operands) {
        chosen.push_back(types[left % types.size()]);
        call.inputs.push_back(
            {operand->name, operand->name, {{2}, chosen.back()}});
        left /= types.size();
      }
      for (const ElementType result : ResultsToTry(spec, call)) {
        const std::string& name = spec.outputs[0].name;
        call.outputs = {{name, name, {{2}, result}}};
        const Acceptance acceptance = AcceptanceOnSomeShape(spec, call);
        if (acceptance == Acceptance::kRefusedWhateverTheResult) break;
        if (acceptance == Acceptance::kAccepted)
          signatures.insert(SignatureText(chosen, result, attributes));
      }
    }
  }
  return signatures;
}

void ExpectComplete(const OpEntry& entry) {
  const std::vector<ElementType> types = TypesToTry(*entry.spec);
  std::vector<std::string> in_table;
  for (const Signature& signature : entry.signatures) {
    ASSERT_EQ(signature.results.size(), 1u);
    const bool is_tried = std::ranges::all_of(
        signature.operands,
        [&](ElementType type) { return std::ranges::count(types, type) > 0; });
    if (!is_tried) continue;
    in_table.push_back(SignatureText(signature.operands, signature.results[0],
                                     signature.attributes));
  }
  const std::set<std::string> all = AllSignatures(*entry.spec, types);
  const std::set<std::string> table(in_table.begin(), in_table.end());
  EXPECT_EQ(table.size(), in_table.size())
      << entry.spec->id << ": one stands twice";
  std::vector<std::string> missing, wrong;
  std::ranges::set_difference(all, table, std::back_inserter(missing));
  std::ranges::set_difference(table, all, std::back_inserter(wrong));
  EXPECT_THAT(missing, testing::IsEmpty()) << entry.spec->id;
  EXPECT_THAT(wrong, testing::IsEmpty()) << entry.spec->id;
  EXPECT_FALSE(all.empty()) << entry.spec->id;
}

// Returns whether a call with one shape for all tensors shows which types the
// op has; it does not for an op with other lists, or without operands.
bool IsTriedOnOneShape(const OpSpec& spec) {
  return spec.family != kPointwise && CanBeWalked(spec);
}

TEST(OpTable, HasEverySignatureOfEveryOp) {
  int count = 0;
  for (const OpEntry& entry : WholeTable()) {
    if (!IsTriedOnOneShape(*entry.spec)) continue;
    ExpectComplete(entry);
    ++count;
  }
  EXPECT_GE(count, 50);
}

// These move elements of any type.
TEST(OpTable, HasEveryTypeOfOpsWithListsAndWithoutOperands) {
  for (const char* id :
       {"concatenate", "constant", "pad", "reverse", "slice", "transpose"}) {
    const std::vector<Signature>& signatures = EntryOf(id).signatures;
    EXPECT_EQ(signatures.size(), ElementTypes().size()) << id;
    for (const Signature& signature : signatures) {
      for (const ElementType type : signature.operands)
        EXPECT_EQ(type, signature.results[0]) << id;
    }
  }
  // An iota has no booleans.
  EXPECT_EQ(EntryOf("iota").signatures.size(), ElementTypes().size() - 1);
}

TEST(OpTable, HasEveryOpThatCanBeSearchedOnce) {
  std::vector<std::string> there, expected;
  for (const OpEntry& entry : WholeTable()) {
    there.push_back(entry.spec->id);
    EXPECT_EQ(entry.IsPointwise(), entry.spec->family == kPointwise);
  }
  for (const OpSpec& spec : Ops()) {
    if (spec.executable &&
        (spec.family == kPointwise || (!spec.control && CanBeSearched(spec))))
      expected.push_back(spec.id);
  }
  EXPECT_EQ(there, expected);
  EXPECT_GE(there.size(), 100u);
  // These have functions, tokens or tuples, or are not run.
  for (const char* id :
       {"map", "reduce", "while", "tuple", "after_all", "mlir.broadcastable"})
    EXPECT_THAT(there, testing::Not(testing::Contains(id)));
  const std::vector<OpEntry> one =
      MakeOpTable([](const OpSpec& spec) { return spec.id == "abs"; });
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].spec->id, "abs");
}

TEST(OpTable, HasNumbersThatAreAccepted) {
  const OpEntry& entry = EntryOf("reduce_precision");
  ASSERT_EQ(entry.numbers.size(), 2u);
  EXPECT_EQ(entry.numbers[0].name, "exponent_bits");
  EXPECT_EQ(entry.numbers[1].name, "mantissa_bits");
  EXPECT_EQ(std::ranges::min(entry.numbers[0].values), 1) << "C2";
  EXPECT_EQ(std::ranges::min(entry.numbers[1].values), 0) << "C3";
  for (const DrawnNumber& number : entry.numbers) {
    for (const int64_t width : {2, 8, 10, 11, 23, 52, 53, 64, INT32_MAX})
      EXPECT_THAT(number.values, testing::Contains(width));
  }
  for (const OpEntry& other : WholeTable()) {
    const bool has_numbers =
        other.spec->id.find("reduce_precision") != std::string::npos;
    EXPECT_EQ(other.numbers.size(), has_numbers ? 2u : 0u) << other.spec->id;
  }
}

TEST(OpTable, GivesPointwiseOpsTheAttributesOfTheirOp) {
  const auto texts = [](const OpEntry& entry) {
    std::vector<std::string> all;
    for (const std::vector<Attribute>& attributes : entry.attributes)
      all.push_back(SignatureText({}, ElementType::kI1, attributes));
    return all;
  };
  EXPECT_EQ(texts(EntryOf("compare")).size(), 6u * 4);
  EXPECT_EQ(texts(EntryOf("pointwise.compare")), texts(EntryOf("compare")));
  EXPECT_EQ(EntryOf("pointwise.reduce_precision").numbers.size(), 2u);
  EXPECT_THAT(texts(EntryOf("pointwise.add_func")), ElementsAre("-> i1"));
  EXPECT_EQ(texts(EntryOf("paddle.bitwise_left_shift")).size(), 3u)
      << "absent, false, true";
}

}  // namespace
}  // namespace assay
