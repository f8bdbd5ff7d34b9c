// Turns the webhook of another system into a verb: POST /api/event/NAME (API.md). Its body is the
// event's payload, in whatever format that system has. Pure.
#pragma once

#include <optional>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

struct EventRequest {
  static constexpr const char* kPath = "event/";  // below /api/

  std::string name;                    // of the event
  std::optional<std::string> id{};     // the payload's field that is the event's id
  std::optional<std::string> clear{};  // FIELD:VALUE of payloads that clear the event
};

struct EventVerb {
  const char* verb = "";
  sail::Json parameters{};
};
// kInvalidParams: `clear` has no colon, or the payload lacks the field of the id.
sail::Result<EventVerb> event_verb(const EventRequest& request, const sail::Json& payload);

}  // namespace manager
