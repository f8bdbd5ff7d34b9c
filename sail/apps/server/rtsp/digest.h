// "Digest" authentication of RTSP and HTTP (RFC 2617 with MD5, which players support), for keys of
// the wall. The user is a key's name ("viewer"), the password its secret. So a key as it is printed
// can be written before the '@' of a URL. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/core/auth/key_guard.h"

namespace server {

struct DigestAnswer {
  std::string user;
  std::string realm;
  std::string nonce;
  std::string uri;
  std::string response;
  std::string quality;  // qop: empty, or "auth" with the next two
  std::string count;    // the field nc
  std::string client_nonce;
};
// Empty optional: another scheme, or malformed.
std::optional<DigestAnswer> parse_digest(std::string_view authorization);
std::string digest_challenge(std::string_view nonce);
std::string digest_response(const DigestAnswer& answer, std::string_view secret,
                            std::string_view method);

// Checks an Authorization header. kRight: it proves a key with at least the viewer's right, for
// this film (RFC 2617, 3.2.2.5: the proof for one film is not valid for another). nonce: the one
// that this connection was sent.
sail::KeyGuard::Proof judge_digest(std::string_view authorization, std::string_view method,
                                   std::string_view title, std::string_view nonce,
                                   const sail::WallKey& wall_key);

}  // namespace server
