#include "sail/core/auth/proof.h"

#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <charconv>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "sail/core/base/secret.h"
#include "sail/core/text/encodings.h"

namespace sail {
namespace {

constexpr std::string_view kScheme = "Vitrail ";

// Removes and returns the number before the next space, including the space.
std::optional<uint64_t> take_number(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != ' ') return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return number;
}

}  // namespace

std::array<uint8_t, 32> hmac_sha256(std::string_view secret, std::span<const uint8_t> bytes) {
  std::array<uint8_t, 32> code{};
  unsigned size = 0;
  const auto* done = HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
                          bytes.data(), bytes.size(), code.data(), &size);
  // HMAC is not expected to fail, not even for lack of memory. Without a valid code, everybody
  // could make a valid proof.
  if (done == nullptr || size != code.size()) std::abort();
  return code;
}

std::string sha256_text(std::string_view text) {
  // OpenSSL would look up EVP_sha256() at each call.
  static const EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  std::array<uint8_t, 32> digest{};
  unsigned size = 0;
  const int done = EVP_Digest(text.data(), text.size(), digest.data(), &size, method, nullptr);
  if (done != 1 || size != digest.size()) std::abort();  // As in hmac_sha256().
  return hex_text(digest);
}

std::string md5_text(std::span<const uint8_t> bytes) {
  std::array<uint8_t, 16> digest{};
  unsigned size = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr);
  // If MD5 is disabled, return a random value that nobody can match.
  return done == 1 && size == digest.size() ? hex_text(digest) : random_word();
}

std::string md5_text(std::string_view text) {
  return md5_text({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

std::array<uint8_t, 20> sha1_bytes(std::string_view text) {
  std::array<uint8_t, 20> digest{};
  unsigned size = 0;
  const int done = EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  if (done != 1 || size != digest.size()) std::abort();  // As in hmac_sha256().
  return digest;
}

std::string proof_of(std::string_view secret, std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += '\n';
    text += word;
  }
  return hex_text(
      hmac_sha256(secret, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
}

std::string ControlProof::of(std::string_view whose, std::string_view role) const {
  std::vector<std::string_view> words = {whose, key.name, peer_nonce, listener_nonce};
  if (!role.empty()) words.push_back(role);
  if (!binding.empty()) words.push_back(binding);
  return proof_of(key.secret, words);
}

std::string ControlProof::of_listener() const {
  return of("vitrail listener");
}

std::string ControlProof::of_peer(std::string_view role) const {
  return of("vitrail peer", role);
}

std::string ControlProof::session() const {
  return of("vitrail session");
}

std::optional<RequestProof> read_request_proof(std::string_view authorization) {
  if (!authorization.starts_with(kScheme)) return std::nullopt;
  authorization.remove_prefix(kScheme.size());
  const auto client = take_number(authorization);
  if (!client) return std::nullopt;
  const auto number = take_number(authorization);
  if (!number) return std::nullopt;
  return RequestProof{*client, *number, authorization};
}

std::string request_proof(std::string_view session, std::string_view method, std::string_view path,
                          uint64_t number) {
  const std::string digits = std::to_string(number);
  const std::string_view words[] = {"vitrail request", method, path, digits};
  return proof_of(session, words);
}

std::string request_authorization(std::string_view session, std::string_view method,
                                  std::string_view path, uint64_t client, uint64_t number) {
  return fmt::format("{}{} {} {}", kScheme, client, number,
                     request_proof(session, method, path, number));
}

bool RequestNumbers::take(uint64_t number) {
  if (number > newest_) {
    const uint64_t ahead = number - newest_;
    seen_ = ahead >= kWindow ? 0 : seen_ << ahead;
    newest_ = number;
  }
  const uint64_t behind = newest_ - number;
  if (number == 0 || behind >= kWindow) return false;
  const uint64_t bit = uint64_t{1} << behind;
  if ((seen_ & bit) != 0) return false;
  seen_ |= bit;
  return true;
}

}  // namespace sail
