#include "manager/programs/player_starter.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "manager/peers/opener.h"
#include "manager/peers/receiver_roster.h"
#include "manager/programs/child_programs.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

// Returns an error if the request names a film server that only this host reaches.
std::optional<sail::Error> server_out_of_reach(const PlayRequest& request) {
  for (const std::string& medium : request.media) {
    const std::string host = server_host(medium);
    if (!sail::is_loopback(host)) continue;
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("'{}' cannot reach the film server of '{}': {} is a loopback address of the "
                    "manager's host. Start vitrail-server with --listen ADDRESS:PORT, an address "
                    "that other hosts reach, and vitrail-manager with --film-server ADDRESS:PORT; "
                    "or play the film without --on",
                    request.on, sail::make_plain_text(medium, sail::kMaxTitleLength), host));
  }
  return std::nullopt;
}

// Whether ssh or a launcher ended because its connection was lost. If the remote program ends, ssh
// exits with that program's status. Launchers have no such status.
bool is_connection_lost(const sail::AppPlace& app, int64_t exit_status, int signal) {
  constexpr int64_t kSshFailed = 255;
  return signal != 0 || (app.launch.empty() && exit_status == kSshFailed);
}

void add_transport(std::vector<std::string>& arguments, const sail::TransportOptions& wish) {
  if (wish.transport) {
    arguments.emplace_back("--transport");
    arguments.emplace_back(sail::transport_name(*wish.transport));
  }
  if (wish.delay_ms) {
    arguments.emplace_back("--delay-ms");
    arguments.push_back(fmt::format("{}", *wish.delay_ms));
  }
  if (wish.mtu) {
    arguments.emplace_back("--mtu");
    arguments.push_back(fmt::format("{}", *wish.mtu));
  }
}

}  // namespace

PlayerStarter::PlayerStarter(ChildPrograms& children, NodeLogs& logs, Options options)
    : children_(children), logs_(logs), options_(std::move(options)) {}

PlayRequest PlayerStarter::completed(PlayRequest request) const {
  if (request.command.empty() && request.program.empty()) request.program = player_for(request);
  const auto has_command = [&](const auto& app) {
    return app.name == request.command && !app.command.empty();
  };
  if (request.on.empty() && std::ranges::any_of(options_.nodes, has_command)) {
    request.on = request.command;
  }
  if (!request.at_end) request.at_end = options_.at_end;
  return request;
}

// Commands get an admin key: the manager's operator has chosen them, and they may be Vitrail
// scripts. Players get less, because they read files from anyone.
std::string PlayerStarter::key_name(const PlayRequest& request) const {
  const bool has_key = !options_.start.key.secret.empty();
  return program_key_name(request.command.empty() ? "application" : "admin",
                          has_key ? request.opener : "");
}

sail::Result<std::vector<std::string>> PlayerStarter::command_line(
    const PlayRequest& request) const {
  if (request.command.empty()) {
    return player_arguments(options_.programs.at(request.program), request);
  }
  const auto saved = std::ranges::find(options_.commands, request.command, command_name);
  if (saved != options_.commands.end()) return saved->arguments;
  return sail::fail(
      sail::ErrorCode::kNotFound,
      fmt::format("the command '{}' is no longer in the file of --commands", request.command));
}

sail::Result<int> PlayerStarter::start(const PlayRequest& request, std::vector<std::string> line,
                                       const Run& run, const OnEnd& on_end) {
  return request.on.empty() ? start_here(request, line, run, on_end)
                            : start_on_node(request, std::move(line), run, on_end);
}

sail::Result<int> PlayerStarter::start_here(const PlayRequest& request,
                                            const std::vector<std::string>& line, const Run& run,
                                            const OnEnd& on_end) {
  std::vector<std::string> environment{
      "VITRAIL_MANAGER=" + sail::address_text(options_.start.manager),
      "VITRAIL_KEY=" + key_text(key_named(options_.start.key, run.name))};
  if (!run.purpose.empty()) environment.push_back("VITRAIL_PURPOSE=" + run.purpose);
  if (!request.command.empty()) {
    return children_.start(line, environment, [on_end](int64_t exit_status, int signal) {
      // The exit codes of other programs have no defined meaning.
      on_end({.exit_status = EXIT_FAILURE,
              .failed = exit_status != 0 || signal != 0,
              .reason = "ended with " + exit_text(exit_status, signal),
              .error = fmt::format("the program ended with {} before it opened a window: its "
                                   "messages are in the manager's output",
                                   exit_text(exit_status, signal))});
    });
  }
  return children_.start_overheard(
      line, environment,
      [on_end, media = request.media](int64_t exit_status, int signal, std::string_view output) {
        const std::string error = last_error(output, media);
        const std::string reason = "ended with " + exit_text(exit_status, signal);
        on_end({.exit_status = exit_status,
                .failed = exit_status != 0 || signal != 0,
                .reason = error.empty() ? reason : reason + ": " + error,
                .error = signal == 0 && !error.empty()
                             ? error
                             : fmt::format("the player ended with {} before it opened a window",
                                           exit_text(exit_status, signal))});
      });
}

