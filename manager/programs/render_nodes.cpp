#include "manager/programs/render_nodes.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace manager {

std::vector<sail::AppPlace> render_nodes(const sail::Wall& wall) {
  std::vector<sail::AppPlace> nodes = wall.apps;
  for (const sail::ReceiverPlace& receiver : wall.receivers) {
    nodes.push_back({.name = receiver.name,
                     .host = receiver.host,
                     .user = receiver.user,
                     .port = receiver.port,
                     .environment = receiver.environment});
  }
  return nodes;
}

sail::Result<void> add_app_commands(const sail::Wall& wall, std::vector<Source>& commands) {
  for (const sail::AppPlace& app : wall.apps) {
    if (app.command.empty()) continue;
    auto sources = parse_commands({{app.name, {{"arguments", app.command}}}});
    if (!sources) return sources.error();
    Source& source = sources->front();
    if (!app.host.empty()) source.detail = fmt::format("{} on {}", source.detail, app.host);
    if (std::ranges::find(commands, source.id, &Source::id) != commands.end()) {
      return sail::fail(
          sail::ErrorCode::kConflict,
          fmt::format("'{}' is both a command and an app of the wall: rename one", app.name));
    }
    commands.push_back(std::move(source));
  }
  return {};
}

}  // namespace manager
