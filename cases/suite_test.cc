// Tests that files and folders of cases are read as one suite.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cases/case.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

constexpr char kAddition[] = R"({"op": "add", "cases": [{"id": "a", "inputs": {
  "lhs": {"type": "tensor<2xi8>", "data": [1, 2]},
  "rhs": {"type": "tensor<2xi8>", "data": [1, 2]}}}]})";

TEST(Suite, AMissingFileIsNamed) {
  EXPECT_THAT([] { ReadSuite({"/nonexistent/x.json"}, {}); },
              ThrowsMessage<InputError>(
                  StartsWith("/nonexistent/x.json: no such file")));
}

TEST(Suite, NamesAreUniqueOverTheSuite) {
  const std::string folder = testing::TempDir() + "/unique";
  std::filesystem::create_directories(folder);
  for (const char* name : {"/a.json", "/b.json"})
    std::ofstream(folder + name) << kAddition;
  EXPECT_THAT(
      [&] { ReadSuite({folder}, {}); },
      ThrowsMessage<InputError>(HasSubstr("the case 'add/a' is also in")));
}

TEST(Suite, ASuiteIsTheSameInAnyNumberOfThreads) {
  const std::string folder = testing::TempDir() + "/threads";
  std::filesystem::create_directories(folder);
  constexpr int kFiles = 40;
  for (int i = 0; i < kFiles; ++i)
    std::ofstream(folder + fmt::format("/{:02}.json", i)) << fmt::format(
        R"({{"op": "abs", "cases": [
             {{"id": "a{0}_{{n}}", "each": {{"n": [1, 2, 3]}}, "inputs": {{
               "operand": {{"type": "tensor<2xi8>", "data": [1, {0}]}}}}}}]}})",
        i);
  const auto names = [&](int threads) {
    std::vector<std::string> names;
    for (const Case& c : ReadSuite({folder}, {INT64_MAX, {}, threads}))
      names.push_back(c.name + " " + c.where);
    return names;
  };
  const std::vector<std::string> expected = names(1);
  EXPECT_EQ(expected.size(), 3u * kFiles);
  EXPECT_EQ(names(4), expected);
  // If several files are wrong, the first is named.
  for (const int i : {11, 23, 39})
    std::ofstream(folder + fmt::format("/{:02}.json", i)) << "[";
  for (const int threads : {1, 4})
    EXPECT_THAT([&] { names(threads); },
                ThrowsMessage<InputError>(HasSubstr("/11.json: ")));
}

TEST(Suite, FilesOfOtherOpsAreLeftOut) {
  const std::string folder = testing::TempDir() + "/ops";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a.json") << kAddition;
  std::ofstream(folder + "/b.json") << R"({"op": "negate", "cases": [{}]})";
  ReadOptions options;
  options.ops = {"add"};
  EXPECT_EQ(ReadSuite({folder}, options).size(), 1u);
  options.ops = {"abs"};
  EXPECT_TRUE(ReadSuite({folder}, options).empty());
  // A file that does not say of which op it is, is read, and reported as wrong.
  std::ofstream(folder + "/c.json") << R"({"cases": [], "op": 1})";
  EXPECT_THAT([&] { ReadSuite({folder}, options); },
              ThrowsMessage<InputError>(HasSubstr("c.json#/op")));
  std::filesystem::remove(folder + "/c.json");
  options.ops = {"add", "negate"};
  EXPECT_THAT([&] { ReadSuite({folder}, options); },
              ThrowsMessage<InputError>(HasSubstr("b.json#/cases/0")));
}

}  // namespace
}  // namespace assay
