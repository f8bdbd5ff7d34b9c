// AES-128-GCM (NIST SP 800-38D) with one key: the one place of ciphers that knows libcrypto. One
// thread at a time; memory is taken when a key is set, and for no message.
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

  // It does one of the two.
  enum class Use { kSeal, kOpen };
  explicit AesGcm(Use use);
  // Before the first message; another one may follow.
  void set_key(Key key);

  // The text, in parts one after another, to `out`, and the tag behind it. No nonce may come twice
  // with one key. A part may stand where it goes.
  void seal(Nonce nonce, std::span<const uint8_t> in_clear,
            std::span<const std::span<const uint8_t>> text, uint8_t* out);
  // The text, behind which is the tag, to `out`, which may be where it stands. False: one of them,
  // or what is in clear, is not as it was sealed, and what is at `out` is nothing.
  bool open(Nonce nonce, std::span<const uint8_t> in_clear, std::span<const uint8_t> text_and_tag,
            uint8_t* out);
  // In place.
  bool open(Nonce nonce, std::span<const uint8_t> in_clear, std::span<uint8_t> text_and_tag) {
    return open(nonce, in_clear, text_and_tag, text_and_tag.data());
  }

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };
  const Use use_;
  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
};

}  // namespace sail
