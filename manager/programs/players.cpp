#include "manager/programs/players.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <utility>

#include "manager/media/play_request.h"
#include "manager/peers/opener.h"
#include "manager/programs/last_error.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

constexpr int64_t kOpensS = 3;               // A player may take this long to open,
constexpr int64_t kHangsNs = 3'000'000'000;  // and this long to end, or to connect again.

sail::Error ending() {
  return sail::fail(sail::ErrorCode::kUnavailable,
                    "the manager is shutting down: no program can be started");
}

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

// Whether ssh ended because its connection did: what runs there only ends ssh with its own status.
bool is_ssh_lost(int64_t exit_status, int signal) {
  constexpr int64_t kSshFailed = 255;
  return signal != 0 || exit_status == kSshFailed;
}

// Returns a title for people: names of files and URLs, without the query part of URLs.
std::string title_of(const PlayRequest& request) {
  if (request.media.empty()) return request.command;
  const std::string& first = request.media.front();
  std::string title = sail::without_passwords(first);
  if (!sail::is_drawn(first)) {
    if (title.find("://") != std::string::npos) title = title.substr(0, title.find_first_of("?#"));
    const size_t slash = title.find_last_of('/');
    if (slash != std::string::npos && slash + 1 < title.size()) title.erase(0, slash + 1);
  }
  const size_t more = request.media.size() - 1;
  if (more > 0) title += fmt::format(" and {} more", more);
  return sail::make_plain_text(title, sail::kMaxTitleLength);
}

}  // namespace

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
  if (request.program == kShow) {
    // vitrail-show then draws for that size at once, instead of opening its window again.
    if (const auto& place = request.place) {
      arguments.push_back(
          fmt::format("--place={},{},{}x{}", place->x, place->y, place->width, place->height));
    }
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), request.media.begin(), request.media.end());
    return arguments;
  }
  // With kLoop as well, so that the film is held if a person ends the loop.
  if (request.at_end && request.at_end != AtEnd::kClose) arguments.emplace_back("--hold");
  const std::pair<const char*, std::optional<double>> numbers[] = {{"--fps", request.fps},
                                                                   {"--start", request.start_s},
                                                                   {"--rate", request.rate},
                                                                   {"--volume", request.volume}};
  for (const auto& [option, value] : numbers) {
    if (!value) continue;
    arguments.emplace_back(option);
    arguments.push_back(fmt::format("{}", *value));
  }
  if (request.best_effort) arguments.emplace_back("--best-effort");
  if (!request.fallback.empty()) arguments.push_back("--fallback=" + request.fallback);
  if (!request.group.empty()) arguments.push_back("--group=" + request.group);
  if (request.start_at_s) {
    arguments.push_back(fmt::format("--start-at=@{}", *request.start_at_s));
  }
  if (request.transport.transport) {
    arguments.emplace_back("--transport");
    arguments.emplace_back(sail::transport_name(*request.transport.transport));
  }
  if (request.transport.delay_ms) {
    arguments.emplace_back("--delay-ms");
    arguments.push_back(fmt::format("{}", *request.transport.delay_ms));
  }
  if (request.transport.mtu) {
    arguments.emplace_back("--mtu");
    arguments.push_back(fmt::format("{}", *request.transport.mtu));
  }
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), request.media.begin(), request.media.end());
  return arguments;
}

Players::Players(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs, Options options)
    : loop_(loop), children_(children), logs_(logs), options_(std::move(options)) {}

void Players::play(const PlayRequest& request, std::optional<Author> author, Started started,
                   const Again& again) {
  options_.judge(request, [this, request, author = std::move(author), started = std::move(started),
                           again](const sail::Result<void>& may) {
    if (!may) return started(may.error());
    launch(request, author, started, again);
  });
}

void Players::launch(const PlayRequest& request, std::optional<Author> author, Started started,
                     const Again& again) {
  if (stopped_) {
    started(ending());
    return;
  }
  PlayRequest asked = request;
  if (asked.command.empty() && asked.program.empty()) asked.program = manager::player_for(asked);
  const auto has_command = [&](const auto& app) {
    return app.name == asked.command && !app.command.empty();
  };
  if (asked.on.empty() && std::ranges::any_of(options_.nodes, has_command)) {
    asked.on = asked.command;
  }
  if (!asked.at_end) asked.at_end = options_.at_end;
  // Commands get an admin key: the manager's operator has chosen them, and they may be Vitrail
  // scripts. Players get less, because they read files from anyone.
  const bool has_key = !options_.start.key.secret.empty();
  const std::string name = program_key_name(asked.command.empty() ? "application" : "admin",
                                            has_key ? asked.opener : "");
  const auto line = command_line(asked);
  if (!line) {
    started(line.error());
    return;
  }
  const auto child =
      asked.on.empty() ? start(asked, *line, name) : start_on_node(asked, name, again.second);
  if (!child) {
    started(sail::fail(child.error().code, fmt::format("the player {} did not start: {}",
                                                       line->front(), child.error().message)));
    return;
  }
  Player& player = players_[name];
  player.child = *child;
  player.request = asked;
  player.wish = {request.place, request.within, request.centre};
  player.author = std::move(author);
  player.started = std::move(started);
  player.again = again;
  if (again.window != 0) return;  // A restart is not announced, because its window shows the state.
  player.telling = std::make_unique<sail::Timer>(loop_);
  player.telling->start(options_.report_after_ms, 0,
                        [this, name] { report_opening(players_.at(name)); });
}

