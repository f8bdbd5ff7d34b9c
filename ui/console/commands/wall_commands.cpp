// Commands for the wall as a whole: up, down, wall check, identify, calibrate and page.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

#include "sail/core/time/clock.h"
#include "sail/core/wall/wall.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/wall_connection.h"
#include "ui/console/derived_key.h"
#include "ui/console/page_addresses.h"
#include "ui/console/start/start_manager.h"
#include "ui/console/start/wall_plan.h"

namespace ui {
namespace {

struct WallArguments {
  std::string file;
  ManagerOptions options;
  Switch identify;
  KeyChoice key;
  bool remote = false;
  std::string pattern;
  double seconds = 0;
  double wait_timeout_s = 30;
};

std::string up_text(const sail::Json& state, const PageAddresses& page) {
  const sail::Json wall = member(state, "wall");
  std::string text = fmt::format("wall {}: {} tiles, {} receivers", text_member(wall, "name"),
                                 member(wall, "tiles").size(), member(state, "receivers").size());
  text += wall_problems_text(state);
  for (const std::string& address : page.shown()) text += "\npage: " + address;
  return text;
}

// Prints one line for each receiver that the manager starts, as soon as the receiver is up or has
// failed.
class ReceiverProgress {
 public:
  explicit ReceiverProgress(bool verbose) : verbose_(verbose), began_(Clock::now()) {}

