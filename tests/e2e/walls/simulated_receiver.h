// A receiver in simulated time with the rules of LayoutGate, ReadyFrames, SwapSchedule and
// Composition; painting takes no time. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/receiver_messages.h"
#include "tests/e2e/walls/simulated_time.h"

namespace test {

using Key = std::pair<uint64_t, uint64_t>;  // frame, epoch

class Receiver {
 public:
  using Report = std::function<void(uint32_t stream, const sail::FrameReport&)>;
  using Ready = std::function<void(uint32_t stream, const Key&)>;
  // process: while the process is stopped, due work waits until look().
  Receiver(Time& time, const Process& process, const sail::Rect& tile, Ready ready, Report report)
      : time_(time),
        process_(process),
        tile_(tile),
        ready_(std::move(ready)),
        report_(std::move(report)) {}

  // --- its senders
  // Their connections wait for a scene that names them.
  bool knows(uint32_t number) const {
    return window_of(told_, number) || streams_.contains(number);
  }
  void frame(uint32_t number, const Key& key) {
    Stream& stream = streams_[number];
    const bool awaited = key == stream.gone && std::exchange(stream.gone_is_away, false);
    if (!awaited && !of_use(stream, key)) return drop(number, key);
    ready_(number, key);
    if (!awaited) return static_cast<void>(stream.whole.insert(key));
    swaps_.push_back(std::make_shared<Swap>(Swap{time_.now_ns, {}, {{number, key}}}));
    present();
  }
  void show(uint32_t number, const sail::FrameShow& show) {
    const uint64_t epoch = streams_[number].epoch;
    const bool former =
        show.epoch < epoch && (show.at_ns < layout_at_ns_ || streams_[number].behind);
    if (former || show.epoch == epoch) return show_frame(number, show);
    if (show.epoch < epoch) return;
    if (show.at_ns == 0 && !early_.contains(number)) {
      return leave_out(number, {show.frame, show.epoch});
    }
    if (superseded_ && show.epoch <= superseded_->epoch) {
      show_scene(*superseded_, show.at_ns, {{number, show.frame, show.epoch}}, number);
      return superseded_.reset();
    }
    const bool announced = show.epoch <= told_.epoch;
    if (announced && !pending_) return;
    if (!announced || (managed_ && !of_former_)) {
      early_[number].push_back(show);
    } else {
      pending_ = false;
      show_scene(told_, show.at_ns, {{number, show.frame, show.epoch}}, number);
    }
  }

  // Drops all frames that are not shown yet, as at the end of their connection.
  void forget(uint32_t number) { streams_[number].whole.clear(); }
  void look() { present(); }

  // --- its manager
  void met() {
    managed_ = true;
    of_former_ = true;
  }
  void lost_manager() {
    managed_ = false;
    show_early();
  }
  void scene(const sail::Scene& scene) {
    if (pending_ && of_former_) superseded_ = told_;
    told_ = scene;
    pending_ = true;
    of_former_ = false;
  }
  void go(const sail::Go& go) {
    if (!pending_ || of_former_ || told_.epoch != go.scene_epoch) return;
    pending_ = false;
    superseded_.reset();
    show_scene(told_, go.at_ns, go.frames);
    show_early();
  }
  const sail::Scene& current() const { return current_; }
  // The newest epoch that this receiver knows; no other layout may use it. 0: shows nothing.
  uint64_t newest_epoch() const {
    return current_.epoch == 0 ? 0 : std::max(current_.epoch, told_.epoch);
  }

  // --- the picture
  uint64_t frames_shown = 0;  // a frame that a layout shows again counts once
  const sail::Scene& scene() const { return shown_; }
  // The frame of the window on this receiver's tile. Empty: none, or black.
  std::optional<uint64_t> seen(uint32_t number) const {
    const auto it = seen_.find(number);
    if (it == seen_.end() || it->second.columns.empty()) return std::nullopt;
    return it->second.key.first;
  }

 private:
  struct Stream {
    uint64_t epoch = 0;
    uint64_t former = 0;
    Key gone;
    Key left_out;               // drops this frame and older ones of its epoch
    bool gone_is_away = false;  // frame `gone` is missing: show it on arrival
    bool behind = false;        // its sender may not know the current layout
    std::set<Key> whole;
  };
  struct Swap {
    int64_t at_ns = 0;
    std::optional<sail::Scene> scene;
    std::vector<std::pair<uint32_t, Key>> frames;
  };
  struct Seen {
    Key key;
    sail::Rect columns;  // columns of its frame that are shown and not stale
  };

