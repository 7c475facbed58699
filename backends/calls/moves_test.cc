// Tests the views of ops that move elements: what lies where after the copies,
// in row-major order and in other layouts, and what is declined.
#include "backends/calls/moves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace assay::calls {
namespace {

using testing::ElementsAre;

using Numbers = std::vector<int64_t>;

// A tensor of i16 whose elements are 1, 2, 3, .. in row-major order.
class Counted {
 public:
  explicit Counted(Numbers shape, Numbers strides = {}, int64_t first = 0)
      : shape_(std::move(shape)),
        strides_(strides.empty() ? RowMajor(shape_) : std::move(strides)),
        first_(first),
        memory_(256, -1) {
    int16_t number = 0;
    ForEach([&](int16_t& element) { element = ++number; });
  }

  AssayTensor Tensor() {
    AssayTensor tensor = {};
    tensor.tensor.data = memory_.data() + first_;
    tensor.tensor.device = {kDLCPU, 0};
    tensor.tensor.dtype = {kDLInt, 16, 1};
    tensor.tensor.ndim = static_cast<int>(shape_.size());
    tensor.tensor.shape = shape_.data();
    tensor.tensor.strides = strides_.data();
    return tensor;
  }

  Numbers Elements() {
    Numbers elements;
    ForEach([&](int16_t element) { elements.push_back(element); });
    return elements;
  }

 private:
  template <class F>
  void ForEach(F f) {
    int64_t count = 1;
    for (const int64_t size : shape_) count *= size;
    for (int64_t i = 0; i < count; ++i) {
      int64_t rest = i, at = first_;
      for (size_t d = shape_.size(); d-- > 0; rest /= shape_[d])
        at += rest % shape_[d] * strides_[d];
      f(memory_[static_cast<size_t>(at)]);
    }
  }

  Numbers shape_, strides_;
  int64_t first_;
  std::vector<int16_t> memory_;
};

void MakeCopy(const Copy& copy) {
  const Numbers& shape = copy.to.shape;
  const int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t{1},
                                        std::multiplies<>());
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, from = 0, to = 0;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) {
      const int64_t index = rest % shape[d];
      if (copy.from.shape[d] != 1) from += index * copy.from.strides[d];
      to += index * copy.to.strides[d];
    }
    reinterpret_cast<int16_t*>(copy.to.first)[to] =
        reinterpret_cast<const int16_t*>(copy.from.first)[from];
  }
}

using Texts = std::vector<std::pair<const char*, const char*>>;

// Returns what is not implemented, or "".
std::string Move(const char* op, std::vector<AssayTensor> inputs,
                 const Texts& texts, AssayTensor output) {
  std::vector<AssayAttribute> attributes;
  for (const auto& [name, text] : texts)
    attributes.push_back({name, text, nullptr, {}});
  const AssayCall call = MakeCall(op, inputs, output, attributes);
  Moves moves;
  if (const char* what = ReadMoves(call, &moves)) return what;
  std::vector<unsigned char> between(moves.between_bytes);
  moves.PlaceBetween(between.data());
  for (const Copy& copy : moves.copies) MakeCopy(copy);
  return "";
}

