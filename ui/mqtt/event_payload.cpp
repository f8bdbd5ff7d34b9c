#include "ui/mqtt/event_payload.h"

#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace ui {

sail::Json event_payload(const std::string& topic, const std::string& message) {
  const auto json = sail::parse_json(message, sail::kMaxControlLine);
  sail::Json payload = sail::Json::object();
  if (json && json->is_object()) {
    payload = *json;
  } else {
    payload["value"] = json ? *json : sail::Json(sail::make_plain_text(message, message.size()));
  }
  payload.emplace("topic", topic);
  return payload;
}

}  // namespace ui
