// Tests the examples of FIPS 180-2 and the padding: no bytes, one block, two
// blocks.
#include "spec/digest.h"

#include <gtest/gtest.h>

#include <fstream>

#include "spec/error.h"

namespace assay {
namespace {

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(Sha256(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_NE(Sha256(std::string_view("\0", 1)), Sha256(""));
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const std::string path = testing::TempDir() + "/digest_test";
  for (size_t size :
       {size_t{0}, size_t{1}, size_t{1} << 20, (size_t{1} << 20) + 1}) {
    const std::string bytes(size, 'x');
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(Sha256OfFile(path), Sha256(bytes)) << size;
  }
  EXPECT_THROW(Sha256OfFile(path + ".none"), InputError);
  EXPECT_THROW(Sha256OfFile(testing::TempDir()), InputError);
}

}  // namespace
}  // namespace assay
