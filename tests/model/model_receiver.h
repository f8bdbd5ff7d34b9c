// A receiver of the model: the product's LayoutGate, ReadyFrames and SwapSchedule, without pixels.
// Painting takes no time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "receiver/intake/ready_frames.h"
#include "receiver/layout_gate.h"
#include "receiver/swap_schedule.h"
#include "sail/core/base/geometry.h"

namespace model {

class ModelReceiver final : public receiver::LayoutGate::Screen {
 public:
  struct Handlers {
    std::function<void(uint32_t stream)> accept;
    std::function<void(uint32_t stream, const receiver::FrameKey&)> ready;
    std::function<void(uint32_t stream, const sail::FrameReport&)> report;
  };
  ModelReceiver(const sail::Rect& tile, const int64_t& now_ns, Handlers handlers)
      : tile_(tile), now_ns_(now_ns), handlers_(std::move(handlers)), gate_(*this) {}

  // --- senders
  // The connection is accepted when a layout names the stream.
  void open(uint32_t stream);
  void frame(uint32_t stream, const receiver::FrameKey& key);
  void show(uint32_t stream, const sail::FrameShow& show) { gate_.show(stream, show); }

  // --- the manager
  void connected() { gate_.manager_connected(); }
  void lose_manager() { gate_.manager_lost(); }
  void announce(const sail::Scene& scene);
  void go(const sail::Go& go) { gate_.go(go); }
  // What it tells a new manager. Epoch 0: it shows nothing.
  uint64_t newest_epoch() const;
  std::vector<uint32_t> shown_streams() const;

  // Paints and presents what is due.
  void present();
  // When the next swap is due; empty: none waits.
  std::optional<int64_t> next_ns();

  // --- the picture
  uint64_t shown_epoch() const { return shown_.epoch; }
  // The frame on the tile; empty: black, or no such window here.
  std::optional<uint64_t> seen(uint32_t stream) const;

 private:
  struct Seen {
    receiver::FrameKey key;
    sail::Rect columns;  // columns of the window whose blocks the frame has
  };
  std::optional<uint64_t> epoch_of(uint32_t stream) const override;
  bool is_behind(uint32_t stream) const override;
  void show_layout(std::shared_ptr<const sail::Scene> layout, int64_t at_ns,
                   const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) override;
  void show_frame(uint32_t stream, const sail::FrameShow& show) override;
  void skip(uint32_t stream, const sail::FrameShow& show) override;

  void paint(receiver::PlannedSwap& swap);
  void swap(receiver::PlannedSwap& swap);
  void report(const receiver::EndedFrame& ended);
  void drop(uint32_t stream, std::vector<receiver::DroppedFrame>& dropped);
  void lay_out(const sail::Scene& scene);
  bool set_frame(uint32_t stream, const receiver::FrameKey& key);
  sail::Rect visible(const sail::SceneWindow& window) const;

  const sail::Rect tile_;
  const int64_t& now_ns_;
  const Handlers handlers_;
  std::map<uint32_t, receiver::ReadyFrames> streams_;
  std::set<uint32_t> waiting_;  // connections that wait to be accepted
  receiver::LayoutGate gate_;
  receiver::SwapSchedule schedule_;
  std::shared_ptr<const sail::Scene> layout_;  // decided last
  sail::Scene shown_;                          // on the tile
  std::map<uint32_t, Seen> seen_;
};

}  // namespace model
