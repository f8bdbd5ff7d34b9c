#include "ui/console/commands.h"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "ui/wall_state.h"

namespace ui {

sail::RpcClient* Context::connection() {
  if (client) return client.get();
  auto address = sail::manager_address(manager);
  if (!address) {
    report(address.error());
    return nullptr;
  }
  auto connected = sail::RpcClient::connect(*address, {.hello = person});
  if (!connected) {
    report(connected.error());
    return nullptr;
  }
  client = std::move(*connected);
  return client.get();
}

std::optional<sail::Json> Context::call(std::string_view verb, const sail::Json& params,
                                        int64_t timeout_ms) {
  sail::RpcClient* connected = connection();
  if (!connected) return std::nullopt;
  return answer(connected->call(verb, params, timeout_ms));
}

std::optional<sail::Json> Context::call_for_all_windows(std::string_view verb) {
  sail::RpcClient* connected = connection();
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

int Context::done(const sail::Json& result, std::string_view sentence) {
  last = result;
  if (json) {
    fmt::print("{}\n", result.dump());
  } else if (!sentence.empty()) {
    fmt::print("{}\n", sentence);
  }
  return kDone;
}

int Context::perform(std::string_view verb, const sail::Json& params, const TextOf& text,
                     int64_t timeout_ms) {
  const auto result = call(verb, params, timeout_ms);
  if (!result) return client ? kFailed : kNoManager;
  return done(*result, text ? text(*result) : "");
}

CLI::Option* add_window_option(CLI::App& command, int& window) {
  return command.add_option("window", window, "Number of the window (see `vitrail ls`)")
      ->required()
      ->check(CLI::PositiveNumber);
}

void add_commands(CLI::App& app, Context& context, Action& action) {
  add_wall_commands(app, context, action);
  add_view_commands(app, context, action);
  add_play_command(app, context, action);
  add_player_commands(app, context, action);
  add_source_commands(app, context, action);
  add_upload_command(app, context, action);
  add_program_commands(app, context, action);
  add_window_commands(app, context, action);
  add_arrange_commands(app, context, action);
  add_history_commands(app, context, action);
  add_layout_commands(app, context, action);
  add_session_commands(app, context, action);
  add_people_commands(app, context, action);
  add_event_command(app, context, action);
  add_script_commands(app, context, action);
  add_completion_command(app, context, action);
  add_convert_command(app, context, action);
  add_impair_command(app, context, action);
}

}  // namespace ui
