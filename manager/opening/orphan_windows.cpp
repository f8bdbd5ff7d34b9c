#include "manager/opening/orphan_windows.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/programs/players.h"
#include "manager/programs/process_restarter.h"
#include "sail/core/time/wall_clock.h"

namespace manager {
namespace {

constexpr int64_t kFirstPauseMs = 250;
constexpr int64_t kLongestPauseMs = 10'000;
// How long a program has to reconnect if only its connection was lost.
constexpr int64_t kReturnMs = 3000;

bool is_on_node(const Window& window) {
  return window.content && !window.content->on.empty();
}

}  // namespace

OrphanWindows::OrphanWindows(sail::Loop& loop, Desk& desk, Peers& peers, Players& players,
                             const sail::Log& log)
    : loop_(loop), desk_(desk), peers_(peers), players_(players), log_(log) {}

// A multi-sender window stays in any case while one of its ranks is connected.
bool OrphanWindows::stays(const Window& window) const {
  const bool kept = desk_.wall().lost != sail::LostWindow::kClose || is_on_node(window);
  return kept && window.parts.empty();
}

std::vector<uint32_t> OrphanWindows::windows_of(const std::string& name) const {
  std::vector<uint32_t> numbers;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    const sail::ServicePeer* owner = peers_.find(window.owner);
    const auto program = programs_.find(window.number);
    const bool lost = window.lost && program != programs_.end() && program->second.key_name == name;
    const bool there = owner != nullptr && owner->key_name() == name && stays(window) &&
                       !desk_.closes(window.number);
    if (lost || there) numbers.push_back(window.number);
  }
  return numbers;
}

void OrphanWindows::peer_left(const sail::ServicePeer& peer) {
  if (players_.stopped()) return;
  for (const uint32_t number : desk_.windows().owned_by(peer.id())) {
    if (!stays(*desk_.windows().find(number)) || desk_.closes(number)) continue;
    lose(number, peer.key_name(), "its connection to the wall is lost");
    await_return(number);
  }
}

// If no receiver is connected either, this manager itself is cut off, and the program may continue
// without it. Waits for the program until receivers have been connected for a while.
void OrphanWindows::await_return(uint32_t number) {
  programs_.at(number).timer.start(kReturnMs, 0, [this, number] {
    if (is_back(number)) return;
    Program& program = programs_.at(number);
    const bool alone = std::ranges::none_of(peers_.receivers().all(), &ReceiverEntry::connected);
    if (std::exchange(program.isolated, alone) || alone) return await_return(number);
    const std::string name = program.key_name;
    if (!players_.started(name)) return start(number);
    players_.end(name);  // The program's exit calls program_ended(), which restarts it.
  });
}

// Also returns true if the window was closed, as nothing remains to be done.
bool OrphanWindows::is_back(uint32_t number) {
  const Window* window = desk_.windows().find(number);
  if (window != nullptr && window->lost) return false;
  programs_.erase(number);
  return true;
}

void OrphanWindows::program_ended(const std::string& name, bool failed, const std::string& why) {
  for (const uint32_t number : windows_of(name)) {
    if (!failed) {
      programs_.erase(number);
      desk_.remove(number);
      continue;
    }
    Program& program = lose(number, name, why);
    const Window& window = *desk_.windows().find(number);
    if (is_on_node(window)) program.second = players_.second_after(window.content->on, name);
    start_later(number);
  }
}

OrphanWindows::Program& OrphanWindows::lose(uint32_t number, const std::string& name,
                                            const std::string& why) {
  const auto [known, is_new] = programs_.try_emplace(number, loop_);
  known->second.key_name = name;
  mark_lost(number, why);
  return known->second;
}

void OrphanWindows::mark_lost(uint32_t number, const std::string& why) {
  const Window& window = *desk_.windows().find(number);
  LostProgram lost{.name = is_on_node(window) ? window.content->on : window.owner_name,
                   .why = why,
                   .since_s = window.lost ? window.lost->since_s : std::time(nullptr)};
  log_.warning("window {} '{}': {}", number, window.title, lost.sentence());
  desk_.change([&](Arrangement& arrangement) { arrangement.set_lost(number, std::move(lost)); });
}

void OrphanWindows::start_later(uint32_t number) {
  Program& program = programs_.at(number);
  const int64_t pause_ms = std::clamp(program.pause_ms, kFirstPauseMs, kLongestPauseMs);
  program.pause_ms = 2 * pause_ms;
  program.timer.start(pause_ms, 0, [this, number] { start(number); });
}

void OrphanWindows::start(uint32_t number) {
  if (is_back(number)) return;
  const Window& window = *desk_.windows().find(number);
  if (!window.content) return;  // Only its user can start the program again.
  const SavedWindow saved = saved_window(window, desk_.clock().wall_now_ns());
  const Players::Again again{.window = number, .second = programs_.at(number).second};
  const auto started = [this, number, second = again.second](const sail::Result<uint32_t>& opened) {
    const Window* lost = desk_.windows().find(number);
    if (opened || lost == nullptr || !lost->lost) {
      programs_.erase(number);
      return;
    }
    mark_lost(number, opened.error().message);
    // A retry would be refused, too.
    if (opened.error().code == sail::ErrorCode::kUnauthorized) return;
    Program& program = programs_.at(number);
    program.second = players_.second_after_failure(lost->content->on, second);
    start_later(number);
  };
  players_.play(request_for(saved), std::nullopt, started, again);
}

}  // namespace manager
