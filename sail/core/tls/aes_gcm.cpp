#include "sail/core/tls/aes_gcm.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace sail {
namespace {

// Input cannot make these calls fail. Sending unencrypted would be worse than aborting.
void must(int done) {
  if (done != 1) std::abort();
}

}  // namespace

void AesGcm::Free::operator()(evp_cipher_ctx_st* context) const {
  EVP_CIPHER_CTX_free(context);
}

AesGcm::AesGcm(Use use) : use_(use), context_(EVP_CIPHER_CTX_new()) {
  must(context_ != nullptr);
  must(EVP_CipherInit_ex(context_.get(), EVP_aes_128_gcm(), nullptr, nullptr, nullptr,
                         use == Use::kSeal ? 1 : 0));
  static_assert(kNonceBytes == 12, "the default length of GCM, so it need not be set");
}

void AesGcm::set_key(Key key) {
  must(EVP_CipherInit_ex(context_.get(), nullptr, nullptr, key.data(), nullptr, -1));
}

void AesGcm::seal(Nonce nonce, std::span<const uint8_t> in_clear,
                  std::span<const std::span<const uint8_t>> text, uint8_t* out) {
  assert(use_ == Use::kSeal);
  EVP_CIPHER_CTX* context = context_.get();
  int bytes = 0;
  must(EVP_EncryptInit_ex(context, nullptr, nullptr, nullptr, nonce.data()));
  must(EVP_EncryptUpdate(context, nullptr, &bytes, in_clear.data(),
                         static_cast<int>(in_clear.size())));
  for (const std::span<const uint8_t> part : text) {
    if (part.empty()) continue;
    must(EVP_EncryptUpdate(context, out, &bytes, part.data(), static_cast<int>(part.size())));
    out += part.size();
  }
  must(EVP_EncryptFinal_ex(context, out, &bytes));
  must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, kTagBytes, out));
}

bool AesGcm::open(Nonce nonce, std::span<const uint8_t> in_clear, std::span<uint8_t> text_and_tag) {
  assert(use_ == Use::kOpen);
  if (text_and_tag.size() < kTagBytes) return false;
  const std::span<uint8_t> text = text_and_tag.first(text_and_tag.size() - kTagBytes);
  std::array<uint8_t, kTagBytes> tag;
  std::copy_n(text_and_tag.last(kTagBytes).begin(), kTagBytes, tag.begin());
  EVP_CIPHER_CTX* context = context_.get();
  int bytes = 0;
  must(EVP_DecryptInit_ex(context, nullptr, nullptr, nullptr, nonce.data()));
  must(EVP_DecryptUpdate(context, nullptr, &bytes, in_clear.data(),
                         static_cast<int>(in_clear.size())));
  if (!text.empty()) {
    must(EVP_DecryptUpdate(context, text.data(), &bytes, text.data(),
                           static_cast<int>(text.size())));
  }
  must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()));
  return EVP_DecryptFinal_ex(context, text.data() + text.size(), &bytes) == 1;
}

}  // namespace sail
