// A region of the near wall as one window of the far wall: a display in memory whose pictures are
// the frames of a stream, with the sound of its windows. Unlike whole windows, a region is decoded,
// painted and encoded again.
//
// Thread: as WindowSystem.
#pragma once

#include <sail/sail.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "receiver/display/window_system.h"
#include "receiver/sound/sound_mixer.h"
#include "sail/core/base/log.h"
#include "ui/bridge/far_wall.h"
#include "ui/bridge/region_input.h"
#include "ui/bridge/wish.h"

namespace ui {

class RegionWindow final : public receiver::WindowSystem {
 public:
  struct Options {
    std::string at;     // the far wall's address
    std::string title;  // of the window
    std::string codec;  // as in sail_stream_options; empty: libsail's default
    bool takes_input = false;
  };
  // on_wish is called on the thread of pump(). session, input, sound and log must outlive this
  // object.
  RegionWindow(sail::Session& session, Options options, RegionInput& input,
               receiver::SoundFeed& sound, std::function<void(Wish)> on_wish, const sail::Log& log);

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  receiver::Canvas canvas(size_t tile) override { return display_->canvas(tile); }
  void present(size_t tile, std::span<const sail::Rect> damage) override;
  receiver::Canvas panel(size_t tile) override { return display_->panel(tile); }
  // Returns kQuit if people have closed the window on the far wall.
  receiver::Display::Request pump() override;
  int64_t pump_every_ns() const override;

  // Pictures: `received` is what the near wall has shown.
  const BridgeCounts& counts() const { return counts_; }

 private:
  void take(const sail_event& event);
  void open_stream();
  void submit(bool again);
  void pass(std::vector<Wish> wishes);
  void pass_sound();
  void report_late_sound(int64_t now_ns);

  sail::Session& session_;
  const Options options_;
  RegionInput& input_;
  receiver::SoundFeed& sound_;
  const std::function<void(Wish)> on_wish_;
  const sail::Log& log_;
  std::unique_ptr<receiver::WindowSystem> display_;
  sail::Size size_;  // empty: not opened
  sail::Rect wall_rect_;
  sail::Stream far_;
  sail::Size far_size_;
  int64_t open_after_ns_ = 0;
  std::string trouble_;
  bool closed_ = false;
  int64_t heard_until_ns_ = 0;  // steady time; 0: no sound was read yet
  std::vector<float> samples_;  // kept for its capacity
  int64_t check_sound_at_ns_ = 0;
  uint64_t late_sound_ = 0;  // pieces, at the last check
  BridgeCounts counts_;
  bool waits_ = false;  // the newest picture came before the far window was open
};

}  // namespace ui
