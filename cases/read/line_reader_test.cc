#include "cases/read/line_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "cases/read/json.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string Written(const std::string& text) {
  const std::string path = testing::TempDir() + "/line_reader_test.txt";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  return path;
}

TEST(LineReader, ReadsWholeLines) {
  const std::string longer(200000, 'x');
  LineReader lines(Written("a\n\n" + longer + "\ncut off"));
  std::vector<std::string> read;
  while (lines.Next()) read.push_back(lines.line());
  EXPECT_EQ(read, (std::vector<std::string>{"a", "", longer}));
  EXPECT_EQ(lines.number(), 3);
  EXPECT_EQ(lines.bytes(), 200004);
  EXPECT_TRUE(lines.is_cut_off());
  LineReader empty(Written(""));
  EXPECT_FALSE(empty.Next());
  EXPECT_FALSE(empty.is_cut_off());
}

TEST(LineReader, ALineHasAnEnd) {
  const std::string path = Written("a\n");
  std::filesystem::resize_file(path, uintmax_t{1} << 40);  // a sparse one
  LineReader lines(path);
  EXPECT_TRUE(lines.Next());
  EXPECT_THAT([&] { lines.Next(); },
              ThrowsMessage<InputError>(HasSubstr(":2: a line of more than")));
  std::filesystem::remove(path);
}

// A file that blocks, or need not have an end, is not opened.
TEST(LineReader, OnlyRegularFilesAreRead) {
  const std::string pipe = testing::TempDir() + "/line_reader_test.fifo";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {std::string("/dev/zero"), pipe,
                                  std::string("/"), std::string("/dev/null")}) {
    EXPECT_THAT([&] { LineReader reader(path); },
                ThrowsMessage<InputError>(HasSubstr("is not a regular file")));
    EXPECT_THAT([&] { ReadTextFile(path); },
                ThrowsMessage<InputError>(HasSubstr("is not a regular file")));
  }
  std::filesystem::remove(pipe);
  EXPECT_THAT([&] { ReadTextFile("/nonexistent"); },
              ThrowsMessage<InputError>(HasSubstr("cannot be read: No such")));
}

TEST(LineSum, IsThatOfZlib) {
  LineSum writer;
  // These sums come from python3 -c 'import zlib;
  // print(hex(zlib.crc32(b"{\"a\":1")))'.
  const std::string first = R"({"a":1)" + writer.End(R"({"a":1)");
  const std::string second = R"({"b":2)" + writer.End(R"({"b":2)");
  EXPECT_EQ(first, "{\"a\":1,\"sum\":\"a702fc6e\"}\n");
  LineSum reader;
  std::string line = first.substr(0, first.size() - 1);
  EXPECT_TRUE(reader.Take(&line));
  EXPECT_EQ(line, R"({"a":1})");
  line = second.substr(0, second.size() - 1);
  EXPECT_TRUE(reader.Take(&line));
  EXPECT_EQ(line, R"({"b":2})");
  for (std::string wrong :
       {"", "{}", "{\"sum\":\"00000000\"}", "{,\"sum\":\"0000000\"}"})
    EXPECT_FALSE(LineSum().Take(&wrong)) << wrong;
  line = second.substr(0, second.size() - 1);
  EXPECT_FALSE(LineSum().Take(&line)) << "of another place";
}

}  // namespace
}  // namespace assay