// --- players that open their window -------------------------------------------------------------

void Players::report_opening(Player& player) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  player.opening =
      Opening{.number = next_opening_++,
              .title = title_of(player.request),
              .rect = options_.place_for ? options_.place_for(player.request) : sail::Rect{},
              .since_s = std::chrono::duration_cast<std::chrono::seconds>(now).count(),
              .awaits_sender = !player.request.media.empty() &&
                               sail::awaits_sender(player.request.media.front())};
  if (options_.on_openings) options_.on_openings();
}

std::vector<Players::Opening> Players::openings() const {
  std::vector<Opening> openings;
  for (const auto& [name, player] : players_) {
    if (player.opening) openings.push_back(*player.opening);
  }
  std::ranges::sort(openings, {}, &Opening::number);
  return openings;
}

sail::Result<void> Players::close_opening(uint32_t number, const Author& author) {
  const auto found = std::ranges::find_if(players_, [number](const auto& known) {
    return known.second.opening && known.second.opening->number == number;
  });
  if (found == players_.end()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("no window is opening with the number {}: the window is open "
                                  "already, or its player has ended",
                                  number));
  }
  Player& player = found->second;
  if (author.only_own && (!player.author || player.author->key != author.key)) {
    return sail::fail(sail::ErrorCode::kUnauthorized,
                      "another user is opening this window: closing it needs the right 'operator'");
  }
  children_.signal(player.child, SIGTERM);
  answer(player, sail::fail(sail::ErrorCode::kUnavailable,
                            fmt::format("'{}' was closed before its window opened",
                                        player.opening->title)));
  return {};
}

sail::Result<int> Players::start(const PlayRequest& request, const std::vector<std::string>& line,
                                 const std::string& name) {
  const std::vector<std::string> environment{
      "VITRAIL_MANAGER=" + sail::address_text(options_.start.manager),
      "VITRAIL_KEY=" + key_text(key_named(options_.start.key, name))};
  if (!request.command.empty()) {
    return children_.start(line, environment, [this, name](int64_t exit_status, int signal) {
      ended(name,
            fmt::format("the program ended with {} before it opened a window: its messages are in "
                        "the manager's output",
                        exit_text(exit_status, signal)),
            EXIT_FAILURE);
    });
  }
  return children_.start_overheard(
      line, environment,
      [this, name, media = request.media](int64_t exit_status, int signal,
                                          std::string_view errors) {
        const std::string words = last_error(errors, media);
        ended(name,
              signal == 0 && !words.empty()
                  ? words
                  : fmt::format("the player ended with {} before it opened a window",
                                exit_text(exit_status, signal)),
              exit_status);
      });
}

sail::Result<const sail::AppPlace*> Players::node(const std::string& name) const {
  const auto found = std::ranges::find(options_.nodes, name, &sail::AppPlace::name);
  if (found != options_.nodes.end()) return &*found;
  std::string names;
  for (const sail::AppPlace& known : options_.nodes) names += " '" + known.name + "'";
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("the wall has no node '{}'; its nodes are{}", name, names));
}

// Its output goes to the node's log, because it may outlive this manager.
sail::Result<int> Players::start_on_node(const PlayRequest& request, const std::string& name,
                                         bool second) {
  const auto place = node(request.on);
  if (!place) return place.error();
  const sail::AppPlace& app = **place;
  const std::string& host = second ? app.second_host : app.host;
  const bool near = is_this_host(host);
  if (!near && !sail::is_loopback(host)) {
    if (auto error = server_out_of_reach(request)) return *std::move(error);
  }
  auto line = command_line(request);
  if (!line) return line.error();
  // On another host, PATH finds Vitrail's programs.
  if (!near && request.command.empty()) line->front() = request.program;
  NodeStart start = options_.start;
  start.key = key_named(start.key, name);
  auto command = node_command(app_program(app, second, *std::move(line)), start);
  if (!command) return command.error();
  const int output = logs_.begin(app.name);
  auto child = children_.start(command->arguments, command->environment,
                               [this, name, request, near](int64_t exit_status, int signal) {
                                 players_.at(name).host_lost =
                                     !near && is_ssh_lost(exit_status, signal);
                                 node_ended(name, request, exit_status, signal);
                               },
                               {.input = std::move(command->input), .output = output});
  if (output >= 0) close(output);
  return child;
}

