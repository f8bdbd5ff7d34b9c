#include "sail/core/tls/aes_gcm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sail {
namespace {

// Parses hex bytes of published test vectors.
std::vector<uint8_t> bytes_of_hex(std::string_view hex) {
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16)));
  }
  return bytes;
}

using Bytes = std::vector<uint8_t>;

// Test case 4 of McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B.
const Bytes kVectorKey = bytes_of_hex("feffe9928665731c6d6a8f9467308308");
const Bytes kVectorNonce = bytes_of_hex("cafebabefacedbaddecaf888");
const Bytes kVectorInClear = bytes_of_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
const Bytes kVectorText = bytes_of_hex(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b5"
    "25b16aedf5aa0de657ba637b39");
const Bytes kVectorSealed = bytes_of_hex(
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa"
    "051ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47");

AesGcm keyed(AesGcm::Use use, const Bytes& key = kVectorKey) {
  AesGcm cipher(use);
  cipher.set_key(AesGcm::Key(key));
  return cipher;
}

AesGcm::Nonce vector_nonce() {
  return AesGcm::Nonce(kVectorNonce);
}

TEST(AesGcm, SealsAsPublished) {
  AesGcm cipher = keyed(AesGcm::Use::kSeal);
  for (const size_t cut : {size_t{0}, size_t{1}, size_t{16}, size_t{29}, kVectorText.size()}) {
    Bytes out(kVectorText.size() + AesGcm::kTagBytes);
    const std::span<const uint8_t> parts[] = {std::span(kVectorText).first(cut),
                                              std::span(kVectorText).subspan(cut)};
    cipher.seal(vector_nonce(), kVectorInClear, parts, out.data());
    EXPECT_EQ(out, kVectorSealed) << "cut at " << cut;
  }
  Bytes in_place = kVectorText;
  in_place.resize(kVectorSealed.size());
  const std::span<const uint8_t> whole = std::span(in_place).first(kVectorText.size());
  cipher.seal(vector_nonce(), kVectorInClear, std::span(&whole, 1), in_place.data());
  EXPECT_EQ(in_place, kVectorSealed);
}

TEST(AesGcm, OpensAsPublished) {
  AesGcm cipher = keyed(AesGcm::Use::kOpen);
  Bytes text = kVectorSealed;
  ASSERT_TRUE(cipher.open(vector_nonce(), kVectorInClear, text));
  text.resize(kVectorText.size());
  EXPECT_EQ(text, kVectorText);
}

// Test case 1 of the same document.
TEST(AesGcm, SealsNothing) {
  AesGcm cipher = keyed(AesGcm::Use::kSeal, Bytes(16));
  const Bytes zeros(12);
  Bytes tag(AesGcm::kTagBytes);
  cipher.seal(AesGcm::Nonce(zeros), {}, {}, tag.data());
  EXPECT_EQ(tag, bytes_of_hex("58e2fccefa7e3061367f1d57a4e7455a"));
  EXPECT_TRUE(keyed(AesGcm::Use::kOpen, Bytes(16)).open(AesGcm::Nonce(zeros), {}, tag));
}

TEST(AesGcm, OpensNothingElse) {
  AesGcm cipher = keyed(AesGcm::Use::kOpen);
  for (size_t bit = 0; bit < 8 * kVectorSealed.size(); ++bit) {
    Bytes sealed = kVectorSealed;
    sealed[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_FALSE(cipher.open(vector_nonce(), kVectorInClear, sealed)) << "bit " << bit;
  }
  Bytes sealed = kVectorSealed;
  EXPECT_FALSE(cipher.open(vector_nonce(), std::span(kVectorInClear).first(19), sealed));
  sealed = kVectorSealed;
  sealed.pop_back();
  EXPECT_FALSE(cipher.open(vector_nonce(), kVectorInClear, sealed));
  for (size_t bytes = 0; bytes < AesGcm::kTagBytes; ++bytes) {
    Bytes part(kVectorSealed.begin(), kVectorSealed.begin() + static_cast<ptrdiff_t>(bytes));
    EXPECT_FALSE(cipher.open(vector_nonce(), kVectorInClear, part));
  }
  sealed = kVectorSealed;
  EXPECT_TRUE(cipher.open(vector_nonce(), kVectorInClear, sealed))
      << "and is none the worse for it";
}

}  // namespace
}  // namespace sail
