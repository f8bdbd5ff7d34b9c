#include "manager/peers/webhooks.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/peers/peers.h"

namespace manager {
namespace {

// Fewer failed attempts are not a trouble: servers restart.
constexpr int64_t kTroublingRetries = 3;

std::string webhook_trouble(const sail::WebhookState& state) {
  if (state.disabled) {
    return fmt::format("webhook '{}' is disabled: {}", state.name, state.error);
  }
  return fmt::format("webhook '{}' gets no reports: {}", state.name, state.error);
}

}  // namespace

Webhooks::Webhooks(const sail::Wall& wall, Peers& peers, std::function<void()> on_changed)
    : wall_(wall), peers_(peers), on_changed_(std::move(on_changed)) {}

sail::Result<void> Webhooks::check_any() const {
  if (!wall_.webhooks.empty()) return {};
  return sail::fail(sail::ErrorCode::kNotFound, "the wall file has no \"webhooks\"");
}

sail::Result<void> Webhooks::report(const sail::ServicePeer& peer, sail::WebhooksReport report) {
  if (auto any = check_any(); !any) return any;
  if (peer_ != 0 && peer_ != peer.id()) {
    return sail::fail(sail::ErrorCode::kConflict, "another program delivers the webhooks");
  }
  peer_ = peer.id();
  why_.clear();
  states_ = std::move(report.states);
  on_changed_();
  return {};
}

void Webhooks::test(const sail::RpcPeer::Reply& reply) {
  if (auto any = check_any(); !any) return reply(any.error());
  sail::ServicePeer* peer = peers_.find(peer_);
  if (peer == nullptr) {
    return reply(sail::fail(sail::ErrorCode::kUnavailable,
                            why_.empty() ? "vitrail-hooks is not connected yet: try again" : why_));
  }
  peer->rpc().call("test", sail::Json::object(), reply, sail::kWebhooksTestMs);
}

void Webhooks::end() {
  if (peer_ != 0) peers_.notify(peer_, "end", sail::Json::object());
}

void Webhooks::peer_left(uint64_t peer) {
  if (peer == peer_) peer_ = 0;
}

void Webhooks::ran(const ReceiverRun& run) {
  if (run.runs || run.why.empty() || is_served()) return;
  why_ = "no webhook gets reports: vitrail-hooks " + run.why;
  on_changed_();
}

sail::Json Webhooks::json() const {
  sail::Json list = sail::webhooks_json(wall_.webhooks);
  for (sail::Json& webhook : list) {
    for (const char* file : {"secret_file", "headers_file"}) webhook.erase(file);
    webhook["url"] = sail::public_part(webhook["url"].get<std::string>());
    const auto state =
        std::ranges::find(states_, webhook["name"].get<std::string>(), &sail::WebhookState::name);
    if (state != states_.end()) webhook.update(to_json(*state));
  }
  return list;
}

std::vector<std::string> Webhooks::troubles() const {
  std::vector<std::string> troubles;
  if (!why_.empty()) troubles.push_back(why_);
  for (const sail::WebhookState& state : states_) {
    if (state.disabled || state.retries >= kTroublingRetries)
      troubles.push_back(webhook_trouble(state));
  }
  return troubles;
}

}  // namespace manager