  // Updates from the answer of "list". Returns true while a receiver may still come up.
  bool look(const sail::Json& state) {
    bool waits = false;
    missing_.clear();
    for (const sail::Json& receiver : member(state, "receivers")) {
      if (is_up(receiver)) continue;
      waits = waits || member(receiver, "run").value("starts", 0) < kEnoughStarts;
      missing_ += fmt::format("{}{}", missing_.empty() ? "" : ", ", name_of(receiver));
    }
    sail::Json standby = member(state, "standby");
    standby["name"] = "standby";
    standby_is_due_ = !is_up(standby) && text_member(member(standby, "run"), "why").empty();
    return waits;
  }
  // Names of the receivers that are not connected.
  const std::string& missing() const { return missing_; }
  // The standby is neither connected nor failed yet. The wall runs without it, so it gets one try.
  bool standby_is_due() const { return standby_is_due_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kEnoughStarts = 3;

  static std::string name_of(const sail::Json& receiver) {
    const std::string place = text_member(receiver, "place");
    return text_member(receiver, "name") + (place.empty() ? "" : " on " + place);
  }
  // Returns true if the node is connected, or if people start it by hand, so that waiting is
  // useless.
  bool is_up(const sail::Json& node) {
    const sail::Json run = member(node, "run");
    if (true_member(node, "connected")) {
      const std::chrono::duration<double> after = Clock::now() - began_;
      print(node, fmt::format("up after {:.1f} s", after.count()));
      return true;
    }
    const std::string why = text_member(run, "why");
    if (!why.empty()) print(node, why);
    return !run.is_object() || run.empty();
  }
  void print(const sail::Json& receiver, const std::string& how) {
    if (!verbose_ || !printed_.insert(text_member(receiver, "name")).second) return;
    fmt::print(stderr, "{}: {}\n", name_of(receiver), how);
  }

  const bool verbose_;
  const Clock::time_point began_;
  std::set<std::string> printed_;
  std::string missing_;
  bool standby_is_due_ = false;
};

// Waits for the witness: until then the manager that was started here refuses every connection.
sail::Result<void> wait_until_it_rules(const Context& context, const sail::Address& manager,
                                       int64_t until_ns) {
  constexpr auto kPause = std::chrono::milliseconds(100);
  for (;;) {
    const auto client = connect_to_wall(manager, {.hello = context.person});
    // The next connection reports other errors.
    if (client || client.error().code != sail::ErrorCode::kUnavailable) return {};
    if (sail::steady_now_ns() > until_ns) {
      return sail::fail(sail::ErrorCode::kTimeout,
                        client.error().message +
                            "; the manager keeps waiting for the witness; `vitrail down` ends it");
    }
    std::this_thread::sleep_for(kPause);
  }
}

// Waits for the receivers that the manager starts. Reports those that are missing.
int wait_for_receivers(Context& context, int64_t until_ns, std::string_view log_file) {
  constexpr int64_t kMostPauseMs = 100;
  ReceiverProgress progress(!context.json);
  const int64_t began_ns = sail::steady_now_ns();
  for (;;) {
    auto state = context.call("list", sail::Json::object());
    if (!state) return kFailed;
    const int64_t now_ns = sail::steady_now_ns();
    const bool late = now_ns > until_ns;
    const bool waits = progress.look(*state);
    if (progress.missing().empty() && (late || !progress.standby_is_due())) {
      const PageAddresses page = page_addresses(*context.client, context.client->key());
      page.write(*state);
      const int code = context.done(*state, up_text(*state, page));
      show_way_to_page(context, page);
      return code;
    }
    if ((!waits && !progress.missing().empty()) || late) break;
    // Local receivers connect within milliseconds, others within seconds.
    const int64_t pause_ms = (now_ns - began_ns) / sail::kMillisecondNs / 8;
    const auto lost = context.client->wait(std::clamp<int64_t>(pause_ms, 2, kMostPauseMs));
    if (lost) return context.report(*lost);
  }
  return context.report(
      {sail::ErrorCode::kTimeout,
       fmt::format("the manager is up and keeps trying, but these receivers are not connected: {}; "
                   "see `vitrail status`, `vitrail logs NODE` and {}",
                   progress.missing(), log_file)});
}

int up(Context& context, const WallArguments& arguments) {
  const auto wall = sail::load_wall(arguments.file);
  if (!wall) return context.report(wall.error());
  const auto address = sail::manager_address(context.manager);
  if (!address) return context.report(address.error());
  ManagerOptions options = arguments.options;
  options.arguments.insert(options.arguments.begin(), wall->manager_arguments.begin(),
                           wall->manager_arguments.end());
  const auto started = start_manager(arguments.file, *address, options);
  if (!started) return context.report(started.error());
  const int64_t until_ns =
      sail::steady_now_ns() + static_cast<int64_t>(arguments.wait_timeout_s * sail::kSecondNs);
  if (wall->witness) {
    if (auto rules = wait_until_it_rules(context, *address, until_ns); !rules) {
      return context.report(rules.error());
    }
  }
  return wait_for_receivers(context, until_ns, started->log_file);
}

// Shuts down the active manager on another host, if the manager here is its standby or hangs.
void end_active_elsewhere(const Context& context, const sail::Address& here) {
  constexpr int64_t kWaitTimeoutMs = 10'000;
  auto active = connect_to_wall(here, {.hello = context.person});
  if (!active || (*active)->peer().peer_address() == sail::address_for_this_host(here)) return;
  if ((*active)->call("shutdown", sail::Json::object())) (void)(*active)->wait(kWaitTimeoutMs);
}

// Ends the supervisor by a signal, which needs no answer from the manager.
int end_supervisor(Context& context, const sail::ProcessIdentity& supervisor) {
  constexpr int kTries = 750;
  constexpr auto kPause = std::chrono::milliseconds(20);
  sail::signal_process(supervisor, SIGTERM);
  for (int i = 0; i < kTries; ++i) {
    if (!sail::is_running(supervisor)) {
      context.client.reset();
      return context.done(sail::Json::object(), "");
    }
    std::this_thread::sleep_for(kPause);
  }
  return context.report({sail::ErrorCode::kTimeout, "timeout: the manager is still running"});
}

// Returns after the manager has exited, so that a new wall can be started at once.
int down(Context& context) {
  const auto address = sail::manager_address(context.manager);
  if (!address) return context.report(address.error());
  if (const auto supervisor = running_supervisor(*address)) {
    end_active_elsewhere(context, *address);
    return end_supervisor(context, *supervisor);
  }
  const auto result = context.call("shutdown", sail::Json::object());
  if (!result) return context.failure();
  constexpr int64_t kWaitTimeoutMs = 10000;
  if (!context.client->wait(kWaitTimeoutMs)) {
    return context.report({sail::ErrorCode::kTimeout, "timeout: the manager is still running"});
  }
  context.client.reset();
  return context.done(*result, "");
}

int show_page(Context& context, const WallArguments& arguments) {
  const sail::RpcClient* client = context.connection();
  if (client == nullptr) return kNoManager;
  const auto key = derived_key(client->key(), arguments.key);
  if (!key) return context.report(key.error());
  const PageAddresses page = page_addresses(*client, *key, arguments.remote ? "remote/" : "");
  if (page.here.empty()) {
    return context.report(
        {sail::ErrorCode::kUnavailable, "the manager serves no page: start it with --page"});
  }
  sail::Json answer;
  page.write(answer);
  const int code = context.done(answer, fmt::format("{}", fmt::join(page.shown(), "\n")));
  show_way_to_page(context, page);
  return code;
}

int check(Context& context, const WallArguments& arguments) {
  const auto wall = sail::load_wall(arguments.file);
  if (!wall) return context.report(wall.error());
  const std::vector<std::string> warnings = wall_warnings(*wall);
  std::string text = wall_summary(*wall) + (warnings.empty() ? ": good" : "");
  for (const std::string& warning : warnings) text += "\n" + warning;
  sail::Json result = sail::wall_json(*wall);
  result["warnings"] = warnings;
  return context.done(result, text);
}

int identify(Context& context, const WallArguments& arguments) {
  sail::Json params = {{"on", arguments.identify.on()}};
  if (arguments.seconds > 0) params["seconds"] = arguments.seconds;
  const auto result = context.call("identify", params);
  if (!result) return context.failure();
  return context.done(*result, "");
}

int calibrate(Context& context, const WallArguments& arguments) {
  sail::Json params = {{"pattern", arguments.pattern}};
  if (arguments.seconds > 0) params["seconds"] = arguments.seconds;
  const auto result = context.call("calibrate", params);
  if (!result) return context.failure();
  return context.done(*result, "");
}

void add_up_command(const Command& app, Context& context,
                    const std::shared_ptr<WallArguments>& arguments) {
  const Command command =
      app.command(
             "up",
             "Start a wall: the manager here, receivers and standby here or by ssh on other hosts")
          .group("Wall");
  command.option("wall", arguments->file, "Wall file").required();
  command
      .option("options", arguments->options.arguments,
              "Options for vitrail-manager, after --: -- --media /films --page 0.0.0.0:7480")
      .form("OPTION");
  command.flag("--fresh", arguments->options.fresh,
               "Start with an empty wall instead of the last session");
  command.flag("--no-key", arguments->options.open_to_all,
               "Admit all clients that reach the manager's ports; default: require the key in "
               "$VITRAIL_KEY_FILE, or a new key that this user's programs on this machine find "
               "automatically");
  command
      .option("--timeout", arguments->wait_timeout_s,
              "How long to wait for the receivers to connect")
      .form("SECONDS")
      .between(0.1, 3600.0)
      .shows_default();
  command.runs([&context, arguments] { return up(context, *arguments); });
}

// Commands that show something on all tiles.
void add_tile_commands(const Command& wall, Context& context,
                       const std::shared_ptr<WallArguments>& arguments) {
  const Command identify_command = wall.command(
      "identify", "Show the tile's and the node's name, an arrow up and the edges on each tile");
  add_switch(identify_command, arguments->identify, "Hide the names");
  identify_command.option("--seconds", arguments->seconds, "Hide the names after this many seconds")
      .positive()
      .limited(0, 86400);
  identify_command.runs([&context, arguments] { return identify(context, *arguments); });
  const Command calibrate_command =
      wall.command("calibrate", "Show a test pattern over the whole wall");
  calibrate_command.option("pattern", arguments->pattern, "Pattern; off: hide the pattern")
      .one_of({"ramp", "white", "red", "green", "blue", "grid", "off"})
      .required();
  calibrate_command
      .option("--seconds", arguments->seconds, "Hide the pattern after this many seconds")
      .positive()
      .limited(0, 86400);
  calibrate_command.runs([&context, arguments] { return calibrate(context, *arguments); });
}

}  // namespace

void add_wall_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WallArguments>();
  const auto run = [&context, arguments](int (*work)(Context&, const WallArguments&)) {
    return [&context, arguments, work] { return work(context, *arguments); };
  };

  add_up_command(app, context, arguments);
  const Command down_command =
      app.command("down", "Stop the wall: players, receivers and manager").group("Wall");
  down_command.runs([&context] { return down(context); });

  const Command wall =
      app.command(
             "wall",
             "Write and check wall files; identify tiles; show test patterns; print the page's "
             "addresses")
          .group("Wall")
          .needs_command();
  const Command page_command = wall.command(
      "page", "Print the addresses of the wall's page, including the key for the browser");
  page_command.flag("--remote", arguments->remote, "Addresses of the remote control for phones");
  add_key_choice(page_command, arguments->key, {"viewer", "presenter", "operator"});
  page_command.runs(run(show_page));
  add_new_wall_command(wall, context);
  const Command check_command =
      wall.command("check", "Check a wall file; with --json print its complete form");
  check_command.option("file", arguments->file, "Wall file").required();
  check_command.runs(run(check));
  add_tile_commands(wall, context, arguments);
}

}  // namespace ui
