// Tests Promote against tables that PyTorch made, for all pairs of types and
// kinds of arguments and all six methods.
//
// The tables are what elementwise_dtypes of PyTorch 2.2.2
// (torch/_prims_common/__init__.py, executed on its own dtypes) returns for
// DEFAULT. kPairs is also _promoteTypesLookup of c10/core/ScalarType.cpp, with
// rows and columns in our order. kBesideZeroDim and kBesideNumber are what
// https://pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
// says about operands of which only the category counts. Names are c10's: b1
// bool, u1 uint8, i1 int8, .. i8 int64, f2 half, bf bfloat16, f4 float, f8
// double, c4 complex64, c8 complex128. c2, complex of half, is none of our
// types; it is in the tables as in PyTorch, and is read as c4.
#include "spec/pointwise/promotion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

using enum ElementType;
using Kind = PromotionOperand::Kind;

struct PytorchName {
  const char* name;
  ElementType type;
};
constexpr std::array<PytorchName, 12> kPytorch = {{{"b1", kI1},
                                                   {"u1", kUi8},
                                                   {"i1", kI8},
                                                   {"i2", kI16},
                                                   {"i4", kI32},
                                                   {"i8", kI64},
                                                   {"f2", kF16},
                                                   {"bf", kBF16},
                                                   {"f4", kF32},
                                                   {"f8", kF64},
                                                   {"c4", kComplexF32},
                                                   {"c8", kComplexF64}}};

// The operands are two tensors of rank 1 and more, or two of rank 0, as for
// promoteTypes.
constexpr const char* kPairs[12] = {
    // b1 u1 i1 i2 i4 i8 f2 bf f4 f8 c4 c8
    "b1 u1 i1 i2 i4 i8 f2 bf f4 f8 c4 c8",  // b1
    "u1 u1 i2 i2 i4 i8 f2 bf f4 f8 c4 c8",  // u1
    "i1 i2 i1 i2 i4 i8 f2 bf f4 f8 c4 c8",  // i1
    "i2 i2 i2 i2 i4 i8 f2 bf f4 f8 c4 c8",  // i2
    "i4 i4 i4 i4 i4 i8 f2 bf f4 f8 c4 c8",  // i4
    "i8 i8 i8 i8 i8 i8 f2 bf f4 f8 c4 c8",  // i8
    "f2 f2 f2 f2 f2 f2 f2 f4 f4 f8 c4 c8",  // f2
    "bf bf bf bf bf bf f4 bf f4 f8 c4 c8",  // bf
    "f4 f4 f4 f4 f4 f4 f4 f4 f4 f8 c4 c8",  // f4
    "f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c8 c8",  // f8
    "c4 c4 c4 c4 c4 c4 c4 c4 c4 c8 c4 c8",  // c4
    "c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8",  // c8
};

// Rows are tensors of rank 1 and more, columns are tensors of rank 0.
constexpr const char* kBesideZeroDim[12] = {
    // b1 u1 i1 i2 i4 i8 f2 bf f4 f8 c4 c8
    "b1 u1 i1 i2 i4 i8 f2 bf f4 f8 c4 c8",  // b1
    "u1 u1 u1 u1 u1 u1 f2 bf f4 f8 c4 c8",  // u1
    "i1 i1 i1 i1 i1 i1 f2 bf f4 f8 c4 c8",  // i1
    "i2 i2 i2 i2 i2 i2 f2 bf f4 f8 c4 c8",  // i2
    "i4 i4 i4 i4 i4 i4 f2 bf f4 f8 c4 c8",  // i4
    "i8 i8 i8 i8 i8 i8 f2 bf f4 f8 c4 c8",  // i8
    "f2 f2 f2 f2 f2 f2 f2 f2 f2 f2 c2 c2",  // f2
    "bf bf bf bf bf bf bf bf bf bf c4 c4",  // bf
    "f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 c4 c4",  // f4
    "f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c8 c8",  // f8
    "c4 c4 c4 c4 c4 c4 c4 c4 c4 c4 c4 c4",  // c4
    "c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8 c8",  // c8
};

// Rows are tensors of any rank, columns are numbers: a bool, an int, a float or
// a complex of Python.
constexpr const char* kBesideNumber[12] = {
    "b1 i8 f4 c4",  // b1
    "u1 u1 f4 c4",  // u1
    "i1 i1 f4 c4",  // i1
    "i2 i2 f4 c4",  // i2
    "i4 i4 f4 c4",  // i4
    "i8 i8 f4 c4",  // i8
    "f2 f2 f2 c2",  // f2
    "bf bf bf c4",  // bf
    "f4 f4 f4 c4",  // f4
    "f8 f8 f8 c8",  // f8
    "c4 c4 c4 c4",  // c4
    "c8 c8 c8 c8",  // c8
};

