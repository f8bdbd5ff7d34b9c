// Where programs such as OBS send to by WHIP (RFC 9725): an HTTP server that takes the offer of who
// knows the token, and gives the answer of a WhipPeer. One sends at a time, and the guest ends with
// it. A thread of its own; what is public is for the thread that made it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "sail/apps/guest_link.h"
#include "sail/apps/whip_peer.h"
#include "sail/base/clock.h"
#include "sail/base/result.h"
#include "sail/net/key_guard.h"
#include "sail/net/loop.h"
#include "sail/net/web_server.h"

namespace sail {

constexpr const char* kWhipPath = "/whip";

class WhipServer final : public GuestLink {
 public:
  struct Options {
    Address listen;
    std::string token;
    int64_t patience_ms = 0;                         // how long somebody has to come; 0: for ever
    std::optional<WebCertificate> certificate = {};  // nothing: no TLS
  };
  static Result<std::unique_ptr<WhipServer>> start(const Options& options);
  ~WhipServer() override;

  Address address() const { return address_; }
  void ask_for_key_frame() override;
  // Nothing of it can be told by WHIP: who sends sees that the connection ends.
  void say_at_end(std::string /*reason*/) override {}

 private:
  static constexpr size_t kMostOffer = 65536;  // bytes
  static constexpr int64_t kAnswerMs = 10'000;
  static constexpr int64_t kLastWordsMs = 100;
  static constexpr int64_t kSilenceNs = 10 * kSecondNs;
  static constexpr int64_t kLookMs = 1000;
  using Exchange = std::shared_ptr<WebExchange>;

  explicit WhipServer(const Options& options);
  void hear(const Exchange& exchange);
  // Wrong tokens are answered the later the more of them come from an address.
  bool knows_token(const Exchange& exchange);
  void hear_offer(const Exchange& exchange);
  void begin(const std::string& offer);
  void answer(const Result<std::string>& sdp);
  // Once in a while: whether it is still there, and has done what it was asked for.
  void look();
  void leave();

  KeyGuard guard_;              // of the token
  const std::string resource_;  // the path of who sends, for it alone
  std::string address_to_;      // that it sends to; empty: any of this machine's
  Address address_;
  std::atomic<int64_t> heard_ns_{0};   // steady: when something of it came last
  std::atomic<bool> wants_key_{true};  // a key frame is to come

  // Of the thread that chunks come on.
  GuestVideo video_;  // how the newest is coded
  uint32_t format_ = 0;

  // Of the server's thread.
  Loop loop_;
  Timer patience_;
  Timer last_words_;
  std::unique_ptr<WebServer> server_;
  Exchange asking_;                 // whose offer is looked at
  std::unique_ptr<WhipPeer> peer_;  // null: nobody sends
  std::thread thread_;
};

}  // namespace sail