TEST(Moves, PutElementsWhereTheTextSays) {
  Counted matrix({2, 3});
  Counted reversed({2, 3}), transposed({3, 2}), part({1, 2}), joined({2, 5}),
      column({2, 2});
  EXPECT_EQ(Move("reverse", {matrix.Tensor()}, {{"dimensions", "[1, 0]"}},
                 reversed.Tensor()),
            "");
  EXPECT_THAT(reversed.Elements(), ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_EQ(Move("transpose", {matrix.Tensor()}, {{"permutation", "[1, 0]"}},
                 transposed.Tensor()),
            "");
  EXPECT_THAT(transposed.Elements(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(Move("slice", {matrix.Tensor()},
                 {{"start_indices", "[1, 0]"},
                  {"limit_indices", "[2, 3]"},
                  {"strides", "[7, 2]"}},
                 part.Tensor()),
            "");
  EXPECT_THAT(part.Elements(), ElementsAre(4, 6));
  EXPECT_EQ(Move("concatenate", {matrix.Tensor(), column.Tensor()},
                 {{"dimension", "1"}}, joined.Tensor()),
            "");
  EXPECT_THAT(joined.Elements(), ElementsAre(1, 2, 3, 1, 2, 4, 5, 6, 3, 4));
}

// A number that no Counted of these tests has.
AssayTensor Nine() {
  static int16_t nine = 9;
  AssayTensor tensor = {};
  tensor.tensor.data = &nine;
  tensor.tensor.device = {kDLCPU, 0};
  tensor.tensor.dtype = {kDLInt, 16, 1};
  return tensor;
}

std::string Pad(AssayTensor operand, AssayTensor padding_value,
                const std::string& low, const std::string& high,
                const std::string& interior, AssayTensor result) {
  return Move("pad", {operand, padding_value},
              {{"edge_padding_low", low.c_str()},
               {"edge_padding_high", high.c_str()},
               {"interior_padding", interior.c_str()}},
              result);
}

// Pads a list of 1, 2, .. with 9.
Numbers Padded(int64_t size, int64_t low, int64_t high, int64_t interior,
               int64_t result_size, Numbers strides = {}) {
  Counted list({size}), result({result_size}, std::move(strides), 99);
  const auto text = [](int64_t n) { return "[" + std::to_string(n) + "]"; };
  EXPECT_EQ(Pad(list.Tensor(), Nine(), text(low), text(high), text(interior),
                result.Tensor()),
            "");
  return result.Elements();
}

TEST(Moves, PadAroundAndBetween) {
  Counted matrix({2, 3}), result({3, 6});
  EXPECT_EQ(Pad(matrix.Tensor(), Nine(), "[1, -1]", "[0, 2]", "[0, 1]",
                result.Tensor()),
            "");
  EXPECT_THAT(result.Elements(), ElementsAre(9, 9, 9, 9, 9, 9,  //
                                             9, 2, 9, 3, 9, 9,  //
                                             9, 5, 9, 6, 9, 9));
  EXPECT_THAT(Padded(3, 2, 1, 0, 6), ElementsAre(9, 9, 1, 2, 3, 9));
  EXPECT_THAT(Padded(4, -1, -1, 0, 2), ElementsAre(2, 3));
  EXPECT_THAT(Padded(4, -2, -1, 1, 4), ElementsAre(2, 9, 3, 9));
  EXPECT_THAT(Padded(3, -4, -2, 3, 3), ElementsAre(2, 9, 9));
  EXPECT_THAT(Padded(3, -5, 4, 0, 2), ElementsAre(9, 9));
  EXPECT_THAT(Padded(3, 4, -5, 0, 2), ElementsAre(9, 9));
  EXPECT_THAT(Padded(0, 2, 1, 7, 3), ElementsAre(9, 9, 9));
  EXPECT_THAT(Padded(3, 0, 0, 0, 3), ElementsAre(1, 2, 3));
  EXPECT_THAT(Padded(3, 0, 1, 1, 6, {-3}), ElementsAre(1, 9, 2, 9, 3, 9));
}

TEST(Moves, PadByNumbersOf64Bits) {
  EXPECT_THAT(Padded(3, INT64_MIN, INT64_MAX, 0, 2), ElementsAre(9, 9));
  EXPECT_THAT(Padded(1, 1, 0, INT64_MAX, 2), ElementsAre(9, 1));
  EXPECT_THAT(Padded(2, INT64_MIN, 1, INT64_MAX, 2), ElementsAre(2, 9));
  EXPECT_THAT(Padded(2, 0, -INT64_MAX + 1, INT64_MAX, 3), ElementsAre(1, 9, 9));
}

// The operand lies where the result will be, and so does the padding value.
TEST(Moves, PadInPlace) {
  Counted list({4});
  AssayTensor four = list.Tensor();
  four.tensor.data = static_cast<int16_t*>(four.tensor.data) + 3;
  four.tensor.ndim = 0;
  EXPECT_EQ(Pad(list.Tensor(), four, "[1]", "[-1]", "[0]", list.Tensor()), "");
  EXPECT_THAT(list.Elements(), ElementsAre(4, 1, 2, 3));
}

// The operand is seen in the result's shape, the result in the operand's, or
// the elements are copied between.
TEST(Moves, ReshapesInAnyLayout) {
  const Numbers counted = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                           13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
  for (const Numbers& from : {Numbers{}, Numbers{13, 2}, Numbers{-6, -1}}) {
    for (const Numbers& to : {Numbers{}, Numbers{1, 6}}) {
      Counted operand({4, 6}, from, from == Numbers{-6, -1} ? 100 : 0);
      Counted result({6, 4}, to);
      EXPECT_EQ(Move("reshape", {operand.Tensor()}, {}, result.Tensor()), "");
      EXPECT_EQ(result.Elements(), counted);
    }
  }
}

TEST(Moves, InTheOperandsMemoryNothingIsLost) {
  Counted list({5});
  EXPECT_EQ(
      Move("reverse", {list.Tensor()}, {{"dimensions", "[0]"}}, list.Tensor()),
      "");
  EXPECT_THAT(list.Elements(), ElementsAre(5, 4, 3, 2, 1));
  Counted square({3, 3});
  EXPECT_EQ(Move("transpose", {square.Tensor()}, {{"permutation", "[1, 0]"}},
                 square.Tensor()),
            "");
  EXPECT_THAT(square.Elements(), ElementsAre(1, 4, 7, 2, 5, 8, 3, 6, 9));
}

TEST(Moves, WithoutElementsThereAreNoCopies) {
  Counted none({0, 3}), two({2, 3});
  EXPECT_EQ(
      Move("reverse", {none.Tensor()}, {{"dimensions", "[0]"}}, none.Tensor()),
      "");
  Counted sum({2, 3});
  EXPECT_EQ(Move("concatenate", {none.Tensor(), two.Tensor(), none.Tensor()},
                 {{"dimension", "0"}}, sum.Tensor()),
            "");
  EXPECT_THAT(sum.Elements(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Moves, WhatDoesNotFitIsDeclined) {
  Counted matrix({2, 3}), other({3, 2}), list({6});
  const auto declines = [&](const char* op, const Texts& texts,
                            Counted* result) {
    return Move(op, {matrix.Tensor()}, texts, result->Tensor());
  };
  const std::string value = "attribute value", shapes = "mix of operand shapes";
  for (const char* dimensions :
       {"[2]", "[-1]", "[0, 0]", "0", "[0", "[0] 1", "[x]", "[0 1]"})
    EXPECT_EQ(declines("reverse", {{"dimensions", dimensions}}, &matrix), value)
        << dimensions;
  EXPECT_EQ(declines("reverse", {{"dimensions", "[0]"}}, &other), shapes);
  EXPECT_EQ(declines("reverse", {}, &matrix), "an attribute or region");
  EXPECT_EQ(declines("reverse", {{"dims", "[0]"}}, &matrix), value);
  EXPECT_EQ(declines("transpose", {{"permutation", "[0, 1]"}}, &other), shapes);
  EXPECT_EQ(declines("transpose", {{"permutation", "[0]"}}, &other), value);
  EXPECT_EQ(declines("reshape", {}, &list), "");
  Counted five({5});
  EXPECT_EQ(declines("reshape", {}, &five), shapes);
  EXPECT_EQ(declines("concatenate", {{"dimension", "2"}}, &matrix), value);
  EXPECT_EQ(declines("concatenate", {{"dimension", "0"}}, &other), shapes);
  const auto slice = [&](const char* starts, const char* limits,
                         const char* strides) {
    return declines("slice",
                    {{"start_indices", starts},
                     {"limit_indices", limits},
                     {"strides", strides}},
                    &matrix);
  };
  EXPECT_EQ(slice("[0, 0]", "[2, 3]", "[1, 1]"), "");
  EXPECT_EQ(slice("[0, 0]", "[2, 3]", "[1, 2]"), shapes);
  EXPECT_EQ(slice("[0, 0]", "[3, 3]", "[1, 1]"), value);
  EXPECT_EQ(slice("[2, 0]", "[1, 3]", "[1, 1]"), value);
  EXPECT_EQ(slice("[0, 0]", "[2, 3]", "[0, 1]"), value);
  EXPECT_EQ(slice("[0]", "[2, 3]", "[1, 1]"), value);
  const auto pad = [&](const char* low, const char* high, const char* interior,
                       Counted* result) {
    return Pad(matrix.Tensor(), Nine(), low, high, interior, result->Tensor());
  };
  EXPECT_EQ(pad("[0, 0]", "[0, 0]", "[0, 0]", &matrix), "");
  EXPECT_EQ(pad("[0, 0]", "[1, 0]", "[0, 0]", &matrix), shapes);
  EXPECT_EQ(pad("[0, 0]", "[0, 0]", "[0, 1]", &matrix), shapes);
  EXPECT_EQ(pad("[0, 0]", "[0, 0]", "[0, 0]", &list), shapes);
  EXPECT_EQ(pad("[0, 2]", "[0, 0]", "[0, -1]", &matrix), value);
  EXPECT_EQ(pad("[0]", "[0, 0]", "[0, 0]", &matrix), value);
  EXPECT_EQ(Pad(matrix.Tensor(), five.Tensor(), "[0, 0]", "[0, 0]", "[0, 0]",
                matrix.Tensor()),
            shapes);
}

}  // namespace
}  // namespace assay::calls
