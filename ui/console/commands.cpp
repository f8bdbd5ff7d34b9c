#include "ui/console/commands.h"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "ui/wall_state.h"

namespace ui {

ControlClient* Context::connection() {
  if (client) return client.get();
  auto address = manager_address(manager);
  if (!address) {
    report(address.error());
    return nullptr;
  }
  auto connected = ControlClient::connect(*address);
  if (!connected) {
    report(connected.error());
    return nullptr;
  }
  client = std::move(*connected);
  return client.get();
}

std::optional<sail::Json> Context::call(std::string_view verb, const sail::Json& params,
                                        int64_t timeout_ms) {
  ControlClient* connected = connection();
  if (!connected) return std::nullopt;
  return answer(connected->call(verb, params, timeout_ms));
}

std::optional<sail::Json> Context::call_for_all_windows(std::string_view verb) {
  ControlClient* connected = connection();
  if (!connected) return std::nullopt;
  return answer(ui::call_for_all_windows(*connected, verb));
}

std::optional<sail::Json> Context::answer(sail::Result<sail::Json> result) {
  if (result) return std::move(*result);
  report(result.error());
  if (result.error().code == sail::ErrorCode::kUnavailable) client.reset();
  return std::nullopt;
}

int Context::report(const sail::Error& error) const {
  if (json) {
    const sail::Json object = {{"error",
                                {{"code", static_cast<int>(error.code)},
                                 {"name", sail::error_name(error.code)},
                                 {"message", error.message}}}};
    fmt::print(stderr, "{}\n", object.dump());
  } else {
    fmt::print(stderr, "vitrail: {}\n", error.message);
  }
  return error.code == sail::ErrorCode::kUnavailable ? kNoManager : kFailed;
}

int Context::done(const sail::Json& result, std::string_view sentence) const {
  if (json) {
    fmt::print("{}\n", result.dump());
  } else if (!sentence.empty()) {
    fmt::print("{}\n", sentence);
  }
  return kDone;
}

void add_commands(CLI::App& app, Context& context, Action& action) {
  add_wall_commands(app, context, action);
  add_view_commands(app, context, action);
  add_player_commands(app, context, action);
  add_window_commands(app, context, action);
  add_convert_command(app, context, action);
  add_impair_command(app, context, action);
}

}  // namespace ui
