// A receiver in simulated time. One thread.
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

#include "sail/wire/control_messages.h"
#include "sail/wire/data_messages.h"
#include "tests/e2e/simulated_time.h"

namespace test {

using Key = std::pair<uint64_t, uint64_t>;  // epoch, frame

// As Intake, FrameQueue and SwapSchedule have it; painting takes no time.
class Receiver {
 public:
  using Report = std::function<void(uint32_t stream, const sail::FrameReport&)>;
  using Ready = std::function<void(uint32_t stream, const Key&)>;
  Receiver(Time& time, Ready ready, Report report)
      : time_(time), ready_(std::move(ready)), report_(std::move(report)) {}

  // What comes until then, and what is due, waits.
  void stand_still(int64_t until_ns) { still_until_ns_ = until_ns; }
  bool stands_still() const { return time_.now_ns < still_until_ns_; }
  // Now, or as soon as it does not stand still.
  void when_it_goes(std::function<void()> act) {
    stands_still() ? time_.at(still_until_ns_, std::move(act)) : act();
  }
  // All frames that it has not shown are forgotten, as when their connection ends.
  void forget(uint32_t number) { streams_[number].whole.clear(); }

  void frame(uint32_t number, const Key& key) {
    Stream& stream = streams_[number];
    if (key.first < stream.epoch || key <= stream.gone) return drop(number, key);
    stream.whole.insert(key);
    ready_(number, key);
  }
  void scene(const sail::Scene& scene) {
    told_ = scene;
    pending_ = true;
  }
  void go(const sail::Go& go) {
    if (!pending_ || told_.epoch != go.scene_epoch) return;
    pending_ = false;
    for (const sail::SceneWindow& window : told_.windows) {
      Stream& stream = streams_[window.window];
      stream.epoch = window.epoch;
      drop_before(window.window, {window.epoch, 0});
    }
    auto swap = std::make_shared<Swap>(Swap{go.at_ns, told_, {}});
    for (const auto& named : go.frames) take(named.stream, {named.epoch, named.frame}, *swap);
    auto place = swaps_.end();
    while (place != swaps_.begin()) {
      const Swap& earlier = **std::prev(place);
      if (earlier.scene || earlier.at_ns <= swap->at_ns) break;
      --place;
    }
    swaps_.insert(place, swap);
    time_.at(swap->at_ns, [this] { present(); });
    for (const auto& [number, shows] : std::exchange(early_, {})) {
      for (const sail::FrameShow& show : shows) this->show(number, show);
    }
  }
  void show(uint32_t number, const sail::FrameShow& show) {
    Stream& stream = streams_[number];
    const Key key{show.epoch, show.frame};
    if (show.epoch < stream.epoch) return;
    if (show.epoch > stream.epoch) {
      if (pending_ && show.epoch <= told_.epoch && show.at_ns != 0) early_[number].push_back(show);
      return;
    }
    if (show.at_ns == 0) {
      drop_before(number, {key.first, key.second + 1});
      stream.gone = std::max(stream.gone, key);
      return;
    }
    auto swap = std::make_shared<Swap>(Swap{show.at_ns, {}, {}});
    take(number, key, *swap);
    if (swap->frames.empty()) return;
    swaps_.push_back(swap);
    time_.at(swap->at_ns, [this] { present(); });
  }

  const sail::Scene& scene() const { return shown_; }
  std::map<uint32_t, uint64_t> seen;  // of each stream the frame
  uint64_t frames_shown = 0;

 private:
  struct Stream {
    uint64_t epoch = 0;
    Key gone;
    std::set<Key> whole;
  };
  struct Swap {
    int64_t at_ns = 0;
    std::optional<sail::Scene> scene;
    std::vector<std::pair<uint32_t, Key>> frames;
  };
  void drop(uint32_t number, const Key& key) {
    const bool old = key.first < streams_[number].epoch;
    report_(number, {.frame = key.second,
                     .epoch = key.first,
                     .outcome = sail::FrameOutcome::kDropped,
                     .cause = old ? sail::DropCause::kOldEpoch : sail::DropCause::kSuperseded});
  }
  void drop_before(uint32_t number, const Key& key) {
    std::set<Key>& whole = streams_[number].whole;
    while (!whole.empty() && *whole.begin() < key)
      drop(number, whole.extract(whole.begin()).value());
  }
  void take(uint32_t number, const Key& key, Swap& swap) {
    Stream& stream = streams_[number];
    if (key <= stream.gone || key.first < stream.epoch) return;
    stream.gone = key;
    drop_before(number, key);
    if (stream.whole.erase(key) > 0) swap.frames.emplace_back(number, key);
  }
  bool conflict(const Swap& earlier, const Swap& later) const {
    if (earlier.scene || later.scene) return true;
    return std::ranges::any_of(later.frames, [&](const auto& frame) {
      return std::ranges::any_of(earlier.frames,
                                 [&](const auto& one) { return one.first == frame.first; });
    });
  }
  // Those that are due, each after what it follows.
  void present() {
    if (stands_still()) return time_.at(still_until_ns_, [this] { present(); });
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
      if (swap->scene) shown_ = *swap->scene;
      for (const auto& [number, key] : swap->frames) {
        seen[number] = key.second;
        ++frames_shown;
        report_(number, {.frame = key.second,
                         .epoch = key.first,
                         .outcome = sail::FrameOutcome::kShown,
                         .swapped_ns = time_.now_ns});
      }
      i = 0;
    }
  }

  Time& time_;
  int64_t still_until_ns_ = 0;
  const Ready ready_;
  const Report report_;
  std::map<uint32_t, Stream> streams_;
  std::map<uint32_t, std::vector<sail::FrameShow>> early_;
  sail::Scene told_;
  sail::Scene shown_;
  bool pending_ = false;
  std::vector<std::shared_ptr<Swap>> swaps_;
};

}  // namespace test
