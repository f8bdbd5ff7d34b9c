#include "manager/api/event_request.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/event_rules.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

using sail::Json;

std::string field_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : sail::compact_text(value);
}

}  // namespace

sail::Result<EventVerb> event_verb(const EventRequest& request, const Json& payload) {
  Json parameters = {{"name", request.name}};
  if (request.id) {
    const Json* id = sail::event_field(payload, *request.id);
    if (id == nullptr || id->is_structured() || id->is_null()) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        fmt::format("the payload has no text or number '{}', which 'id' names",
                                    sail::make_plain_text(*request.id, sail::kMaxNameLength)));
    }
    parameters["id"] = field_text(*id);
  }
  if (request.clear) {
    const size_t colon = request.clear->find(':');
    if (colon == std::string::npos) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        "'clear' must be FIELD:VALUE, such as status:resolved");
    }
    const Json* field = sail::event_field(payload, request.clear->substr(0, colon));
    if (field != nullptr && field_text(*field) == request.clear->substr(colon + 1)) {
      return EventVerb{"event_clear", std::move(parameters)};
    }
  }
  parameters["payload"] = payload;
  return EventVerb{"event_start", std::move(parameters)};
}

}  // namespace manager
