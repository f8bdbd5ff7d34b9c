#include "tests/model/wall_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace model {
namespace {

constexpr int64_t kHealedNs = 3 * kFrameNs;  // a layout without a manager: two frames at most

}  // namespace

WallWatch::WallWatch(const ModelWall& wall)
    : wall_(wall), late_(wall.nodes(), std::vector<bool>(wall.senders(), false)) {}

void WallWatch::killed(size_t process, bool whole) {
  if (process == 0) manager_died_ns_ = wall_.network().now_ns;
  if (wall_.is_node(process)) late_[process - 1].assign(wall_.senders(), false);
  if (wall_.is_sender(process) && !whole) sender_died_writing_ = true;
}

uint64_t WallWatch::state() const {
  uint64_t hash = 0;
  for (const auto& of_node : late_) {
    for (const bool late : of_node) hash = mix(hash, late ? 1U : 0U);
  }
  return hash;
}

// --- allowances ---------------------------------------------------------------------------------

// A decision about a frame that is delayed itself does not count: it should not have been made.
bool WallWatch::decision_is_late(size_t number) const {
  const Line& line = wall_.network().line(number);
  std::set<uint64_t> delayed;
  for (const Message& message : line.messages) {
    const std::string_view what = message.what;
    if (what == "frame") delayed.insert(message.frame);
    if (what == "go" || (what == "show" && !delayed.contains(message.frame))) return line.held;
  }
  return false;
}

// Decisions about frames wait for the scene of their layout.
bool WallWatch::scene_is_late(size_t number) const {
  const Line& line = wall_.network().line(number);
  return line.held && std::ranges::any_of(line.messages, [](const Message& message) {
           return std::string_view(message.what) == "scene";
         });
}

// It shows what the others show as soon as the messages arrive.
bool WallWatch::is_delayed(size_t node, size_t sender) const {
  const bool late = scene_is_late(wall_.node_line(node)) ||
                    decision_is_late(wall_.node_line(node)) ||
                    decision_is_late(wall_.stream_line(sender, node));
  return excuses(Allowance::kStoppedReceiver, wall_.node(node).process.stopped) ||
         excuses(Allowance::kLateMessage, late);
}

// It may differ until it has caught up.
bool WallWatch::is_left_out(size_t number, size_t sender_number) const {
  const ModelNode& node = wall_.node(number);
  const ModelSender& sender = wall_.sender(sender_number);
  const bool managed = node.known == node.session && node.laid_out == node.session;
  const bool cut = (wall_.manager().process.up && !managed) || sender.is_cut_from(number);
  return excuses(Allowance::kCutReceiver, cut) ||
         excuses(Allowance::kLeftBehind, sender.leaves_behind(number)) ||
         excuses(Allowance::kDyingSender, sender_died_writing_ && !sender.process.up);
}

// --- the tiles ----------------------------------------------------------------------------------

// The first difference between two tiles. with_late: of those that may differ, too.
std::optional<std::string> WallWatch::difference(bool with_late) const {
  std::optional<int64_t> instant;
  for (size_t s = 0; s < wall_.senders(); ++s) {
    const ModelSender& sender = wall_.sender(s);
    std::optional<uint64_t> seen;
    for (size_t n = 0; n < wall_.nodes(); ++n) {
      const ModelNode& node = wall_.node(n);
      if (!node.process.up || (may_differ(n, s) && !with_late)) continue;
      const auto frame = node.receiver->seen(sender.stream());
      if (!frame) continue;
      if (seen && *seen != *frame) {
        return fmt::format("stream {} shows frames {} and {}", s + 1, *seen, *frame);
      }
      seen = frame;
    }
    if (!wall_.scenario().grouped || !seen || !sender.process.up) continue;
    const int64_t present_ns = sender.present_ns(*seen);
    if (instant && *instant != present_ns) return "the group shows frames of two instants";
    instant = present_ns;
  }
  return std::nullopt;
}

