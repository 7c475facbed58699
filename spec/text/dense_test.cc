// dense<..> and array<..> in every spelling, with the traps of MLIR.
#include <gtest/gtest.h>

#include "spec/text/text_test_support.h"

namespace assay::text {
namespace {

TEST(Dense, ListsScalarsAndNothingAreElements) {
  EXPECT_EQ(Spelled("dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>"),
            "dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>");
  EXPECT_EQ(Spelled("dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>"),
            "dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>");
  EXPECT_EQ(Spelled("dense<7> : tensor<ui8>"), "dense<7> : tensor<ui8>");
  EXPECT_EQ(Spelled("dense<7> : tensor<3xi4>"), "dense<7> : tensor<3xi4>");
  EXPECT_EQ(Spelled("dense<[7, 7]> : tensor<2xi32>"),
            "dense<7> : tensor<2xi32>");
  EXPECT_EQ(Spelled("dense<[true, false]> : tensor<2xi1>"),
            "dense<[true, false]> : tensor<2xi1>");
  EXPECT_EQ(Spelled("dense<1> : tensor<i1>"), "dense<true> : tensor<i1>");
  for (const char* text : {"", "[]", "5"})
    EXPECT_EQ(Spelled(std::string("dense<") + text + "> : tensor<0xf32>"),
              "dense<> : tensor<0xf32>");
  EXPECT_EQ(Spelled("dense<[[], []]> : tensor<2x0xi8>"),
            "dense<> : tensor<2x0xi8>");
}

TEST(Dense, ZeroDimensionsAreNoHexadecimalNumbers) {
  EXPECT_EQ(Spelled("dense<> : tensor<0x2xi64>"), "dense<> : tensor<0x2xi64>");
  EXPECT_EQ(Spelled("dense<0x2> : tensor<i64>"), "dense<2> : tensor<i64>");
}

TEST(Dense, ComplexElementsAreTwoParts) {
  EXPECT_EQ(Spelled("dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>"),
            "dense<(1.000000e+00,-2.000000e+00)> : tensor<2xcomplex<f32>>");
  EXPECT_EQ(Spelled("dense<[(1.0, 0x7FF0000000000000), (3.0, 4.0)]> : "
                    "tensor<2xcomplex<f64>>"),
            "dense<[(1.000000e+00,0x7FF0000000000000), "
            "(3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f64>>");
}

TEST(Dense, FloatsAreDecimalOrBits) {
  EXPECT_EQ(Spelled("dense<[1.5, -1.5, 0xFF800000, 2]> : tensor<4xf32>"),
            "dense<[1.500000e+00, -1.500000e+00, 0xFF800000, 2.000000e+00]> : "
            "tensor<4xf32>");
  EXPECT_EQ(Spelled("dense<0x1FFFF> : tensor<f16>"),
            "1:18: 0x1FFFF is no value of f16");
  EXPECT_EQ(Spelled("dense<-0x7F80> : tensor<bf16>"),
            "1:18: -0x7F80 is no value of bf16");
}

TEST(Dense, IntegersAreInTheRangeOfTheirBits) {
  EXPECT_EQ(Spelled("dense<255> : tensor<i8>"), "dense<-1> : tensor<i8>");
  EXPECT_EQ(Spelled("dense<0xFF> : tensor<i8>"), "dense<-1> : tensor<i8>");
  EXPECT_EQ(Spelled("dense<300> : tensor<i8>"), "1:18: 300 is no value of i8");
  EXPECT_EQ(Spelled("dense<-1> : tensor<ui8>"), "1:18: -1 is no value of ui8");
  EXPECT_EQ(Spelled("dense<1.0> : tensor<i8>"),
            "1:18: expected a value of i8, not '1.0'");
  EXPECT_EQ(Spelled("dense<true> : tensor<i8>"),
            "1:18: expected a value of i8, not 'true'");
  EXPECT_EQ(Spelled("dense<(1, 2)> : tensor<i8>"),
            "1:18: expected a value of i8, not '('");
  EXPECT_EQ(Spelled("dense<99999999999999999999> : tensor<i64>"),
            "1:18: 99999999999999999999 is no value of i64");
}

TEST(Dense, BlobsAreAllElementsOrOneForAll) {
  EXPECT_EQ(Spelled("dense<\"0x0000803F000000C0\"> : tensor<2xf32>"),
            "dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>");
  EXPECT_EQ(Spelled("dense<\"0x0000803f\"> : tensor<5xf32>"),
            "dense<1.000000e+00> : tensor<5xf32>");
  EXPECT_EQ(Spelled("dense<\"0x0000803F0000004000004040000080C0\"> : "
                    "tensor<2xcomplex<f32>>"),
            "dense<[(1.000000e+00,2.000000e+00), "
            "(3.000000e+00,-4.000000e+00)]> : tensor<2xcomplex<f32>>");
  // Elements of less than a byte are its low bits.
  EXPECT_EQ(Spelled("dense<\"0x0F01\"> : tensor<2xi4>"),
            "dense<[-1, 1]> : tensor<2xi4>");
  EXPECT_EQ(Spelled("dense<\"0xFF01\"> : tensor<2xui2>"),
            "dense<[3, 1]> : tensor<2xui2>");
  EXPECT_EQ(Spelled("dense<\"0x\"> : tensor<0xi32>"),
            "dense<> : tensor<0xi32>");
  EXPECT_EQ(Spelled("dense<\"0x01000000\"> : tensor<0xi32>"),
            "dense<> : tensor<0xi32>");
}

TEST(Dense, BlobsOfBooleansAreReadByTheirLength) {
  EXPECT_EQ(Spelled("dense<\"0x010001\"> : tensor<3xi1>"),
            "dense<[true, false, true]> : tensor<3xi1>");
  EXPECT_EQ(Spelled("dense<\"0x8901\"> : tensor<9xi1>"),
            "dense<[true, false, false, true, false, false, false, true, "
            "true]> : tensor<9xi1>");
  EXPECT_EQ(Spelled("dense<\"0xFF\"> : tensor<9xi1>"),
            "dense<true> : tensor<9xi1>");
  EXPECT_EQ(Spelled("dense<\"0x01\"> : tensor<1xi1>"),
            "dense<true> : tensor<1xi1>");
  // One byte for two to eight elements: both readings agree, or do not.
  EXPECT_EQ(Spelled("dense<\"0xFF\"> : tensor<8xi1>"),
            "dense<true> : tensor<8xi1>");
  EXPECT_EQ(Spelled("dense<\"0x00\"> : tensor<4xi1>"),
            "dense<false> : tensor<4xi1>");
  EXPECT_EQ(Spelled("dense<\"0x89\"> : tensor<8xi1>"),
            "1:18: one byte for several i1 is eight of them or one for all, "
            "depending on the version of MLIR that wrote it");
}

TEST(Dense, BlobsOfOtherLengthsOrDigitsAreRefused) {
  EXPECT_EQ(Spelled("dense<\"0x0000\"> : tensor<2xf32>"),
            "1:18: the string has 2 bytes, which is neither 2 elements of f32 "
            "nor one");
  EXPECT_EQ(Spelled("dense<\"0x000\"> : tensor<2xi8>"),
            "1:18: a string of elements is \"0x..\" with two digits a byte");
  EXPECT_EQ(Spelled("dense<\"00\"> : tensor<i8>"),
            "1:18: a string of elements is \"0x..\" with two digits a byte");
  EXPECT_EQ(Spelled("dense<\"0x0G\"> : tensor<i8>"),
            "1:18: a string of elements has hexadecimal digits");
  EXPECT_EQ(Spelled("dense<\"0x010001\"> : tensor<4xi1>"),
            "1:18: the string has 3 bytes, which is neither 4 elements of i1 "
            "nor one");
}

TEST(Dense, ListsHaveTheShapeOfTheType) {
  const std::string shape = "the lists do not have the shape of tensor<2x2xi8>";
  for (const auto& [list, column] : {std::pair{"[1, 2]", 19},
                                     {"[[1, 2]]", 25},
                                     {"[[1, 2], [3]]", 29},
                                     {"[[1, 2, 3], [4]]", 27},
                                     {"[[[1]]]", 20},
                                     {"[[1, 2], [3, 4, 5]]", 34},
                                     {"[]", 19}})
    EXPECT_EQ(Spelled("dense<" + std::string(list) + "> : tensor<2x2xi8>"),
              "1:" + std::to_string(column) + ": " + shape)
        << list;
  EXPECT_EQ(Spelled("dense<> : tensor<2xi8>"),
            "1:18: expected elements, not '>'");
  EXPECT_EQ(Spelled("dense<[1 2]> : tensor<2xi8>"),
            "1:21: expected ',', not '2'");
  EXPECT_EQ(Spelled("dense<1 2> : tensor<2xi8>"),
            "1:20: expected '>', not '2'");
}

TEST(Dense, TypesAreStaticTensors) {
  EXPECT_EQ(Spelled("dense 1"), "1:18: expected '<', not '1'");
  EXPECT_EQ(Spelled("dense<1"), "1:31: expected '>', not the end of the text");
  EXPECT_EQ(Spelled("dense<1>"),
            "1:20: expected ':' and the type of the elements, not '}'");
  EXPECT_EQ(Spelled("dense<1> : i8"),
            "1:23: the elements of 'dense' have a tensor type");
  EXPECT_EQ(Spelled("dense<1> : tensor<!quant.uniform<i8:f32, 1.0>>"),
            "dense<1> : tensor<!quant.uniform<i8:f32, 1>>");
  EXPECT_EQ(Spelled("dense<1> : tensor<?xi8>"),
            "1:23: the elements of 'dense' have a static shape");
}

TEST(Dense, ArraysAreTensorsOfRankOne) {
  EXPECT_EQ(Spelled("array<i64: 1, -2>"), "array<i64: 1, -2>");
  EXPECT_EQ(Spelled("array<i64>"), "array<i64>");
  EXPECT_EQ(Spelled("array<i1: true, false>"), "array<i1: true, false>");
  EXPECT_EQ(Spelled("array<f32: 1.0>"), "array<f32: 1.000000e+00>");
  EXPECT_EQ(Spelled("array<complex<f32>>"),
            "1:18: an array has no complex elements");
  EXPECT_EQ(Spelled("array<i64: >"), "1:23: expected a value of i64, not '>'");
  EXPECT_EQ(Spelled("array<i64 1>"), "1:22: expected '>', not '1'");
}

TEST(Dense, ListsOfMoreThanAHundredElementsArePrintedAsBlobs) {
  std::string list, blob;
  for (int i = 0; i < 101; ++i) {
    list += (i > 0 ? ", " : "") + std::to_string(i % 2);
    blob += i % 2 ? "01" : "00";
  }
  EXPECT_EQ(Spelled("dense<[" + list + "]> : tensor<101xi8>"),
            "dense<\"0x" + blob + "\"> : tensor<101xi8>");
}

}  // namespace
}  // namespace assay::text
