// What a wall reports to other systems, and the web servers that get the reports ("webhooks" of a
// wall file). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/text/json_fields.h"

namespace sail {

enum class Happening : uint8_t {
  kReceiverLost,
  kReceiverBack,
  kStreamLost,
  kStreamBack,
  kWindowOpened,
  kWindowClosed,
  kScene,
  kEvent,
  kEventOver,
  kAlarm,
  kAlarmOver,
  kTest,  // somebody tests the webhooks
};
constexpr Choice<Happening, 12> kHappenings{{{Happening::kReceiverLost, "receiver_lost"},
                                             {Happening::kReceiverBack, "receiver_back"},
                                             {Happening::kStreamLost, "stream_lost"},
                                             {Happening::kStreamBack, "stream_back"},
                                             {Happening::kWindowOpened, "window_opened"},
                                             {Happening::kWindowClosed, "window_closed"},
                                             {Happening::kScene, "scene"},
                                             {Happening::kEvent, "event"},
                                             {Happening::kEventOver, "event_over"},
                                             {Happening::kAlarm, "alarm"},
                                             {Happening::kAlarmOver, "alarm_over"},
                                             {Happening::kTest, "test"}}};

struct Webhook {
  std::string name{};  // unique in the wall
  std::string url{};   // may contain a secret
  std::vector<Happening> on{};
  std::string secret_file{};   // signs the requests; empty: they are not signed
  std::string headers_file{};  // further request headers; empty: none

  // Whether the webhook reports this happening. All webhooks report tests.
  bool wants(Happening happening) const;
  bool operator==(const Webhook&) const = default;
};

constexpr size_t kMaxWebhooks = 16;

// `where` is the prefix of error messages.
Result<std::vector<Webhook>> read_webhooks(const Json& list, const std::string& where);
Json webhooks_json(const std::vector<Webhook>& webhooks);
// The URL without user, path and query, which may contain secrets: "https://example.org:8443".
std::string public_part(const std::string& url);

}  // namespace sail
