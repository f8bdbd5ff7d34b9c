// "Digest" authentication as RTSP has it from HTTP (RFC 2617, with MD5: what players know), for
// keys of the wall: the user is a key's name ("viewer"), the password its secret. So a key as it is
// printed stands before the '@' of an address. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/net/key_guard.h"

namespace server {

struct DigestAnswer {
  std::string user;
  std::string realm;
  std::string nonce;
  std::string uri;
  std::string response;
  std::string quality;  // qop: empty, or "auth" with the next two
  std::string count;    // nc
  std::string client_nonce;
};
// Nothing: another scheme, or no such answer.
std::optional<DigestAnswer> parse_digest(std::string_view authorization);
std::string digest_challenge(std::string_view nonce);
std::string digest_response(const DigestAnswer& answer, std::string_view secret,
                            std::string_view method);

// Whether a request with that header comes from somebody who knows a key by which films may be
// seen, and was made for that film (RFC 2617, 3.2.2.5): what was proved for one opens no other.
// nonce: what the connection was told.
sail::KeyGuard::Given judge_digest(std::string_view authorization, std::string_view method,
                                   std::string_view title, std::string_view nonce,
                                   const sail::WallKey& wall_key);

}  // namespace server
