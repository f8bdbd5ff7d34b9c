// "webhooks_report": the state of the wall's webhooks, from vitrail-hooks to the manager. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/text/json_fields.h"
#include "sail/core/wall/webhooks.h"

namespace sail {

struct WebhookState {
  std::string name;
  int64_t delivered = 0;
  int64_t waiting = 0;
  int64_t failed = 0;   // reports given up after all attempts
  int64_t dropped = 0;  // reports that found the queue full, or the webhook disabled
  int64_t retries = 0;  // failed attempts since the last success
  bool disabled = false;
  std::string error{};  // error of the last attempt; empty: it succeeded

  bool operator==(const WebhookState&) const = default;
};
void fields(auto& visit, Of<WebhookState> auto& state) {
  visit("name", kName, state.name);
  visit("delivered", kCount, state.delivered);
  visit("waiting", kCount, state.waiting);
  visit("failed", kCount, state.failed);
  visit("dropped", kCount, state.dropped);
  visit("retries", kCount, state.retries);
  visit("disabled", Flag(), state.disabled);
  visit("error", sparse(Text{kMaxTitleLength}), state.error);
}

struct WebhooksReport {
  static constexpr const char* kMethod = "webhooks_report";

  std::vector<WebhookState> states{};
};
void fields(auto& visit, Of<WebhooksReport> auto& report) {
  visit("states", objects(kMaxWebhooks, &WebhookState::name), report.states);
}

// The time for one attempt, and for the request of the manager to test all webhooks.
constexpr int64_t kWebhookTimeoutMs = 10'000;
constexpr int64_t kWebhooksTestMs = kWebhookTimeoutMs + kCallTimeoutMs;

}  // namespace sail