std::string WallWatch::look() {
  for (size_t n = 0; n < wall_.nodes(); ++n) {
    for (size_t s = 0; s < wall_.senders(); ++s) {
      if (wall_.node(n).process.up && is_left_out(n, s)) late_[n][s] = true;
    }
  }
  for (size_t s = 0; s < wall_.senders(); ++s) {
    if (wall_.sender(s).hurried()) return "a layout is announced before frames are reported";
  }
  const auto mixed = difference(false);
  std::string violation = mixed ? "mixed frame: " + *mixed : half_layout();
  // All have caught up once they show the same frames by the same layout.
  if (difference(true) || layouts_differ()) return violation;
  for (size_t n = 0; n < wall_.nodes(); ++n) {
    for (size_t s = 0; s < wall_.senders(); ++s) {
      if (!is_left_out(n, s)) late_[n][s] = false;
    }
  }
  return violation;
}

bool WallWatch::layouts_differ() const {
  std::set<uint64_t> epochs;
  for (size_t n = 0; n < wall_.nodes(); ++n) {
    const ModelNode& node = wall_.node(n);
    if (node.process.up) epochs.insert(node.receiver->shown_epoch());
  }
  epochs.erase(0);
  return epochs.size() > 1;
}

std::string WallWatch::half_layout() const {
  if (wall_.network().now_ns - manager_died_ns_ <= kHealedNs && manager_died_ns_ != 0) return "";
  std::optional<uint64_t> epoch;
  for (size_t n = 0; n < wall_.nodes(); ++n) {
    const ModelNode& node = wall_.node(n);
    if (!node.process.up || node.receiver->shown_epoch() == 0) continue;
    bool may = false;
    for (size_t s = 0; s < wall_.senders(); ++s) may = may || may_differ(n, s);
    if (may) continue;
    if (epoch && *epoch != node.receiver->shown_epoch()) {
      return fmt::format("layout half: tiles show the layouts {} and {}", *epoch,
                         node.receiver->shown_epoch());
    }
    epoch = node.receiver->shown_epoch();
  }
  return "";
}

// --- the end ------------------------------------------------------------------------------------

// Whether a window of the sender is on the node's tile.
bool WallWatch::is_seen(size_t node, const ModelSender& sender) const {
  const manager::Window* window = wall_.manager().window(sender.stream());
  return window != nullptr &&
         !sail::intersect(window->wall_rect, wall_.tiles().tiles[node].wall_rect).empty();
}

std::string WallWatch::unwell() const {
  const ModelManager& manager = wall_.manager();
  if (!manager.settled()) return "a layout is not finished";
  for (size_t n = 0; n < wall_.nodes(); ++n) {
    const ModelNode& node = wall_.node(n);
    if (node.receiver->shown_epoch() != manager.epoch()) {
      return fmt::format("{} shows layout {} instead of {}", node.process.name,
                         node.receiver->shown_epoch(), manager.epoch());
    }
    for (size_t s = 0; s < wall_.senders(); ++s) {
      const ModelSender& sender = wall_.sender(s);
      if (!sender.process.up || !is_seen(n, sender)) continue;
      const auto seen = node.receiver->seen(sender.stream());
      if (!seen || *seen + 2 < sender.newest()) {
        return fmt::format("{} does not get the frames of stream {}", node.process.name,
                           sender.stream());
      }
    }
  }
  return difference(true).value_or("");
}

std::string WallWatch::pictures() const {
  std::string text;
  for (size_t n = 0; n < wall_.nodes(); ++n) {
    const ModelNode& node = wall_.node(n);
    text += node.process.name + " ";
    if (!node.process.up) {
      text += "is dead; ";
      continue;
    }
    text += fmt::format("layout {}", node.receiver->shown_epoch());
    for (size_t s = 0; s < wall_.senders(); ++s) {
      const auto seen = node.receiver->seen(wall_.sender(s).stream());
      text += seen ? fmt::format(", frame {}", *seen) : ", black";
    }
    text += "; ";
  }
  return text;
}

}  // namespace model
