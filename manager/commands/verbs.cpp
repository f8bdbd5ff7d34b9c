#include "manager/commands/verbs.h"

#include <fmt/core.h>

#include <limits>

#include "manager/fs_manager.h"
#include "manager/state_json.h"

namespace manager::verbs {

sail::Result<void> no_arguments(const sail::Json& params, const char* verb) {
  sail::JsonFields fields(params, verb);
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  return {};
}

uint32_t window_number(sail::JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("window", 1, std::numeric_limits<uint32_t>::max()));
}

sail::Result<const Window*> find_window(const Caller& caller, uint32_t number) {
  const Window* window = caller.manager.windows().find(number);
  if (window == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("no window {}: `vitrail ls` lists them", number));
  }
  return window;
}

sail::Result<const Window*> only_window(const Caller& caller, const sail::Json& params,
                                        const char* verb) {
  sail::JsonFields fields(params, verb);
  const uint32_t number = window_number(fields);
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  return find_window(caller, number);
}

uint32_t stream_number(sail::JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("stream", 1, std::numeric_limits<uint32_t>::max()));
}

sail::Result<void> check_own(const Caller& caller, uint32_t stream) {
  const Window* window = caller.manager.windows().find(stream);
  if (window == nullptr || window->owner != caller.session.id()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("this application has no stream {}", stream));
  }
  return {};
}

sail::Json window_now(const Caller& caller, uint32_t number) {
  return window_object(*caller.manager.windows().find(number));
}

}  // namespace manager::verbs
