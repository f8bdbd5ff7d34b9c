#include "sail/core/wall/event_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/event_rules.h"

namespace sail {
namespace {

std::string field_text(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> check_clear(const std::optional<std::string>& clear) {
  if (!clear || clear->find(':') != std::string::npos) return {};
  return fail(ErrorCode::kInvalidParams, "'clear' must be FIELD:VALUE, such as status:resolved");
}

}  // namespace

Result<EventRequest> read_event_request(std::string_view text) {
  EventRequest request{.name = std::string(text.substr(0, text.find('?')))};
  if (request.name.empty() || request.name.size() > kMaxNameLength || name_mistake(request.name)) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("the event's name must be a text of 1 to {} bytes", kMaxNameLength));
  }
  text.remove_prefix(std::min(request.name.size() + 1, text.size()));
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    const size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    const std::string_view value = part.substr(std::min(equals + 1, part.size()));
    if ((key != "id" && key != "clear") || value.empty()) {
      return fail(ErrorCode::kInvalidParams,
                  "after '?' must be id=FIELD, clear=FIELD:VALUE, or both with '&' between them");
    }
    (key == "id" ? request.id : request.clear) = std::string(value);
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  if (const auto good = check_clear(request.clear); !good) return good.error();
  return request;
}

Result<EventVerb> event_verb(const EventRequest& request, const Json& payload) {
  Json parameters = {{"name", request.name}};
  if (request.id) {
    const Json* id = event_field(payload, *request.id);
    if (id == nullptr || id->is_structured() || id->is_null()) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("the payload has no text or number '{}', which 'id' names",
                              make_plain_text(*request.id, kMaxNameLength)));
    }
    parameters["id"] = field_text(*id);
  }
  if (const auto good = check_clear(request.clear); !good) return good.error();
  if (request.clear) {
    const size_t colon = request.clear->find(':');
    const Json* field = event_field(payload, request.clear->substr(0, colon));
    if (field != nullptr && field_text(*field) == request.clear->substr(colon + 1)) {
      return EventVerb{"event_clear", std::move(parameters)};
    }
  }
  if (const auto good = check_event_payload(payload); !good) return good.error();
  parameters["payload"] = payload;
  return EventVerb{"event_start", std::move(parameters)};
}

}  // namespace sail
