// How a key is proved without being sent: by HMAC-SHA256 over words that both sides know, of which
// each side chose one afresh. PROTOCOL.md ("Proofs") has the words. The one place that knows
// libcrypto. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sail/net/wall_key.h"

namespace sail {

std::array<uint8_t, 32> hmac_sha256(std::string_view secret, std::span<const uint8_t> bytes);
// The same over the words with a newline between them, as 64 hexadecimal digits. None of the words
// may have a newline.
std::string proof_of(std::string_view secret, std::span<const std::string_view> words);

// The words of one control connection. A peer asks with its nonce, the listener answers with its
// own; both are of random_word().
struct ControlProof {
  WallKey key;
  std::string peer_nonce;
  std::string listener_nonce;
  // TcpConnection::binding(): whoever stands between two TLS sessions has two, and can carry no
  // proof over.
  std::string binding{};

  std::string of_listener() const;
  // role: as the hello says it.
  std::string of_peer(std::string_view role) const;
  // What both have now and nobody else: of requests by HTTP that belong to this connection.
  std::string session() const;

 private:
  std::string of(std::string_view whose, std::string_view role = {}) const;
};

// What is in a request's "Authorization: Vitrail CLIENT NUMBER PROOF".
struct RequestProof {
  uint64_t client = 0;  // its number, as the hello's answer told
  uint64_t number = 0;  // of the request; each is good once
  std::string_view proof;
};
std::optional<RequestProof> read_request_proof(std::string_view authorization);
// The proof of a request; path: without its query, as it is sent.
std::string request_proof(std::string_view session, std::string_view method, std::string_view path,
                          uint64_t number);
// The header's whole value.
std::string request_authorization(std::string_view session, std::string_view method,
                                  std::string_view path, uint64_t client, uint64_t number);

// Which numbers have come: requests overtake one another, but not by much.
class RequestNumbers {
 public:
  static constexpr uint64_t kWindow = 64;

  // Whether it is a new one, which it is no more then.
  bool take(uint64_t number);

 private:
  uint64_t newest_ = 0;
  uint64_t seen_ = 0;  // bit n: newest_ - n
};

}  // namespace sail
