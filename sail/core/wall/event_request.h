// Turns a message of another system into a verb for an event: the body of a webhook
// (manager/API.md), an MQTT message or an OSC message. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

struct EventRequest {
  std::string name;                    // of the event
  std::optional<std::string> id{};     // the payload's field that is the event's id
  std::optional<std::string> clear{};  // FIELD:VALUE of payloads that clear the event

  bool operator==(const EventRequest&) const = default;
};

// Reads "NAME[?id=FIELD][&clear=FIELD:VALUE]", as a URL has it, but not percent-encoded.
Result<EventRequest> read_event_request(std::string_view text);

struct EventVerb {
  const char* verb = "";
  Json parameters{};

  // Whether it ends the event, and does not begin it.
  bool clears() const { return !parameters.contains("payload"); }
};
// kInvalidParams: `clear` has no colon, the payload lacks the field of the id, is not an object, or
// is too large.
Result<EventVerb> event_verb(const EventRequest& request, const Json& payload);

}  // namespace sail
