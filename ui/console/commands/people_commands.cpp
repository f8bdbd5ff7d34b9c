// Commands for the users of the wall: clients, drive, pointer, overlay.
#include <fmt/core.h>

#include "sail/core/text/limits.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

std::string clients_text(const sail::Json& state) {
  std::vector<std::vector<std::string>> rows = {{"CLIENT", "NAME", "COLOUR"}};
  for (const sail::Json& client : member(state, "clients")) {
    rows.push_back({text_of(client, "client"), text_of(client, "name"), text_of(client, "colour")});
  }
  return rows.size() > 1 ? table(rows) : "no other clients";
}

struct DriveArguments {
  std::string window;
  std::string action;
  std::string who;
};

// The number of a client of the state, by number or name. Empty: the error has been reported.
std::optional<sail::Json> client_named(Context& context, const std::string& who) {
  const auto state = context.call("list", sail::Json::object());
  if (!state) return std::nullopt;
  std::vector<sail::Json> found;
  for (const sail::Json& client : member(*state, "clients")) {
    if (text_of(client, "client") == who) return member(client, "client");
    if (text_of(client, "name") == who) found.push_back(member(client, "client"));
  }
  if (found.size() == 1) return found.front();
  context.report(sail::fail(
      sail::ErrorCode::kNotFound,
      found.empty()
          ? fmt::format("there is no client '{}': see `vitrail clients`", who)
          : fmt::format("{} clients are named '{}': give the number, see `vitrail clients`",
                        found.size(), who)));
  return std::nullopt;
}

int drive(Context& context, const DriveArguments& arguments) {
  const auto window = context.window(arguments.window);
  if (!window) return context.failure();
  sail::Json params = {{"window", *window}, {"action", arguments.action}};
  if (arguments.action == "give") {
    const auto to = client_named(context, arguments.who);
    if (!to) return context.failure();
    params["to"] = *to;
  }
  return context.perform("drive", params);
}

void add_drive(const Command& app, Context& context) {
  const auto arguments = std::make_shared<DriveArguments>();
  const Command command =
      app.command("drive",
                  "Hand a window that takes input to one person, or let everybody use the window")
          .group("People");
  add_window_option(command, arguments->window, Several::kNo);
  command
      .option("action", arguments->action,
              "give to the client WHO, who drives the window alone; or release")
      .required()
      .one_of({"give", "release"});
  command.option("who", arguments->who, "Number or name of a client, see `vitrail clients`");
  command.check([arguments]() -> std::string {
    const bool gives = arguments->action == "give";
    if (gives == !arguments->who.empty()) return "";
    return gives ? "give needs the client that drives the window next" : "only give takes WHO";
  });
  command.runs([&context, arguments] { return drive(context, *arguments); });
}

struct PointerArguments {
  int x = 0;
  int y = 0;
  bool pressed = false;
  bool off = false;
  int pointer = 0;
  std::string style;
  std::optional<int> factor;
  std::string window;
  double seconds = 3;
};

// A pointer disappears when its client disconnects. So a single command stays connected for some
// seconds; the prompt and scripts keep their connection anyway.
int point(Context& context, const PointerArguments& arguments) {
  sail::Json params = {{"pointer", arguments.pointer}};
  if (arguments.off) {
    params["hidden"] = true;
  } else {
    params["at"] = {arguments.x, arguments.y};
    params["pressed"] = arguments.pressed;
    if (!arguments.style.empty()) params["style"] = arguments.style;
    if (arguments.factor) params["factor"] = *arguments.factor;
    if (!arguments.window.empty()) {
      const auto window = context.window(arguments.window);
      if (!window) return context.failure();
      params["window"] = *window;
    }
  }
  const int code = context.perform("pointer", params);
  if (code != kDone || context.interactive || arguments.off || arguments.seconds <= 0) return code;
  const auto lost = context.client->wait(static_cast<int64_t>(arguments.seconds * 1000));
  return lost ? context.report(*lost) : code;
}

void add_pointer(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PointerArguments>();
  const Command command =
      app.command("pointer", "Show a pointer on the wall; --name and --colour label it")
          .group("People");
  constexpr int kMost = sail::kMaxWindowOffset;
  const Option x =
      command.option("x", arguments->x, "Wall pixels from the left").limited(-kMost, kMost);
  const Option y =
      command.option("y", arguments->y, "Wall pixels from the top").limited(-kMost, kMost);
  x.needs(y);
  command.flag("--pressed", arguments->pressed, "Show the pointer as pressed");
  const Option off = command.flag("--off", arguments->off, "Hide the pointer");
  command.option("--pointer", arguments->pointer, "Number of your pointer, 0 to 31")
      .between(0, 31)
      .shows_default();
  command.option("--style", arguments->style, "Default: arrow")
      .one_of({"arrow", "laser", "spotlight", "magnifier"});
  command.option("--factor", arguments->factor, "How much a magnifier enlarges; default: 3")
      .between(2, sail::kMaxMagnification);
  command
      .option("--window", arguments->window,
              "Dim only this window around a spotlight, not the wall")
      .form("WINDOW");
  command
      .option("--seconds", arguments->seconds,
              "Seconds to show the pointer; at the prompt and in scripts: until --off")
      .between(0.0, 86400.0)
      .shows_default();
  command.check([y, off, arguments]() -> std::string {
    if (!y.given() && !off.given()) return "X and Y are required, or --off";
    if (arguments->factor && arguments->style != "magnifier") {
      return "--factor needs --style magnifier";
    }
    const bool window = !arguments->window.empty();
    return window && arguments->style != "spotlight" ? "--window needs --style spotlight" : "";
  });
  command.runs([&context, arguments] { return point(context, *arguments); });
}

void add_overlay(const Command& app, Context& context) {
  const auto to = std::make_shared<Switch>();
  const Command overlay =
      app.command("overlay", "Show statistics of each window and receiver on the wall itself")
          .group("Looking");
  add_switch(overlay, *to, "Hide the statistics");
  overlay.runs([&context, to] { return context.perform("overlay", {{"on", to->on()}}); });
}

}  // namespace

void add_people_commands(const Command& app, Context& context) {
  for (const char* name : {"clients", "who"}) {
    const Command clients =
        app.command(name, "List the clients of the wall: pages, consoles, devices")
            .group(std::string(name) == "clients" ? "People" : "");  // "who" is a hidden alias
    clients.runs([&context] {
      const auto state = context.call("list", sail::Json::object());
      if (!state) return context.client ? int{kFailed} : int{kNoManager};
      sail::Json result = {{"clients", sail::Json::array()}};
      for (const sail::Json& one : member(*state, "clients")) result["clients"].push_back(one);
      return context.done(result, clients_text(result));
    });
  }
  add_drive(app, context);
  add_pointer(app, context);
  add_overlay(app, context);
}

}  // namespace ui
