// The HTTP side of WHIP and WHEP: who may send an offer, offers within limits, and answers. Thread:
// the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/address/address.h"
#include "sail/core/auth/key_guard.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"

namespace sail {

// Loads the certificate of a server that listens there; empty: without TLS. kUnauthorized: other
// machines could connect, and there is no certificate. The token would be sent unencrypted.
Result<std::optional<WebCertificate>> certificate_for(const Address& listen,
                                                      const CertificateFiles& files);

class OfferDoor {
 public:
  static constexpr size_t kMostOffer = 65536;  // bytes
  using Exchange = std::shared_ptr<WebExchange>;
  struct Options {
    std::string token;
    WallKey wall_key =
        {};  // the wall's own key, whose viewers are let in, too; empty: only `token`
    std::string shown = {};  // what viewers see: see opens_to_viewer()
    // Whether the key of this name opens the door no more; empty: none was revoked.
    std::function<bool(const std::string& name)> is_revoked = {};
    bool all_sites = false;  // pages of other sites may use the server (CORS)
  };
  OfferDoor(Loop& loop, const Options& options);

  // Checks the token. If the token is wrong, returns false and answers, with a delay that grows
  // with each attempt of a host.
  bool knows_token(const Exchange& exchange) { return pass_of_token(exchange).has_value(); }
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  struct Pass {
    int64_t end_s = kNever;  // when the session must end, in seconds since 1970
    std::string key{};       // name of the key; empty: the token
  };
  // As knows_token().
  std::optional<Pass> pass_of_token(const Exchange& exchange);
  // Returns false, and answers, if the body cannot be an offer.
  bool takes_offer(const Exchange& exchange) const;
  // After takes_offer(). on_gone: the peer has disconnected before the answer.
  void read_offer(const Exchange& exchange, std::function<void(const std::string&)> on_offer,
                  std::function<void()> on_gone) const;

  // 201 with the answer to an offer and the path of the session; for an error 400 or 503.
  void answer_offer(const Exchange& exchange, const Result<std::string>& sdp,
                    const std::string& session) const;
  // allowed: "POST, OPTIONS"
  void refuse_method(const Exchange& exchange, const char* allowed) const;
  // Answers OPTIONS, by which browsers ask whether pages of other sites may send requests.
  void answer_options(const Exchange& exchange, const char* allowed) const;
  void answer(const Exchange& exchange, int status, std::string_view text) const;

 private:
  struct Token {
    KeyGuard::Proof proof = KeyGuard::Proof::kNone;
    Pass pass{};
  };
  Token check(const std::optional<std::string>& authorization) const;
  WebAnswer completed(WebAnswer answer) const;

  Loop& loop_;
  KeyGuard guard_;  // checks the token
  const WallKey wall_key_;
  const std::string shown_;
  const std::function<bool(const std::string& name)> is_revoked_;
  const bool all_sites_;
};

}  // namespace sail
