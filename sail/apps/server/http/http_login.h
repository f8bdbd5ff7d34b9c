// Requires the wall's key from HTTP clients, by Digest authentication. Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sail/core/auth/key_guard.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"

namespace server {

class HttpLogin {
 public:
  // key: without a secret nobody needs to log in.
  HttpLogin(sail::Loop& loop, const sail::WallKey& key);

  bool allows_everybody() const { return guard_.allows_everybody(); }
  // Returns whether the client has proved a key. If not, answers the request, perhaps later. title:
  // of the requested film.
  bool proved(const std::shared_ptr<sail::WebExchange>& exchange, const std::string& title);

 private:
  sail::Loop& loop_;
  sail::KeyGuard guard_;
  // All connections use the same nonce, and it lasts for some minutes, because clients open several
  // connections.
  std::string nonce_;
  std::string old_nonce_;  // still accepted
  int64_t nonce_since_ns_ = 0;
  uint64_t next_id_ = 1;
  std::map<uint64_t, sail::Timer> refusals_;  // delayed answers
};

}  // namespace server