void Players::node_ended(const std::string& name, const PlayRequest& request, int64_t exit_status,
                         int signal) {
  const std::string how = "ended with " + exit_text(exit_status, signal);
  std::string said = signal == 0 ? last_error(logs_.end_of_run(request.on), request.media) : "";
  if (!said.empty()) said = ": " + said;
  const bool failed = exit_status != 0 || signal != 0;
  if (!stopped_) options_.on_node_ended(name, failed, how + said);
  ended(name,
        fmt::format("the player on '{}' {} before it opened a window{}", request.on, how, said),
        exit_status);
}

uint32_t Players::take_former(std::string_view name) {
  const auto it = players_.find(name);
  return it == players_.end() ? 0 : std::exchange(it->second.again.window, 0);
}

bool Players::second_after(const std::string& on, std::string_view name) const {
  const auto it = players_.find(name);
  if (it == players_.end()) return false;
  const bool second = it->second.again.second;
  return it->second.host_lost ? second_after_failure(on, second) : second;
}

bool Players::second_after_failure(const std::string& on, bool second) const {
  const auto place = node(on);
  return !second && place && !(*place)->second_host.empty();
}

void Players::end(std::string_view name) {
  const auto it = players_.find(name);
  if (it != players_.end()) children_.signal(it->second.child, SIGTERM);
}

sail::Result<std::vector<std::string>> Players::command_line(const PlayRequest& request) const {
  if (request.command.empty()) {
    return player_arguments(options_.programs.at(request.program), request);
  }
  const auto saved = std::ranges::find(options_.commands, request.command, command_name);
  if (saved != options_.commands.end()) return saved->arguments;
  return sail::fail(
      sail::ErrorCode::kNotFound,
      fmt::format("the command '{}' is no longer in the file of --commands", request.command));
}

std::string Players::player_for(const std::string& name,
                                const std::optional<sail::Content>& content) const {
  if (!content || players_.contains(name)) return name;
  const auto waiting = std::ranges::find_if(players_, [&](const auto& known) {
    const Player& player = known.second;
    return player.started && content->media.size() == 1 && is_server_film(content->media.front()) &&
           std::ranges::find(player.request.media, content->media.front()) !=
               player.request.media.end();
  });
  return waiting == players_.end() ? name : waiting->first;
}

Players::Wish Players::take_wish(std::string_view name) {
  const auto it = players_.find(name);
  if (it == players_.end()) return {};
  return std::exchange(it->second.wish, {});
}

void Players::window_opened(std::string_view name, uint32_t window) {
  const auto it = players_.find(name);
  if (it == players_.end()) return;
  it->second.cut_off_ns = 0;
  answer(it->second, window);
}

void Players::cut_off(std::string_view name) {
  const auto it = players_.find(name);
  if (it != players_.end()) it->second.cut_off_ns = sail::steady_now_ns();
}

// Players on nodes keep their windows, which say so. Commands may go on without a window.
std::vector<std::string> Players::hanging() const {
  std::vector<std::string> sentences;
  for (const auto& [name, player] : players_) {
    if (player.cut_off_ns == 0 || !player.request.on.empty() || !player.request.command.empty()) {
      continue;
    }
    if (sail::steady_now_ns() - player.cut_off_ns < kHangsNs) continue;
    sentences.push_back(
        fmt::format("the player of “{}” does not answer, and its window was closed; end the player "
                    "with `kill -9 {}`, then play the source again",
                    title_of(player.request), children_.pid(player.child)));
  }
  return sentences;
}

std::optional<Author> Players::asked_by(std::string_view name) const {
  const auto it = players_.find(name);
  if (it == players_.end() || !it->second.started) return std::nullopt;
  return it->second.author;
}

const PlayRequest* Players::request(std::string_view name) const {
  const auto it = players_.find(name);
  if (it == players_.end()) return nullptr;
  const bool first = it->second.started != nullptr;
  return first || it->second.request.command.empty() ? &it->second.request : nullptr;
}

std::vector<std::string> Players::opening() const {
  std::vector<std::string> titles;
  for (const Opening& opening : openings()) {
    if (std::time(nullptr) - opening.since_s >= kOpensS) titles.push_back(opening.title);
  }
  return titles;
}

void Players::stop() {
  stopped_ = true;
  for (auto& [name, player] : players_) answer(player, ending());
}

void Players::ended(const std::string& name, const std::string& why, int64_t exit_status) {
  const bool busy = exit_status == sail::kFilmServerIsBusy;
  auto player = players_.extract(name);
  if (player.empty()) return;
  answer(player.mapped(), sail::fail(busy ? sail::ErrorCode::kBusy : sail::ErrorCode::kIo, why));
}

void Players::answer(Player& player, sail::Result<uint32_t> result) {
  player.telling.reset();
  if (std::exchange(player.opening, std::nullopt) && options_.on_openings) options_.on_openings();
  if (player.started) std::exchange(player.started, nullptr)(std::move(result));
}

}  // namespace manager
