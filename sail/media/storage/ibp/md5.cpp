#include "sail/media/storage/ibp/md5.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace sail {

std::string md5_digits(std::span<const uint8_t> bytes) {
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned count = 0;
  // If MD5 is disabled (FIPS), the digest is empty and matches nothing.
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &count, EVP_md5(), nullptr);
  std::string digits;
  for (const uint8_t byte : std::span(digest).first(count)) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace sail