// Rows and columns are numbers.
constexpr const char* kNumbers[4] = {
    "b1 i8 f4 c4",
    "i8 i8 f4 c4",
    "f4 f4 f4 c4",
    "c4 c4 c4 c4",
};

// The columns are DEFAULT NO_OPMATH INT_TO_FLOAT ALWAYS_BOOL COMPLEX_TO_FLOAT
// BOOL_TO_LONG. Each has the computation type and the result type, if DEFAULT
// gives the type of the row.
constexpr const char* kMethodTypes[12] = {
    "b1/b1 b1/b1 f4/f4 b1/b1 b1/b1 i8/i8",  // b1
    "u1/u1 u1/u1 f4/f4 u1/b1 u1/u1 u1/u1",  // u1
    "i1/i1 i1/i1 f4/f4 i1/b1 i1/i1 i1/i1",  // i1
    "i2/i2 i2/i2 f4/f4 i2/b1 i2/i2 i2/i2",  // i2
    "i4/i4 i4/i4 f4/f4 i4/b1 i4/i4 i4/i4",  // i4
    "i8/i8 i8/i8 f4/f4 i8/b1 i8/i8 i8/i8",  // i8
    "f4/f2 f2/f2 f4/f2 f4/b1 f4/f2 f4/f2",  // f2
    "f4/bf bf/bf f4/bf f4/b1 f4/bf f4/bf",  // bf
    "f4/f4 f4/f4 f4/f4 f4/b1 f4/f4 f4/f4",  // f4
    "f8/f8 f8/f8 f8/f8 f8/b1 f8/f8 f8/f8",  // f8
    "c4/c4 c4/c4 c4/c4 c4/b1 c4/f4 c4/c4",  // c4
    "c8/c8 c8/c8 c8/c8 c8/b1 c8/f8 c8/c8",  // c8
};
constexpr const char* kMethodNames[6] = {"DEFAULT",          "NO_OPMATH",
                                         "INT_TO_FLOAT",     "ALWAYS_BOOL",
                                         "COMPLEX_TO_FLOAT", "BOOL_TO_LONG"};

// Returns the entry of a row, by column.
std::string PromotionCell(const char* row, size_t column) {
  std::istringstream cells(row);
  std::string cell;
  for (size_t i = 0; i <= column; ++i) cells >> cell;
  return cell;
}

size_t RowOf(const std::string& pytorch_name) {
  const std::string name = pytorch_name == "c2" ? "c4" : pytorch_name;
  for (size_t i = 0; i < kPytorch.size(); ++i) {
    if (name == kPytorch[i].name) return i;
  }
  ADD_FAILURE() << name;
  return 0;
}

size_t NumberColumn(size_t type) {
  return type == 0 ? 0 : type < 6 ? 1 : type < 10 ? 2 : 3;
}

std::string ExpectedResult(size_t a, Kind kind_a, size_t b, Kind kind_b) {
  if (kind_a > kind_b) return ExpectedResult(b, kind_b, a, kind_a);
  if (kind_a == Kind::kScalar)
    return PromotionCell(kNumbers[NumberColumn(a)], NumberColumn(b));
  if (kind_b == Kind::kScalar)
    return PromotionCell(kBesideNumber[a], NumberColumn(b));
  return PromotionCell(kind_a == kind_b ? kPairs[a] : kBesideZeroDim[a], b);
}

constexpr Kind kKinds[] = {Kind::kTensor, Kind::kZeroDim, Kind::kScalar};

