// The command power: turns displays on and off, and waits until they obey.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/wire/power.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

struct PowerArguments {
  std::string order;
  std::vector<std::string> names;  // names of nodes and tiles
};

// A name that no receiver has is a tile's.
sail::Json selected_displays(const sail::Json& state, const std::vector<std::string>& names) {
  sail::Json params = sail::Json::object();
  for (const std::string& name : names) {
    const sail::Json receivers = member(state, "receivers");
    const bool is_node = std::ranges::any_of(receivers, [&](const sail::Json& receiver) {
      return text_member(receiver, "name") == name;
    });
    params[is_node ? "nodes" : "tiles"].push_back(name);
  }
  return params;
}

// Replaces displays by what the state reports of them now.
void update_displays(const sail::Json& state, sail::Json& displays) {
  for (const sail::Json& receiver : member(state, "receivers")) {
    for (const sail::Json& now : member(receiver, "power")) {
      for (sail::Json& display : displays) {
        if (text_member(display, "tile") != text_member(now, "tile")) continue;
        display = now;
        display["receiver"] = text_member(receiver, "name");
      }
    }
  }
}

bool is_awaited(const sail::Json& display) {
  return !text_member(display, "wanted").empty() && !true_member(display, "disobeyed");
}

// Why the display is not as ordered; empty: it is. order: "on", "off" or "status".
std::string lacks_of(const sail::Json& display, const std::string& order) {
  if (true_member(display, "disobeyed")) {
    return fmt::format("did not turn {}", text_member(display, "wanted"));
  }
  const std::string& now = text_member(display, "power");
  const bool is_opposite = (order == "on" && now == "off") || (order == "off" && now == "on");
  return is_opposite ? "a later order replaced this one" : "";
}

// Prints the table; fails if a display has not obeyed or does not report its state.
int print_displays(Context& context, const sail::Json& displays, const std::string& order) {
  const auto is_good = [&order](const sail::Json& display) {
    return lacks_of(display, order).empty() && text_member(display, "power") != "unknown";
  };
  std::vector<std::vector<std::string>> rows = {{"TILE", "RECEIVER", "POWER", "WHY"}};
  for (const sail::Json& display : displays) {
    const std::string why = text_member(display, "why");
    const std::string lacks = lacks_of(display, order);
    rows.push_back(
        {text_of(display, "tile"), text_of(display, "receiver"), text_of(display, "power"),
         lacks.empty() || why.empty() ? lacks + why : fmt::format("{}: {}", lacks, why)});
  }
  const int code = context.done({{"displays", displays}}, table(rows));
  return code == kDone && !std::ranges::all_of(displays, is_good) ? kFailed : code;
}

// The manager asks the displays until they have obeyed, or have had enough time.
int wait_for_displays(Context& context, sail::Json displays, const std::string& order) {
  constexpr int64_t kPauseMs = 250;
  for (;;) {
    const auto state = context.call("list", sail::Json::object());
    if (!state) return context.failure();
    update_displays(*state, displays);
    if (std::ranges::none_of(displays, is_awaited)) return print_displays(context, displays, order);
    if (const auto lost = context.client->wait(kPauseMs)) return context.report(*lost);
  }
}

int power(Context& context, const PowerArguments& arguments) {
  sail::Json params = sail::Json::object();
  if (!arguments.names.empty()) {
    const auto state = context.call("list", params);
    if (!state) return context.failure();
    params = selected_displays(*state, arguments.names);
  }
  const bool only_status = arguments.order == "status";
  if (!only_status) params["power"] = arguments.order;
  const auto answer =
      context.call(only_status ? "power_status" : "power", params, 2 * sail::kPowerCallTimeoutMs);
  if (!answer) return context.failure();
  const sail::Json displays = member(*answer, "displays");
  return only_status ? print_displays(context, displays, arguments.order)
                     : wait_for_displays(context, displays, arguments.order);
}

}  // namespace

void add_power_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PowerArguments>();
  const Command command =
      app.command(
             "power",
             "Turn displays on or off and wait until they obey, or print whether they are on;\n"
             "exit 1 if a display does not")
          .group("Wall");
  command.option("order", arguments->order, "on, off, or status")
      .required()
      .one_of({"on", "off", "status"});
  command.option("display", arguments->names,
                 "Names of nodes and tiles; none: all displays with \"power\" in the wall file");
  command.runs([&context, arguments] { return power(context, *arguments); });
}

}  // namespace ui