// The output goes to the node's log, because the program may outlive this manager.
sail::Result<int> PlayerStarter::start_on_node(const PlayRequest& request,
                                               std::vector<std::string> line, const Run& run,
                                               const OnEnd& on_end) {
  const auto place = node(request.on);
  if (!place) return place.error();
  const sail::AppPlace& app = **place;
  const std::string& host = run.second ? app.second_host : app.host;
  const bool near = is_this_host(host);
  if (!near && !sail::is_loopback(host)) {
    if (auto error = server_out_of_reach(request)) return *std::move(error);
  }
  // On another host, PATH finds Vitrail's programs.
  if (!near && request.command.empty()) line.front() = request.program;
  NodeStart start = options_.start;
  start.key = key_named(start.key, run.name);
  NodeProgram program = app_program(app, run.second, std::move(line));
  if (!run.purpose.empty()) program.environment["VITRAIL_PURPOSE"] = run.purpose;
  auto command = node_command(program, start);
  if (!command) return command.error();
  const int output = logs_.begin(app.name);
  auto child = children_.start(command->arguments, command->environment,
                               [this, request, app, near, on_end](int64_t exit_status, int signal) {
                                 PlayerEnd end = end_on_node(request, exit_status, signal);
                                 end.host_lost =
                                     !near && is_connection_lost(app, exit_status, signal);
                                 on_end(end);
                               },
                               {.input = std::move(command->input), .output = output});
  if (output >= 0) close(output);
  return child;
}

PlayerEnd PlayerStarter::end_on_node(const PlayRequest& request, int64_t exit_status,
                                     int signal) const {
  const std::string how = "ended with " + exit_text(exit_status, signal);
  std::string error = signal == 0 ? last_error(logs_.end_of_run(request.on), request.media) : "";
  if (!error.empty()) error = ": " + error;
  return {.exit_status = exit_status,
          .failed = exit_status != 0 || signal != 0,
          .reason = how + error,
          .error = fmt::format("the player on '{}' {} before it opened a window{}", request.on, how,
                               error)};
}

bool PlayerStarter::has_second_host(const std::string& name) const {
  const auto place = node(name);
  return place && !(*place)->second_host.empty();
}

sail::Result<const sail::AppPlace*> PlayerStarter::node(const std::string& name) const {
  const auto found = std::ranges::find(options_.nodes, name, &sail::AppPlace::name);
  if (found != options_.nodes.end()) return &*found;
  std::string names;
  for (const sail::AppPlace& known : options_.nodes) names += " '" + known.name + "'";
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("the wall has no node '{}'; its nodes are{}", name, names));
}

std::vector<std::string> player_arguments(const std::string& program, const PlayRequest& request) {
  std::vector<std::string> arguments{program};
  if (request.program == kWeb || request.program == kVnc) {
    if (const auto& size = request.page_size; size && request.program == kWeb) {
      arguments.push_back(fmt::format("--size={}x{}", size->width, size->height));
    }
    const auto scheme = request.program == kWeb ? sail::kWebScheme : sail::kVncScheme;
    arguments.insert(arguments.end(), {"--", request.media.front().substr(scheme.size())});
    return arguments;
  }
  if (request.at_end == AtEnd::kLoop) arguments.emplace_back("--loop");
  const bool hold = request.at_end && request.at_end != AtEnd::kClose;
  if (request.program == kShow) {
    // vitrail-show then draws for that size at once, instead of opening its window again. The place
    // of a decoration depends on the shape of the picture.
    if (const auto& place = request.place; place && !request.decoration) {
      arguments.push_back(
          fmt::format("--place={},{},{}x{}", place->x, place->y, place->width, place->height));
    }
    arguments.emplace_back(hold ? "--animations=hold" : "--animations=close");
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), request.media.begin(), request.media.end());
    return arguments;
  }
  if (!request.title.empty()) arguments.push_back("--title=" + request.title);
  // Also with kLoop, so that the film is held if a person ends the loop.
  if (hold) arguments.emplace_back("--hold");
  const std::pair<const char*, std::optional<double>> numbers[] = {{"--fps", request.fps},
                                                                   {"--start", request.start_s},
                                                                   {"--rate", request.rate},
                                                                   {"--volume", request.volume}};
  for (const auto& [option, value] : numbers) {
    if (!value) continue;
    arguments.emplace_back(option);
    arguments.push_back(fmt::format("{}", *value));
  }
  if (!request.deinterlace.empty()) arguments.push_back("--deinterlace=" + request.deinterlace);
  const bool with_alpha = request.codec.empty() && is_pictured_logo(request);
  const std::string codec = with_alpha ? "dxt5" : request.codec;
  if (!codec.empty()) arguments.push_back("--codec=" + codec);
  if (!request.missing.empty()) arguments.push_back("--missing=" + request.missing);
  if (!request.sound_track.empty()) arguments.push_back("--sound-track=" + request.sound_track);
  if (request.best_effort) arguments.emplace_back("--best-effort");
  if (!request.fallback.empty()) arguments.push_back("--fallback=" + request.fallback);
  if (!request.subtitles.empty()) arguments.push_back("--subtitles=" + request.subtitles);
  if (!request.group.empty()) arguments.push_back("--group=" + request.group);
  if (request.start_at_s) {
    arguments.push_back(fmt::format("--start-at=@{}", *request.start_at_s));
  }
  add_transport(arguments, request.transport);
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), request.media.begin(), request.media.end());
  return arguments;
}

}  // namespace manager