TEST(Promote, AgreesWithPytorchOnAllPairs) {
  int checked = 0;
  for (size_t m = 0; m < 6; ++m) {
    const std::optional<PromotionMethod> method =
        ParsePromotionMethod(kMethodNames[m]);
    ASSERT_TRUE(method) << kMethodNames[m];
    for (size_t a = 0; a < 12; ++a) {
      for (size_t b = 0; b < 12; ++b) {
        for (const Kind kind_a : kKinds) {
          for (const Kind kind_b : kKinds) {
            const PromotionOperand operands[] = {{kPytorch[a].type, kind_a},
                                                 {kPytorch[b].type, kind_b}};
            const std::string types = PromotionCell(
                kMethodTypes[RowOf(ExpectedResult(a, kind_a, b, kind_b))], m);
            const Promotion expected = {
                kPytorch[RowOf(types.substr(0, 2))].type,
                kPytorch[RowOf(types.substr(3))].type};
            std::string reason;
            const std::optional<Promotion> promotion =
                Promote(*method, operands, &reason);
            ASSERT_TRUE(promotion) << reason;
            EXPECT_EQ(*promotion, expected)
                << kMethodNames[m] << " of " << kPytorch[a].name << " kind "
                << int(kind_a) << " and " << kPytorch[b].name << " kind "
                << int(kind_b) << ": " << Name(promotion->computation) << "/"
                << Name(promotion->result) << ", PyTorch has " << types;
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_EQ(checked, 6 * 12 * 12 * 9);
}

std::optional<Promotion> PromoteTo(PromotionMethod method,
                                   std::vector<PromotionOperand> operands,
                                   std::string* reason) {
  return Promote(method, operands, reason);
}

bool InPytorchsOrder(ElementType type) {
  return std::ranges::any_of(
      kPytorch, [&](const PytorchName& known) { return known.type == type; });
}

TEST(Promote, OtherTypesGoWithThemselvesAndWithLowerCategories) {
  std::string reason;
  for (const ElementTypeInfo& outside : ElementTypes()) {
    if (InPytorchsOrder(outside.type)) continue;
    const bool is_float = outside.kind == ElementKind::kFloat;
    const Promotion alone = {is_float ? kF32 : outside.type, outside.type};
    for (const Kind kind : {Kind::kTensor, Kind::kZeroDim}) {
      SCOPED_TRACE(outside.name);
      const PromotionOperand operand = {outside.type, kind};
      const auto with = [&](ElementType other, Kind other_kind) {
        return PromoteTo(PromotionMethod::kDefault,
                         {operand, {other, other_kind}}, &reason);
      };
      EXPECT_EQ(with(outside.type, kind), alone);
      EXPECT_EQ(with(kI1, kind), alone);
      EXPECT_EQ(with(is_float ? kF64 : kI64, Kind::kScalar), alone);
      if (is_float) {
        EXPECT_EQ(with(kI64, kind), alone);
        EXPECT_EQ(with(kComplexF64, kind), std::nullopt);
        EXPECT_EQ(reason, std::string(outside.name) + " has no complex type");
      } else {
        EXPECT_EQ(with(kF64, kind), (Promotion{kF64, kF64}));
        EXPECT_EQ(with(kComplexF32, kind),
                  (Promotion{kComplexF32, kComplexF32}));
      }
      for (const ElementTypeInfo& other : ElementTypes()) {
        if (other.type == outside.type ||
            CategoryOf(other.type) != CategoryOf(outside.type))
          continue;
        EXPECT_EQ(with(other.type, kind), std::nullopt) << other.name;
        EXPECT_EQ(reason, std::string(outside.name) + " and " + other.name +
                              " have no common type");
      }
    }
    // Only the category of a number counts.
    EXPECT_EQ(PromoteTo(PromotionMethod::kDefault,
                        {{outside.type, Kind::kScalar}}, &reason),
              is_float ? (Promotion{kF32, kF32}) : (Promotion{kI64, kI64}));
    // A tensor of rank 0 does not count beside one of a higher rank.
    EXPECT_EQ(PromoteTo(PromotionMethod::kNoOpmath,
                        {{outside.type, Kind::kZeroDim},
                         {is_float ? kBF16 : kI8, Kind::kTensor}},
                        &reason),
              is_float ? (Promotion{kBF16, kBF16}) : (Promotion{kI8, kI8}));
  }
}

TEST(Promote, NeedsAnArgument) {
  std::string reason;
  EXPECT_EQ(PromoteTo(PromotionMethod::kDefault, {}, &reason), std::nullopt);
  EXPECT_EQ(reason, "no argument takes part");
}

TEST(Promote, DoesNotDependOnTheOrder) {
  std::mt19937 random(20240607);
  int without_common_type = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<PromotionOperand> operands(2 + random() % 4);
    for (PromotionOperand& operand : operands) {
      operand.type = random() % 16 == 0
                         ? ElementTypes()[random() % 30].type
                         : kPytorch[random() % kPytorch.size()].type;
      operand.kind = kKinds[random() % 3];
    }
    const auto method = static_cast<PromotionMethod>(random() % 6);
    std::string reason;
    const std::optional<Promotion> promotion =
        Promote(method, operands, &reason);
    if (!promotion) ++without_common_type;
    std::shuffle(operands.begin(), operands.end(), random);
    ASSERT_EQ(Promote(method, operands, &reason), promotion);
  }
  EXPECT_GT(without_common_type, 0);
}

// With three and more arguments, kinds are told apart before types are
// compared.
TEST(Promote, MoreThanTwo) {
  std::string reason;
  const Kind tensor = Kind::kTensor, zero = Kind::kZeroDim,
             number = Kind::kScalar;
  EXPECT_EQ(PromoteTo(PromotionMethod::kDefault,
                      {{kUi8, tensor}, {kI8, tensor}, {kI64, zero}}, &reason),
            (Promotion{kI16, kI16}));
  EXPECT_EQ(PromoteTo(PromotionMethod::kDefault,
                      {{kI64, tensor}, {kF16, zero}, {kF64, number}}, &reason),
            (Promotion{kF32, kF16}));
  EXPECT_EQ(
      PromoteTo(PromotionMethod::kComplexToFloat,
                {{kF64, tensor}, {kComplexF32, zero}, {kI8, tensor}}, &reason),
      (Promotion{kComplexF64, kF64}));
}

}  // namespace
}  // namespace assay