  static const sail::SceneWindow* window_of(const sail::Scene& scene, uint32_t number) {
    const auto it = std::ranges::find(scene.windows, number, &sail::SceneWindow::window);
    return it == scene.windows.end() ? nullptr : &*it;
  }
  void drop(uint32_t number, const Key& key) {
    const bool old = key.second < streams_[number].epoch;
    report_(number, {.frame = key.first,
                     .epoch = key.second,
                     .outcome = sail::FrameOutcome::kDropped,
                     .cause = old ? sail::DropCause::kOldEpoch : sail::DropCause::kSuperseded});
  }
  static bool of_use(const Stream& stream, const Key& key) {
    const bool left_out = key.second == stream.left_out.second && key <= stream.left_out;
    return key.second >= stream.former && key > stream.gone && !left_out;
  }
  // Drops the frame of a cancelled layout.
  void leave_out(uint32_t number, const Key& key) {
    streams_[number].left_out = key;
    drop_useless(number);
  }
  void drop_useless(uint32_t number) {
    Stream& stream = streams_[number];
    std::erase_if(stream.whole, [&](const Key& key) {
      if (of_use(stream, key)) return false;
      drop(number, key);
      return true;
    });
  }
  // asked_by: the stream whose sender asked for the layout; 0: the manager did.
  void show_scene(const sail::Scene& scene, int64_t at_ns,
                  const std::vector<sail::Go::Frame>& frames, uint32_t asked_by = 0) {
    current_ = scene;
    layout_at_ns_ = at_ns;
    for (const sail::SceneWindow& window : scene.windows) {
      Stream& stream = streams_[window.window];
      const bool known = asked_by == 0 || asked_by == window.window;
      stream.behind = !known && stream.epoch != 0 && stream.epoch < window.epoch;
      if (stream.epoch == window.epoch) continue;
      stream.former = stream.epoch == 0 ? window.epoch : std::min(stream.epoch, window.epoch);
      stream.epoch = window.epoch;
      drop_useless(window.window);
    }
    auto swap = std::make_shared<Swap>(Swap{at_ns, scene, {}});
    for (const auto& named : frames) take(named.stream, {named.frame, named.epoch}, *swap);
    // Moves frames that belong after this layout behind it.
    const auto former = std::ranges::find_if(swaps_.rbegin(), swaps_.rend(), [](const auto& one) {
                          return one->scene.has_value();
                        }).base();
    const auto later = std::stable_partition(
        former, swaps_.end(), [&](const auto& one) { return one->at_ns <= swap->at_ns; });
    if (asked_by == 0) {
      for (auto one = later; one != swaps_.end(); ++one) leave_out_former(**one, scene);
    }
    swaps_.insert(later, swap);
    time_.at(at_ns, [this] { present(); });
  }
  void leave_out_former(Swap& swap, const sail::Scene& scene) {
    std::erase_if(swap.frames, [&](const auto& one) {
      const sail::SceneWindow* window = window_of(scene, one.first);
      if (window == nullptr || one.second.second >= window->epoch) return false;
      drop(one.first, one.second);
      return true;
    });
  }
  void show_early() {
    for (const auto& [number, shows] : std::exchange(early_, {})) {
      for (const sail::FrameShow& show : shows) this->show(number, show);
    }
  }
  void show_frame(uint32_t number, const sail::FrameShow& show) {
    const Key key{show.frame, show.epoch};
    if (show.at_ns == 0 && streams_[number].behind && show.epoch == streams_[number].epoch) {
      return leave_out(number, key);
    }
    auto swap = std::make_shared<Swap>(Swap{show.at_ns, {}, {}});
    take(number, key, *swap);
    if (show.at_ns == 0) {
      streams_[number].gone_is_away = false;
      for (const auto& [stream, dropped] : swap->frames) drop(stream, dropped);
      return;
    }
    if (swap->frames.empty()) return;
    swaps_.push_back(swap);
    time_.at(swap->at_ns, [this] { present(); });
  }
  void take(uint32_t number, const Key& key, Swap& swap) {
    Stream& stream = streams_[number];
    if (key.second == stream.epoch && swap.at_ns != 0 && std::exchange(stream.behind, false)) {
      stream.former = stream.epoch;
      drop_useless(number);
    }
    if (key <= stream.gone || key.second < stream.former) return;
    stream.gone_is_away = stream.whole.erase(key) == 0;
    if (!stream.gone_is_away) swap.frames.emplace_back(number, key);
    stream.gone = key;
    drop_useless(number);
  }
  static bool conflict(const Swap& earlier, const Swap& later) {
    if (earlier.scene || later.scene) return true;
    return std::ranges::any_of(later.frames, [&](const auto& frame) {
      return std::ranges::any_of(earlier.frames,
                                 [&](const auto& one) { return one.first == frame.first; });
    });
  }
  // Shows the swaps that are due, each after its predecessors.
  void present() {
    if (process_.stopped()) return;
    for (size_t i = 0; i < swaps_.size();) {
      const auto swap = swaps_[i];
      const bool waits =
          std::any_of(swaps_.begin(), swaps_.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const auto& earlier) { return conflict(*earlier, *swap); });
      if (swap->at_ns > time_.now_ns || waits) {
        ++i;
        continue;
      }
      swaps_.erase(swaps_.begin() + static_cast<std::ptrdiff_t>(i));
      if (swap->scene) lay_out(*swap->scene);
      for (const auto& [number, key] : swap->frames) set_frame(number, key);
      if (swap->scene && swap->scene->epoch == current_.epoch) end_former_epochs();
      i = 0;
    }
  }
  void end_former_epochs() {
    for (auto& [number, stream] : streams_) {
      if (stream.behind) continue;
      stream.former = stream.epoch;
      drop_useless(number);
    }
  }
  // Returns the visible columns of the frame; the frame is as wide as the window.
  sail::Rect visible(const sail::SceneWindow& window) const {
    sail::Rect seen = sail::intersect(window.wall_rect, tile_);
    seen.x -= window.wall_rect.x;
    seen.y -= window.wall_rect.y;
    return seen;
  }
  void lay_out(const sail::Scene& scene) {
    shown_ = scene;
    std::erase_if(seen_, [&](const auto& one) { return window_of(scene, one.first) == nullptr; });
    for (auto& [number, seen] : seen_) {
      const sail::SceneWindow& window = *window_of(scene, number);
      const bool fresh = seen.key.second >= window.epoch;
      seen.columns = fresh ? visible(window) : sail::intersect(seen.columns, visible(window));
    }
  }
  void set_frame(uint32_t number, const Key& key) {
    const sail::SceneWindow* window = window_of(shown_, number);
    const bool hidden = window == nullptr || visible(*window).empty();
    report_(number, {.frame = key.first,
                     .epoch = key.second,
                     .outcome = hidden ? sail::FrameOutcome::kDropped : sail::FrameOutcome::kShown,
                     .cause = hidden                                ? sail::DropCause::kHidden
                              : key.second < streams_[number].epoch ? sail::DropCause::kOldEpoch
                                                                    : sail::DropCause::kNone,
                     .swapped_ns = hidden ? 0 : time_.now_ns});
    if (window == nullptr) return;
    if (key.first > std::exchange(newest_[number], std::max(newest_[number], key.first))) {
      ++frames_shown;
    }
    Seen& seen = seen_[number];
    seen.key = key;
    if (key.second >= window->epoch) seen.columns = visible(*window);
  }

  Time& time_;
  const Process& process_;
  const sail::Rect tile_;
  const Ready ready_;
  const Report report_;
  std::map<uint32_t, Stream> streams_;
  std::map<uint32_t, std::vector<sail::FrameShow>> early_;
  sail::Scene told_;
  std::optional<sail::Scene> superseded_;  // the former manager's, not shown
  sail::Scene current_;
  sail::Scene shown_;
  int64_t layout_at_ns_ = 0;
  bool pending_ = false;
  bool managed_ = false;
  bool of_former_ = false;  // the newest layout is from a former manager
  std::vector<std::shared_ptr<Swap>> swaps_;
  std::map<uint32_t, Seen> seen_;
  std::map<uint32_t, uint64_t> newest_;  // frame that was shown, by stream
};

}  // namespace test
