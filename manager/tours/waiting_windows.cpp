#include "manager/tours/waiting_windows.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/programs/players.h"
#include "manager/wall/arrange.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

constexpr int kMostTicksOfTurn =
    2 * sail::kTransactionTimeoutMs / static_cast<int>(Director::kTickMs);
// Many players that start at once slow each other down.
constexpr int kMostOpenings = 4;

bool has_picture(const Window& window) {
  return window.stats && window.stats->frames_submitted > 0 && !window.no_signal();
}

WindowPlacement hidden(const Window& window) {
  WindowPlacement placement = window.placement();
  placement.hidden = true;
  return placement;
}

bool starts_at_turn(const Window& window) {
  return window.playback && window.playback->moves() && !window.playback->live;
}

}  // namespace

WaitingWindows::WaitingWindows(int64_t opening_ms, Desk& desk, Players& players)
    : opening_ms_(opening_ms), desk_(desk), players_(players) {}

// Reserving a number keeps the ticket apart from the numbers of windows that others open again.
WaitingWindows::Ticket WaitingWindows::open(PlayRequest request) {
  const Ticket ticket =
      desk_.change([](Arrangement& arrangement) { return arrangement.reserve_number(); });
  if (request.place) request.place->x = desk_.wall().size.width;
  waiting_.emplace(ticket, Waiting{.request = std::move(request)});
  return ticket;
}

void WaitingWindows::start(Ticket ticket, int64_t now_ms) {
  Waiting& waiting = waiting_.at(ticket);
  waiting.began_ms = now_ms;
  players_.play(waiting.request, {},
                [this, ticket](const sail::Result<uint32_t>& number) { opened(ticket, number); },
                {.saved = ticket, .prepared = true});
}

void WaitingWindows::opened(Ticket ticket, const sail::Result<uint32_t>& number) {
  const auto found = waiting_.find(ticket);
  const bool given_up = found == waiting_.end() || !found->second.state.why.empty();
  if (number) {
    desk_.change([&](Arrangement& arrangement) {
      arrangement.set_unsaved(*number, true);
      arrangement.apply({.windows = {{*number, hidden(*desk_.windows().find(*number))}}}, {});
    });
  }
  if (given_up) {
    if (number) close(*number);
    return;
  }
  if (number) {
    found->second.window = *number;
  } else {
    found->second.state.why = number.error().message;
  }
}

void WaitingWindows::check(Ticket ticket, Waiting& waiting, int64_t now_ms) {
  if (!waiting.state.why.empty()) return;
  if (waiting.window != 0 && !is_open(waiting.window)) {
    return fail(ticket, waiting, "its window was closed before its turn");
  }
  const Window* window = desk_.windows().find(waiting.window);
  if (waiting.state.ready) {
    if (window->no_signal()) fail(ticket, waiting, "it sends no pictures any more");
    return;
  }
  if (window != nullptr && has_picture(*window)) {
    waiting.state.ready = true;
    waiting.paused = starts_at_turn(*window);
    if (waiting.paused) desk_.notify_application(*window, "pause");
    return;
  }
  if (now_ms - waiting.began_ms < opening_ms_) return;
  fail(ticket, waiting,
       window == nullptr ? fmt::format("it did not open within {} s", opening_ms_ / 1000)
                         : "it sends no picture");
}

void WaitingWindows::fail(Ticket ticket, Waiting& waiting, const std::string& why) {
  waiting.state = {.why = why};
  if (const uint32_t window = std::exchange(waiting.window, 0); window != 0) {
    close(window);
  } else {
    players_.give_up(ticket, why);
  }
}

void WaitingWindows::drop(Ticket ticket) {
  const auto node = waiting_.extract(ticket);
  const Waiting& waiting = node.mapped();
  if (waiting.window != 0) {
    close(waiting.window);
  } else if (waiting.began_ms >= 0) {
    players_.give_up(ticket, "its turn was given up");
  }
}

// --- the swap

std::vector<uint32_t> WaitingWindows::show(const std::vector<Turn>& turns) {
  std::vector<uint32_t> numbers;
  std::vector<uint32_t> order = desk_.windows().order();
  LayoutChange wanted;
  for (const Turn& turn : turns) {
    const Window& window = *desk_.windows().find(waiting_.at(turn.ticket).window);
    numbers.push_back(window.number);
    wanted.windows[window.number] = {.wall_rect = fit_into(window.shown_size(), turn.area),
                                     .sound = turn.sound,
                                     .place = turn.area,
                                     .hidden = false};
    if (!is_open(turn.former)) continue;
    wanted.windows[turn.former] = hidden(*desk_.windows().find(turn.former));
    std::erase(order, window.number);
    order.insert(std::next(std::ranges::find(order, turn.former)), window.number);
    former_.push_back(turn.former);
  }
  wanted.order = std::move(order);
  desk_.change([&](Arrangement& arrangement) {
    arrangement.apply(wanted, {.name = "tour"});
    for (size_t i = 0; i < turns.size(); ++i) {
      arrangement.set_unsaved(numbers[i], false);
      const Window* former = desk_.windows().find(turns[i].former);
      if (former == nullptr) continue;
      arrangement.set_unsaved(former->number, true);
      arrangement.set_cover(numbers[i], {.blank = former->cover.blank});
      arrangement.history().renumber(former->number, numbers[i]);
    }
  });
  for (size_t i = 0; i < turns.size(); ++i) {
    if (!waiting_.extract(turns[i].ticket).mapped().paused) continue;
    desk_.notify_application(*desk_.windows().find(numbers[i]), "resume");
  }
  ticks_ = 0;
  return numbers;
}

void WaitingWindows::close(uint32_t number) {
  if (!is_open(number)) return;
  ++closing_;
  desk_.close({number}, [this](const auto& /*forced*/) { --closing_; });
}

void WaitingWindows::close_former() {
  if (former_.empty()) return;
  if (!desk_.director().settled() && ++ticks_ < kMostTicksOfTurn) return;
  for (const uint32_t number : std::exchange(former_, {})) close(number);
}

// Others open when the former windows are gone, so that there are at most two windows per cell.
void WaitingWindows::tick(int64_t now_ms) {
  if (players_.stopped()) return;
  close_former();
  auto openings = std::ranges::count_if(waiting_, [](const auto& one) {
    const Waiting& waiting = one.second;
    return waiting.began_ms >= 0 && !waiting.state.ready && waiting.state.why.empty();
  });
  const bool may_start = former_.empty() && closing_ == 0;
  for (auto& [ticket, waiting] : waiting_) {
    if (waiting.began_ms >= 0) {
      check(ticket, waiting, now_ms);
    } else if (may_start && openings < kMostOpenings) {
      ++openings;
      start(ticket, now_ms);
    }
  }
}

bool WaitingWindows::is_open(uint32_t number) const {
  return desk_.windows().find(number) != nullptr && !desk_.closes(number);
}

}  // namespace manager
