// WHIP server (RFC 9725) for senders such as OBS: an HTTP server that accepts an offer with the
// right token and returns the answer of a WhipPeer. One sender at a time; the guest ends with it.
// Runs its own thread; public functions are for the thread that created it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "sail/apps/guest/guest_link.h"
#include "sail/apps/whip/whip_peer.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_server.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/clock.h"
#include "sail/core/webrtc/offer_door.h"

namespace sail {

constexpr const char* kWhipPath = "/whip";

class WhipServer final : public GuestLink {
 public:
  struct Options {
    Address listen;
    std::string token;
    int64_t wait_timeout_ms = 0;                     // timeout for a sender to connect; 0: none
    std::optional<WebCertificate> certificate = {};  // empty: no TLS
  };
  static Result<std::unique_ptr<WhipServer>> start(const Options& options);
  ~WhipServer() override;

  Address address() const { return address_; }
  void ask_for_key_frame() override;
  // WHIP cannot transport a reason; the sender sees that the connection ends.
  void set_close_reason(std::string /*reason*/) override {}

 private:
  static constexpr int64_t kAnswerMs = 10'000;
  static constexpr int64_t kFarewellTimeoutMs = 100;
  static constexpr int64_t kSilenceNs = 10 * kSecondNs;
  static constexpr int64_t kLookMs = 1000;
  using Exchange = std::shared_ptr<WebExchange>;

  explicit WhipServer(const Options& options);
  void hear(const Exchange& exchange);
  void receive_offer(const Exchange& exchange);
  void begin(const std::string& offer);
  void answer(const Result<std::string>& sdp);
  // Periodic: checks whether the sender still sends, and repeats key frame requests.
  void check_timeout();
  void leave();

  const std::string resource_;  // WHIP resource URL path of the session, a secret of the sender
  // Local address for media; empty: any address of this machine.
  std::string address_to_;
  Address address_;
  std::atomic<int64_t> heard_ns_{0};   // steady time of the last media data
  std::atomic<bool> wants_key_{true};  // a key frame was requested and has not arrived

  // Used only by the thread that delivers chunks.
  GuestVideo video_;  // format of the newest chunk
  uint32_t format_ = 0;

  // Used only by the server's thread.
  Loop loop_;
  OfferDoor door_;
  Timer timeout_;
  Timer farewell_timer_;
  std::unique_ptr<WebServer> server_;
  Exchange asking_;                 // the request with the pending offer
  std::unique_ptr<WhipPeer> peer_;  // null: no sender
  std::thread thread_;
};

}  // namespace sail
