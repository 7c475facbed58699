// OpenSSL computes; this file only spells the result.
#include "spec/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "spec/error.h"

namespace assay {

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  ASSAY_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr,
                         EVP_sha256(), nullptr) == 1);
  std::string text;
  for (unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace assay
