// The wall's webhooks as reported by vitrail-hooks, the program that delivers them. Runs on the
// loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "manager/peers/receiver_roster.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/webhooks.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Peers;

class Webhooks {
 public:
  // The program's name for the launcher.
  static constexpr const char* kProgram = "webhooks";

  // All must outlive this object. on_changed: troubles() may have changed.
  Webhooks(const sail::Wall& wall, Peers& peers, std::function<void()> on_changed);

  // The peer delivers the webhooks, which are in these states. kNotFound: the wall has no webhooks.
  // kConflict: another peer delivers them.
  sail::Result<void> report(const sail::ServicePeer& peer, sail::WebhooksReport report);
  // Lets the peer that delivers send a test to all webhooks, and forwards its answer. kNotFound:
  // the wall has no webhooks. kUnavailable: no peer delivers them.
  void test(const sail::RpcPeer::Reply& reply);
  // Tells the peer that delivers that the wall is shut down.
  void end();
  void peer_left(uint64_t peer);
  // The status of the program has changed.
  void ran(const ReceiverRun& run);

  bool is_served() const { return peer_ != 0; }
  // Returns the webhooks with their states, without secrets.
  sail::Json json() const;
  // A sentence for each webhook that fails.
  std::vector<std::string> troubles() const;
  const std::vector<sail::WebhookState>& states() const { return states_; }

 private:
  sail::Result<void> check_any() const;

  const sail::Wall& wall_;
  Peers& peers_;
  const std::function<void()> on_changed_;
  uint64_t peer_ = 0;  // peer that delivers the webhooks; 0: none
  std::string why_;    // Why the program ended; empty: it runs.
  std::vector<sail::WebhookState> states_;
};

}  // namespace manager
