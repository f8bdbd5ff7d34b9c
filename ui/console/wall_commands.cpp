// Commands for the wall as a whole: up, down, wall check, wall identify.
#include <fmt/core.h>

#include "sail/wall/wall.h"
#include "ui/answers.h"
#include "ui/console/commands.h"
#include "ui/console/start_manager.h"

namespace ui {
namespace {

struct WallArguments {
  std::string file;
  bool off = false;
  double seconds = 0;
};

// Waits until the receivers that the manager starts itself have come; says which have not.
int wait_for_receivers(Context& context, std::string_view log_file) {
  constexpr int kTries = 100;
  constexpr int64_t kPauseMs = 100;
  std::string missing;
  for (int i = 0; i < kTries; ++i) {
    const auto state = context.call("list", sail::Json::object());
    if (!state) return kFailed;
    missing.clear();
    for (const sail::Json& receiver : member(*state, "receivers")) {
      if (true_member(receiver, "connected") || !true_member(receiver, "local")) continue;
      missing += missing.empty() ? "" : ", ";
      missing += text_member(receiver, "name");
    }
    if (missing.empty()) {
      const sail::Json wall = member(*state, "wall");
      return context.done(
          *state, fmt::format("wall {}: {} tiles, {} receivers", text_member(wall, "name"),
                              member(wall, "tiles").size(), member(*state, "receivers").size()));
    }
    if (const auto lost = context.client->wait(kPauseMs)) return context.report(*lost);
  }
  return context.report(
      {sail::ErrorCode::kTimeout,
       fmt::format("the manager is up, but these receivers have not come: {}; see {}", missing,
                   log_file)});
}

int up(Context& context, const WallArguments& arguments) {
  const auto wall = sail::load_wall(arguments.file);
  if (!wall) return context.report(wall.error());
  const auto address = manager_address(context.manager);
  if (!address) return context.report(address.error());
  const auto started = start_manager(arguments.file, *address);
  if (!started) return context.report(started.error());
  return wait_for_receivers(context, started->log_file);
}

// Returns when the manager has gone, so that a new wall can be started at once.
int down(Context& context) {
  const auto result = context.call("shutdown", sail::Json::object());
  if (!result) return context.client ? kFailed : kNoManager;
  constexpr int64_t kPatienceMs = 10000;
  if (!context.client->wait(kPatienceMs)) {
    return context.report({sail::ErrorCode::kTimeout, "the manager has not ended yet"});
  }
  context.client.reset();
  return context.done(*result, "");
}

int check(Context& context, const WallArguments& arguments) {
  const auto wall = sail::load_wall(arguments.file);
  if (!wall) return context.report(wall.error());
  fmt::print("{}\n", sail::wall_json(*wall).dump(2));
  return kDone;
}

int identify(Context& context, const WallArguments& arguments) {
  sail::Json params = {{"on", !arguments.off}};
  if (arguments.seconds > 0) params["seconds"] = arguments.seconds;
  const auto result = context.call("identify", params);
  if (!result) return context.client ? kFailed : kNoManager;
  return context.done(*result, "");
}

}  // namespace

void add_wall_commands(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<WallArguments>();
  const auto run = [&context, &action, arguments](int (*work)(Context&, const WallArguments&)) {
    return [&context, &action, arguments, work] {
      action = [&context, arguments, work] { return work(context, *arguments); };
    };
  };

  CLI::App* up_command =
      app.add_subcommand("up", "Start a wall: its manager, and its receivers on this machine");
  up_command->group("Wall");
  up_command->add_option("wall", arguments->file, "Wall file")->required();
  up_command->callback(run(up));

  CLI::App* down_command =
      app.add_subcommand("down", "Stop the wall: players, receivers and manager");
  down_command->group("Wall");
  down_command->callback([&context, &action] { action = [&context] { return down(context); }; });

  CLI::App* wall = app.add_subcommand("wall", "Look at wall files, and at the wall's tiles");
  wall->group("Wall");
  wall->require_subcommand(1);
  CLI::App* check_command = wall->add_subcommand("check", "Check a wall file and print it in full");
  check_command->add_option("file", arguments->file, "Wall file")->required();
  check_command->callback(run(check));
  CLI::App* identify_command =
      wall->add_subcommand("identify", "Show every tile's name on the tile");
  identify_command->add_flag("--off", arguments->off, "Take the names away");
  identify_command->add_option("--seconds", arguments->seconds, "Take them away by itself")
      ->check(CLI::PositiveNumber);
  identify_command->callback(run(identify));
}

}  // namespace ui
