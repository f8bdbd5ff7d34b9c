// Proofs of a key without sending it: HMAC-SHA256 over words that both sides know, including a
// nonce of each side. PROTOCOL.md ("Proofs") has the words. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sail/core/auth/wall_key.h"

namespace sail {

std::array<uint8_t, 32> hmac_sha256(std::string_view secret, std::span<const uint8_t> bytes);
// SHA-256 of the text, as 64 hexadecimal digits.
std::string sha256_text(std::string_view text);
// HMAC of the words joined by newlines, as 64 hexadecimal digits. Words must not contain newlines.
std::string proof_of(std::string_view secret, std::span<const std::string_view> words);
// MD5 for protocols that require it: 32 hexadecimal digits.
std::string md5_text(std::span<const uint8_t> bytes);
std::string md5_text(std::string_view text);
// SHA-1 for protocols that require it.
std::array<uint8_t, 20> sha1_bytes(std::string_view text);

// The words of one control connection: the peer's challenge has its nonce, the listener's answer
// another one. Nonces come from random_word().
struct ControlProof {
  WallKey key;
  std::string peer_nonce;
  std::string listener_nonce;
  // TcpConnection::binding(). A man in the middle has two TLS sessions with different bindings, so
  // he cannot forward a proof.
  std::string binding{};

  std::string of_listener() const;
  // role: as in the hello.
  std::string of_peer(std::string_view role) const;
  // A secret shared only by both ends, for HTTP requests that belong to this connection.
  std::string session() const;

 private:
  std::string of(std::string_view whose, std::string_view role = {}) const;
};

// Contents of a request's "Authorization: Vitrail CLIENT NUMBER PROOF".
struct RequestProof {
  uint64_t client = 0;  // the client's number, from the hello's answer
  uint64_t number = 0;  // the request's number, valid only once
  std::string_view proof;
};
std::optional<RequestProof> read_request_proof(std::string_view authorization);
// Proof of a request; path: as sent, without the query.
std::string request_proof(std::string_view session, std::string_view method, std::string_view path,
                          uint64_t number);
// Returns the complete header value.
std::string request_authorization(std::string_view session, std::string_view method,
                                  std::string_view path, uint64_t client, uint64_t number);

// Replay protection: remembers used numbers. Requests may be reordered within kWindow.
class RequestNumbers {
 public:
  static constexpr uint64_t kWindow = 64;

  // Returns true if the number is new, and marks it as used.
  bool take(uint64_t number);

 private:
  uint64_t newest_ = 0;
  uint64_t seen_ = 0;  // bit n: newest_ - n was used
};

}  // namespace sail
