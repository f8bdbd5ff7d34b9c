// The payload of the event that an MQTT message begins. Pure.
#pragma once

#include <string>

#include "sail/core/text/json.h"

namespace ui {

// The message's JSON object, or else {"value": MESSAGE} with the message as JSON or as text. The
// topic is added as "topic", unless the object has this field.
sail::Json event_payload(const std::string& topic, const std::string& message);

}  // namespace ui
