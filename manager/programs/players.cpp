#include "manager/programs/players.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <utility>

#include "manager/media/player_purpose.h"
#include "sail/core/command_line/command_line.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

constexpr int64_t kSlowOpeningS = 3;         // A player may take this long to open,
constexpr int64_t kHangsNs = 3'000'000'000;  // and this long to end, or to connect again.

sail::Error ending() {
  return sail::fail(sail::ErrorCode::kUnavailable,
                    "the manager is shutting down: no program can be started");
}

// Returns a title for people: names of files and URLs, without the query part of URLs.
std::string title_of(const PlayRequest& request) {
  if (request.media.empty()) return request.command;
  if (!request.title.empty()) return request.title;
  std::string title = medium_name(request.media.front());
  const size_t more = request.media.size() - 1;
  if (more > 0) title += fmt::format(" and {} more", more);
  return sail::make_plain_text(title, sail::kMaxTitleLength);
}

}  // namespace

Players::Players(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs, Options options)
    : loop_(loop),
      children_(children),
      options_(std::move(options)),
      starter_(children, logs, std::move(options_.starter)) {}

void Players::play(const PlayRequest& request, std::optional<Author> author, Started started,
                   const Again& again) {
  options_.check_rights(request,
                        [this, request, author = std::move(author), started = std::move(started),
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
  const PlayRequest asked = starter_.completed(request);
  const std::string name = starter_.key_name(asked);
  const auto line = starter_.command_line(asked);
  if (!line) {
    started(line.error());
    return;
  }
  const PlayerStarter::Run run{.name = name,
                               .second = again.second,
                               .purpose = purpose_text(purpose_of(asked, again.prepared))};
  const auto child =
      starter_.start(asked, *line, run, [this, name](const PlayerEnd& end) { ended(name, end); });
  if (!child) {
    started(sail::fail(child.error().code, fmt::format("the player {} did not start: {}",
                                                       line->front(), child.error().message)));
    return;
  }
  Player& player = players_[name];
  player.child = *child;
  player.request = asked;
  player.requested = {request.place, request.within, request.centre};
  player.author = std::move(author);
  player.started = std::move(started);
  player.again = again;
  if (again.window != 0) return;  // A restart is not announced, because its window shows the state.
  player.announce_timer = std::make_unique<sail::Timer>(loop_);
  player.announce_timer->start(options_.report_after_ms, 0,
                               [this, name] { report_opening(players_.at(name)); });
}

// --- players that open their window -------------------------------------------------------------

void Players::report_opening(Player& player) {
  player.opening =
      Opening{.number = next_opening_++,
              .title = title_of(player.request),
              .rect = options_.place_for ? options_.place_for(player.request) : sail::Rect{},
              .since_s = std::time(nullptr),
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
  return !second && starter_.has_second_host(on);
}

void Players::end(std::string_view name) {
  const auto it = players_.find(name);
  if (it != players_.end()) children_.signal(it->second.child, SIGTERM);
}

void Players::give_up(uint32_t saved, const std::string& why) {
  const auto known = std::ranges::find_if(players_, [saved](const auto& one) {
    return one.second.started && one.second.again.saved == saved;
  });
  if (known == players_.end()) return;
  children_.signal(known->second.child, SIGTERM);
  answer(known->second, sail::fail(sail::ErrorCode::kTimeout, why));
}

size_t Players::give_up(const std::function<bool(const PlayRequest&)>& which,
                        const std::string& why) {
  size_t count = 0;
  for (auto& [name, player] : players_) {
    if (!player.started || !which(player.request)) continue;
    children_.signal(player.child, SIGTERM);
    answer(player, sail::fail(sail::ErrorCode::kUnavailable, why));
    ++count;
  }
  return count;
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

Players::RequestedPlace Players::take_requested_place(std::string_view name) {
  const auto it = players_.find(name);
  if (it == players_.end()) return {};
  return std::exchange(it->second.requested, {});
}

void Players::window_opened(std::string_view name, uint32_t window) {
  const auto it = players_.find(name);
  if (it == players_.end()) return;
  it->second.cut_off_ns = 0;
  answer(it->second, window);
}

void Players::cut_off(std::string_view name, int64_t now_ns) {
  const auto it = players_.find(name);
  if (it != players_.end()) it->second.cut_off_ns = now_ns;
}

// Leaves out players on nodes, whose windows stay and show the problem, and commands, which may
// continue without a window.
std::vector<std::string> Players::hanging(int64_t now_ns) const {
  std::vector<std::string> sentences;
  for (const auto& [name, player] : players_) {
    if (player.cut_off_ns == 0 || !player.request.on.empty() || !player.request.command.empty()) {
      continue;
    }
    if (now_ns - player.cut_off_ns < kHangsNs) continue;
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
    if (std::time(nullptr) - opening.since_s >= kSlowOpeningS) titles.push_back(opening.title);
  }
  return titles;
}

void Players::stop() {
  stopped_ = true;
  for (auto& [name, player] : players_) answer(player, ending());
}

void Players::ended(const std::string& name, const PlayerEnd& end) {
  const auto known = players_.find(name);
  if (known == players_.end()) return;
  known->second.host_lost = end.host_lost;
  if (!stopped_ && options_.on_ended) options_.on_ended(name, end.failed, end.reason);
  const bool busy = end.exit_status == sail::kFilmServerIsBusy;
  auto player = players_.extract(name);
  answer(player.mapped(),
         sail::fail(busy ? sail::ErrorCode::kBusy : sail::ErrorCode::kIo, end.error));
}

void Players::answer(Player& player, sail::Result<uint32_t> result) {
  player.announce_timer.reset();
  if (std::exchange(player.opening, std::nullopt) && options_.on_openings) options_.on_openings();
  if (player.started) std::exchange(player.started, nullptr)(std::move(result));
}

}  // namespace manager
