// OpenSSL computes the digest; this file only formats the result.
#include "spec/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <vector>

#include "spec/error.h"

namespace assay {
namespace {

using Context = std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)>;

Context Begin() {
  Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  ASSAY_CHECK(context &&
              EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  return context;
}

std::string End(const Context& context) {
  std::array<unsigned char, 32> digest{};
  ASSAY_CHECK(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  const Context context = Begin();
  ASSAY_CHECK(EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1);
  return End(context);
}

std::string Sha256OfFile(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const Context context = Begin();
  std::vector<char> buffer(size_t{1} << 20);
  while (stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const size_t size = static_cast<size_t>(stream.gcount());
    ASSAY_CHECK(EVP_DigestUpdate(context.get(), buffer.data(), size) == 1);
  }
  if (!stream.eof()) throw InputError(file, "cannot be read");
  return End(context);
}

}  // namespace assay
