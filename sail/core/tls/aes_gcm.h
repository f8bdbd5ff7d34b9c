// AES-128-GCM (NIST SP 800-38D) with one key; a wrapper of libcrypto. For one thread at a time.
// Allocates in the constructor and set_key(), not per message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

struct evp_cipher_ctx_st;

namespace sail {

class AesGcm {
 public:
  static constexpr size_t kKeyBytes = 16;
  static constexpr size_t kNonceBytes = 12;
  static constexpr size_t kTagBytes = 16;
  using Key = std::span<const uint8_t, kKeyBytes>;
  using Nonce = std::span<const uint8_t, kNonceBytes>;

  // An object either encrypts or decrypts.
  enum class Use { kSeal, kOpen };
  explicit AesGcm(Use use);
  // Must be called before the first message; may be called again to change the key.
  void set_key(Key key);

  // Encrypts the concatenated parts of `text` to `out` and appends the tag. A nonce must not be
  // reused with one key. `in_clear` is authenticated but not encrypted. A part may be in place.
  void seal(Nonce nonce, std::span<const uint8_t> in_clear,
            std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // Decrypts text with an appended tag in place. Returns false if authentication fails; the bytes
  // must then not be used.
  bool open(Nonce nonce, std::span<const uint8_t> in_clear, std::span<uint8_t> text_and_tag);

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  const Use use_;
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
};

}  // namespace sail
