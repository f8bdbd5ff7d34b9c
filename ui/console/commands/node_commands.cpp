// Commands for the processes of the receivers and the standby: status, restart, logs.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/wall/wall.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

struct NodeArguments {
  std::string node;
  bool follow = false;
};

// Returns the receiver's health problem with this cause; empty: none.
std::string problem_of(const sail::Json& state, const std::string& receiver,
                       std::string_view cause) {
  for (const sail::Json& problem : member(member(state, "health"), "problems")) {
    if (text_member(problem, "cause") == cause && text_member(problem, "receiver") == receiver) {
      return text_member(problem, "sentence");
    }
  }
  return "";
}

std::string state_of(const sail::Json& receiver) {
  if (true_member(receiver, "connected")) return "up";
  const sail::Json run = member(receiver, "run");
  if (run.empty()) return "away";
  return true_member(run, "runs") ? "starting" : "down";
}

bool was_started(const sail::Json& node) {
  return node.contains("run");
}

// Returns how a receiver shows its tiles: driver, displays and renderer.
std::string shown_on_text(const sail::Json& receiver) {
  const sail::Json display = member(member(receiver, "stats"), "display");
  std::string text = text_member(display, "driver");
  std::vector<std::string> names;
  for (const sail::Json& window : member(display, "windows")) {
    const std::string name = text_member(window, "display");
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  for (const std::string& name : names) text += fmt::format(" {}", name);
  const std::string renderer = text_member(display, "renderer");
  return renderer.empty() ? text : fmt::format("{}, {}", text, renderer);
}

std::vector<std::string> row_of(const std::string& name, const sail::Json& node) {
  const std::string place = text_member(node, "place");
  const sail::Json run = member(node, "run");
  return {name, place.empty() ? "here" : place, state_of(node),
          was_started(node) ? text_of(run, "starts") : "by hand", text_member(run, "why")};
}

std::string status_text(const sail::Json& state) {
  std::vector<std::vector<std::string>> rows = {
      {"RECEIVER", "HOST", "STATE", "STARTS", "SHOWS ON", "WHY"}};
  for (const sail::Json& receiver : member(state, "receivers")) {
    std::vector<std::string>& row = rows.emplace_back(row_of(text_of(receiver, "name"), receiver));
    row.insert(row.end() - 1, shown_on_text(receiver));
    const std::string silence = problem_of(state, row.front(), "receiver_stopped");
    const std::string display = problem_of(state, row.front(), "display");
    const std::string update = problem_of(state, row.front(), "update");
    if (!silence.empty()) row[2] = "silent";
    for (const std::string& why : {update, display, silence}) {
      if (!why.empty()) row.back() = why;
    }
  }
  return table(rows);
}

// Returns the table of the standby. standby: empty if the wall file names none and none is
// connected.
std::string standby_text(const sail::Json& standby) {
  if (standby.empty()) return "";
  std::vector<std::string> row = row_of(sail::StandbyPlace::kName, standby);
  const std::string address = text_member(standby, "address");
  const auto at = sail::parse_address(address, {});
  // After a failover the wall file names no standby, so the host comes from the connection.
  if (!was_started(standby) && at && !sail::is_loopback(at->host)) row[1] = at->host;
  row.insert(row.begin() + 2, address);
  return "\n\n" + table({{"STANDBY", "HOST", "ADDRESS", "STATE", "STARTS", "WHY"}, row});
}

// Returns address and term of the active manager, which the user may not have named: a failover
// replaces the manager.
sail::Json manager_of(sail::RpcClient& client) {
  return {{"address", sail::address_text(client.peer().peer_address())},
          {"term", std::max(number_member(client.welcome(), "term"), int64_t{1})}};
}

// Returns the table of the wall file's apps with their windows; empty if it has no apps.
std::string apps_text(const sail::Json& state) {
  std::vector<std::vector<std::string>> rows = {{"APP", "HOST", "WINDOWS", "WHY"}};
  for (const sail::Json& app : member(member(state, "wall"), "apps")) {
    std::string windows;
    std::string why;
    for (const sail::Json& window : member(state, "windows")) {
      if (text_member(window, "on") != text_member(app, "name")) continue;
      windows += (windows.empty() ? "" : " ") + text_of(window, "window");
      const sail::Json lost = member(window, "lost");
      if (lost.is_object()) why = text_member(lost, "why");
    }
    const std::string host = text_member(app, "host");
    rows.push_back(
        {text_of(app, "name"), host.empty() ? "here" : host, windows.empty() ? "–" : windows, why});
  }
  return rows.size() > 1 ? "\n\n" + table(rows) : "";
}

// Returns the table of the connected recorders; empty if there are none.
std::string recorders_text(const sail::Json& state) {
  const auto at = [](const sail::Json& list, size_t i) {
    return list.is_array() && i < list.size() ? list[i].dump() : "?";
  };
  std::vector<std::vector<std::string>> rows = {{"RECORDER", "HOST", "AT", "SIZE"}};
  for (const sail::Json& recorder : member(state, "recorders")) {
    const sail::Json rect = member(recorder, "rect");
    const sail::Json size = member(recorder, "size");
    rows.push_back({text_of(recorder, "recorder"), text_of(recorder, "host"),
                    fmt::format("{},{} {}×{}", at(rect, 0), at(rect, 1), at(rect, 2), at(rect, 3)),
                    fmt::format("{}×{}", at(size, 0), at(size, 1))});
  }
  return rows.size() > 1 ? "\n\n" + table(rows) : "";
}

// Says how many displays are off because nothing is shown; empty: none.
std::string idle_text(const sail::Json& state) {
  int count = 0;
  for (const sail::Json& receiver : member(state, "receivers")) {
    for (const sail::Json& display : member(receiver, "power")) {
      count += true_member(display, "idle") ? 1 : 0;
    }
  }
  if (count == 0) return "";
  return fmt::format(
      "\n\ndisplays that are off because nothing is shown: {}; the next window turns them on",
      count);
}

// Fails if a receiver or the standby is missing, for scripts.
int status(Context& context) {
  const auto state = context.call("list", sail::Json::object());
  if (!state) return context.failure();
  const sail::Json receivers = member(*state, "receivers");
  const sail::Json recorders = member(*state, "recorders");
  const sail::Json standby = member(*state, "standby");
  const auto is_up = [](const sail::Json& node) { return true_member(node, "connected"); };
  const bool all_up = std::ranges::all_of(receivers, is_up) && (standby.empty() || is_up(standby));
  const sail::Json manager = manager_of(*context.client);
  const std::string manager_line =
      fmt::format("manager: {}, term {}{}\n\n", text_member(manager, "address"),
                  manager["term"].dump(), wall_problems_text(*state));
  sail::Json answer = {{"manager", manager}, {"receivers", receivers}};
  if (const sail::Json health = member(*state, "health"); !health.is_null()) {
    answer["health"] = health;
  }
  if (!standby.empty()) answer["standby"] = standby;
  if (!recorders.is_null()) answer["recorders"] = recorders;
  const int code =
      context.done(answer, manager_line + status_text(*state) + idle_text(*state) +
                               standby_text(standby) + apps_text(*state) + recorders_text(*state));
  return code == kDone && !all_up ? kFailed : code;
}

// Read position in the log of one node.
struct ShownLog {
  std::string node;
  sail::Json next;  // start of the next part; null: nothing read yet
};

// Returns the named node, or all nodes that the manager starts.
std::optional<std::vector<ShownLog>> logs_of(Context& context, const std::string& node) {
  if (!node.empty()) return std::vector<ShownLog>{{node, nullptr}};
  const auto state = context.call("list", sail::Json::object());
  if (!state) return std::nullopt;
  std::vector<ShownLog> all;
  for (const sail::Json& receiver : member(*state, "receivers")) {
    if (was_started(receiver)) all.push_back({text_member(receiver, "name"), nullptr});
  }
  if (was_started(member(*state, "standby"))) {
    all.push_back({sail::StandbyPlace::kName, nullptr});
  }
  for (const sail::Json& window : member(*state, "windows")) {
    const std::string app = text_member(window, "on");
    const bool listed = std::ranges::find(all, app, &ShownLog::node) != all.end();
    if (!app.empty() && !listed) all.push_back({app, nullptr});
  }
  return all;
}

// Prefixes each line with the node's name.
std::string signed_lines(const std::string& node, const std::string& text) {
  std::string lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines += fmt::format("{}: {}\n", node, line);
  return lines;
}

// Prints new lines of the logs. Returns false after a failed call.
bool print_news(Context& context, std::vector<ShownLog>& logs) {
  for (ShownLog& log : logs) {
    sail::Json params = {{"receiver", log.node}};
    if (!log.next.is_null()) params["from"] = log.next;
    const auto part = context.call("receiver_log", params);
    if (!part) return false;
    log.next = member(*part, "next");
    const std::string text = text_member(*part, "text");
    fmt::print("{}", logs.size() > 1 ? signed_lines(log.node, text) : text);
  }
  std::fflush(stdout);
  return true;
}

int logs(Context& context, const NodeArguments& arguments) {
  constexpr int64_t kPauseMs = 250;
  auto logs = logs_of(context, arguments.node);
  if (!logs || !print_news(context, *logs)) return context.failure();
  while (arguments.follow) {
    if (const auto lost = context.client->wait(kPauseMs)) return context.report(*lost);
    if (!print_news(context, *logs)) return kFailed;
  }
  return kDone;
}

}  // namespace

void add_node_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<NodeArguments>();

  const Command status_command =
      app.command("status", "Show receivers and standby; exit 1 if one is missing").group("Wall");
  status_command.runs([&context] { return status(context); });

  const Command restart_command =
      app.command("restart", "Restart a receiver or the standby that `vitrail up` started")
          .group("Wall");
  restart_command.option("receiver", arguments->node, "Node's name in the wall file, or 'standby'")
      .required();
  restart_command.runs([&context, arguments] {
    return context.perform("receiver_restart", {{"receiver", arguments->node}});
  });

  const Command logs_command = app.command("logs",
                                           "Print the logs of receivers and standby started by "
                                           "`vitrail up`, and of players on nodes")
                                   .group("Wall");
  logs_command.option("receiver", arguments->node,
                      "Only this node, by its name in the wall file, or 'standby'");
  logs_command.flag("--follow,-f", arguments->follow, "Keep printing new lines until Ctrl-C");
  logs_command.runs([&context, arguments] { return logs(context, *arguments); });
}

}  // namespace ui
