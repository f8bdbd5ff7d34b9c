#include "manager/desk/desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "manager/peers/peers.h"
#include "manager/wall/window_stack.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

// Tiles show at most one layout per refresh, and few displays have more than 120 Hz.
constexpr int64_t kLayoutSpacingNs = 8'000'000;

}  // namespace

Desk::Desk(sail::Loop& loop, const sail::Wall& wall, const sail::WallClock& clock, Peers& peers,
           ChangeFeed& changes, int64_t close_ms, Changed on_changed)
    : loop_(loop),
      wall_(wall),
      clock_(clock),
      peers_(peers),
      changes_(changes),
      close_ms_(close_ms),
      on_changed_(std::move(on_changed)),
      tile_gaps_(manager::tile_gaps(wall)),
      arrangement_(wall.size, tile_gaps_),
      director_(wall, arrangement_.windows(), kLayoutSpacingNs),
      spacing_(loop),
      identify_(loop),
      calibrate_(loop) {}

bool Desk::change(const LayoutChange& wanted, const UndoLabel& undo_label, const Author& author) {
  return change(
      [&](Arrangement& arrangement) { return arrangement.change(wanted, undo_label, author); });
}

void Desk::publish_changes() {
  const int fade_ms = std::exchange(fade_ms_, 0);
  Touched touched = arrangement_.take_touched();
  if (touched.nothing()) return;
  for (const uint32_t number : touched.windows) changes_.window_changed(number);
  for (const uint32_t number : touched.removed) changes_.window_removed(number);
  if (touched.order) changes_.order_changed();
  if (touched.partitions) changes_.part_changed(StatePart::kPartitions);
  if (touched.history) changes_.part_changed(StatePart::kHistory);
  if (touched.switches || touched.drawing) changes_.switches_changed();
  if (touched.layout) {
    director_.set_blank(arrangement_.switches().blank, arrangement_.blanks());
    touched.fade_ms = fade_ms;
    if (fade_ms > 0) director_.fade_next(fade_ms);
    director_.layout_changed(sail::steady_now_ns());
    carry_out_orders();
  }
  on_changed_(touched);
}

void Desk::notify_application(const Window& window, const std::string& type, double value,
                              const std::string& codec) {
  for (const WindowStream& stream : streams_of(window)) {
    peers_.notify(stream.owner, "event",
                  to_json(sail::AppEvent{
                      .stream = stream.stream, .type = type, .value = value, .codec = codec}));
  }
}

// --- closing windows

void Desk::close(const std::vector<uint32_t>& numbers, Closed done) {
  std::set<uint32_t> left;
  for (const uint32_t number : numbers) {
    on_closing_(number);
    if (const Window& window = *windows().find(number); window.lost) {
      refuse_return(window);
      change([&](Arrangement& arrangement) { arrangement.remove(number); });
    } else {
      ask_to_close(number);
      left.insert(number);
    }
  }
  closings_.push_back({std::move(left), {}, std::move(done)});
  finish_closings();
}

void Desk::ask_to_close(uint32_t number) {
  const auto [close_timer, first] = closing_.try_emplace(number, loop_);
  if (!first) return;
  notify_application(*windows().find(number), "close");
  close_timer->second.start(close_ms_, 0, [this, number] { force(number); });
}

void Desk::mark_forced(uint32_t number) {
  for (Closing& closing : closings_) {
    if (closing.left.contains(number)) closing.forced.push_back(number);
  }
}

void Desk::refuse_return(const Window& window) {
  for (const WindowStream& stream : streams_of(window)) refused_.push_back(stream.secret);
  while (refused_.size() > kMostRefusedStreams) refused_.pop_front();
}

void Desk::force(uint32_t number) {
  const Window& window = *windows().find(number);
  std::set<uint64_t> owners;
  for (const WindowStream& stream : streams_of(window)) {
    if (stream.owner != 0) owners.insert(stream.owner);
  }
  mark_forced(number);
  refuse_return(window);
  remove(number);
  for (const uint64_t owner : owners) {
    peers_.service().end(owner, fmt::format("did not close window {} when asked", number));
  }
}

void Desk::remove(uint32_t number) {
  if (windows().find(number) == nullptr) return;
  const auto close_timer = closing_.extract(number);
  change([&](Arrangement& arrangement) {
    if (close_timer.empty() && !ending_) {
      arrangement.lose(number);
    } else {
      arrangement.remove(number);
    }
  });
  for (Closing& closing : closings_) closing.left.erase(number);
  finish_closings();
}

void Desk::remove_stream(uint32_t stream) {
  const Window& window = *windows().find_stream(stream);
  if (!window.parts.empty()) notify_application(window, "close");
  remove(window.number);
}

// A window stays while one of its ranks is connected, unless somebody closes it.
void Desk::lose_owner(uint32_t number, uint64_t owner, bool silent) {
  const Window& window = *windows().find(number);
  if (closes(number)) {
    if (silent) mark_forced(number);
    refuse_return(window);
    return remove(number);
  }
  if (window.parts.empty()) return remove(number);
  change(
      [&](Arrangement& arrangement) { arrangement.lose_parts(number, owner, std::time(nullptr)); });
  if (std::ranges::none_of(window.parts, &WindowPart::owner)) remove(number);
}

void Desk::owner_left(uint64_t owner, bool silent) {
  const int64_t now_ns = sail::steady_now_ns();
  director_.check_wall_clock(now_ns);
  const std::vector<uint32_t> numbers = windows().owned_by(owner);
  const bool closing =
      std::ranges::any_of(numbers, [this](uint32_t number) { return closes(number); });
  if (director_.waits_for_peers(now_ns) || (silent && !closing && director_.may_return(now_ns))) {
    absent_.emplace(owner, silent);
    return;
  }
  for (const uint32_t number : numbers) lose_owner(number, owner, silent);
}

const Window* Desk::resume(const sail::Resume& stream, uint64_t owner) {
  const Window* window = windows().find_stream(stream.routes.stream);
  if (window == nullptr) return nullptr;
  const uint32_t number = stream.routes.stream;
  const WindowPart* part = window->part(number);
  if ((part != nullptr ? part->secret : window->secret) != stream.secret) return nullptr;
  const uint64_t former = window->owner_of(number);
  if (former == owner) return nullptr;
  change([&](Arrangement& arrangement) { arrangement.set_owner(window->number, number, owner); });
  // A manager that was stalled may see the new session before the end of the old one.
  if (peers_.find(former) != nullptr && windows().owned_by(former).empty()) {
    peers_.service().end(former, "its application has reconnected");
  }
  return window;
}

bool Desk::is_refused(const sail::Resume& stream) const {
  return std::ranges::find(refused_, stream.secret) != refused_.end();
}

void Desk::finish_closings() {
  std::list<Closing> over;
  for (auto it = closings_.begin(); it != closings_.end();) {
    const auto closing = it++;
    if (closing->left.empty()) over.splice(over.end(), closings_, closing);
  }
  for (const Closing& closing : over) closing.done(closing.forced);
}

void Desk::close_all() {
  ending_ = true;
  for (const uint32_t number : windows().order()) {
    const Window& window = *windows().find(number);
    if (window.lost) {
      remove(number);
    } else {
      notify_application(window, "close");
    }
  }
}

}  // namespace manager
