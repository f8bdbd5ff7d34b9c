// Sends layouts and frames to the main thread as swaps, and reports the outcome to the streams.
// Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "receiver/intake/data_plane.h"
#include "receiver/jobs.h"
#include "receiver/layout_gate.h"

namespace receiver {

class Presenter final : public LayoutGate::Screen {
 public:
  // `jobs` passes work to the main thread. `to_steady_ns` converts presentation times.
  Presenter(DataPlane& data, std::function<void(Job)> jobs,
            std::function<int64_t(int64_t wall_ns)> to_steady_ns);

  // Sets the tiles that may fade.
  void set_tiles(const std::vector<sail::TileInfo>& tiles);
  std::optional<uint64_t> epoch_of(uint32_t stream) const override;
  bool is_behind(uint32_t stream) const override;
  void show_layout(std::shared_ptr<const sail::Scene> layout, int64_t at_ns,
                   const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) override;
  void show_frame(uint32_t stream, const sail::FrameShow& show) override;
  void skip(uint32_t stream, const sail::FrameShow& show) override;
  // Shows the frame at once: its time has come.
  void show_late(std::unique_ptr<Frame> frame);

  // Returns the layout shown last: on screen, or in the queue to the main thread. Null: none.
  const sail::Scene* layout() const { return layout_.get(); }

  // Returns the number of fades that have begun.
  uint64_t fades() const { return fades_; }

  void on_swapped(Swapped swapped);
  // The main thread never received this swap: drops its frames.
  void on_lost(Swap swap);

 private:
  DataPlane& data_;
  const std::function<void(Job)> jobs_;
  const std::function<int64_t(int64_t wall_ns)> to_steady_ns_;
  std::shared_ptr<const sail::Scene> layout_;
  bool layout_lost_ = false;  // the main thread never received it: send it with the next swap
  size_t fade_bytes_ = 0;     // memory for a fade of all tiles
  uint64_t fade_epoch_ = 0;   // layout of a fade that has not begun on screen; 0: none
  uint64_t fades_ = 0;
};

}  // namespace receiver
