#include "sail/core/auth/password.h"

#include <openssl/evp.h>

#include <array>
#include <cstdlib>

#include "sail/core/base/secret.h"
#include "sail/core/text/encodings.h"

namespace sail {
namespace {

// One of the equally strong settings in OWASP's password storage cheat sheet; the one with little
// enough memory for a web page on a phone.
constexpr uint64_t kScryptN = 1 << 15;
constexpr uint64_t kScryptR = 8;
constexpr uint64_t kScryptP = 3;
constexpr uint64_t kMostScryptBytes = 64 << 20;

int digit(char letter) {
  return letter <= '9' ? letter - '0' : letter - 'a' + 10;
}

// XOR of two texts of hexadecimal digits with equal length.
std::string exclusive_or(std::string_view a, std::string_view b) {
  std::string text(a.size(), '0');
  for (size_t i = 0; i < a.size(); ++i) {
    text[i] = "0123456789abcdef"[(digit(a[i]) ^ digit(b[i])) & 15];
  }
  return text;
}

std::string word_of(std::string_view secret, std::string_view word) {
  return proof_of(secret, {&word, 1});
}

std::string stored_key(std::string_view client_key) {
  return word_of(client_key, "vitrail stored");
}

ControlProof with_secret(ControlProof words, std::string secret) {
  words.key.secret = std::move(secret);
  return words;
}

}  // namespace

bool is_person(std::string_view key_name) {
  return key_name.starts_with(kPersonKey);
}

std::string derive_key(std::string_view password, std::string_view salt) {
  std::array<uint8_t, 32> bytes{};
  const int done = EVP_PBE_scrypt(
      password.data(), password.size(), reinterpret_cast<const uint8_t*>(salt.data()), salt.size(),
      kScryptN, kScryptR, kScryptP, kMostScryptBytes, bytes.data(), bytes.size());
  // Fails only for lack of memory. A key that was not derived would be known to everybody.
  if (done != 1) std::abort();
  return hex_text(bytes);
}

Verifier verifier_of(std::string_view derived_key) {
  return {stored_key(word_of(derived_key, "vitrail client")),
          word_of(derived_key, "vitrail listener")};
}

PersonProof person_proof(const ControlProof& words, std::string_view derived_key,
                         std::string_view role) {
  const std::string client_key = word_of(derived_key, "vitrail client");
  const Verifier verifier = verifier_of(derived_key);
  return {exclusive_or(client_key, with_secret(words, verifier.stored_key).of_peer(role)),
          with_secret(words, verifier.listener_key).of_listener(),
          with_secret(words, client_key).session()};
}

std::optional<PersonProof> check_person(const ControlProof& words, const Verifier& verifier,
                                        std::string_view role, const std::string& of_peer) {
  const std::string mask = with_secret(words, verifier.stored_key).of_peer(role);
  if (of_peer.size() != mask.size()) return std::nullopt;
  const std::string client_key = exclusive_or(of_peer, mask);
  if (!same_text(stored_key(client_key), verifier.stored_key)) return std::nullopt;
  return PersonProof{of_peer, with_secret(words, verifier.listener_key).of_listener(),
                     with_secret(words, client_key).session()};
}

}  // namespace sail
