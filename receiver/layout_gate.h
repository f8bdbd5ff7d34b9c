// Decides when a layout that the manager announced is shown, and which layout a frame belongs to.
// Pure.
//
// The scene describes the layout; `go` tells when to show it. Senders request their frames on other
// connections, so a request may arrive before the scene or the `go` of its layout, or after the
// `go` of the next layout.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

class LayoutGate {
 public:
  // Carries out the gate's decisions.
  class Screen {
   public:
    virtual ~Screen() = default;
    // Returns the epoch of the stream's layout that was shown last. Empty optional: no such stream.
    virtual std::optional<uint64_t> epoch_of(uint32_t stream) const = 0;
    // Returns true if the stream's sender may not know that layout: frames that it shows by former
    // layouts are shown.
    virtual bool is_behind(uint32_t stream) const = 0;
    // Shows the layout from this wall time on, with these frames. asked_by: the stream whose sender
    // asked for the layout; the other senders may not know it. 0: the manager decided.
    virtual void show_layout(std::shared_ptr<const sail::Scene> layout, int64_t at_ns,
                             const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) = 0;
    // Shows the frame at its presentation time, or drops it if it has none.
    virtual void show_frame(uint32_t stream, const sail::FrameShow& show) = 0;
    // Drops the frame and older ones of its epoch: their layout will not be shown.
    virtual void skip(uint32_t stream, const sail::FrameShow& show) = 0;
  };
  explicit LayoutGate(Screen& screen) : screen_(screen) {}

  // A manager is connected, which may be another one than before.
  void manager_connected();
  void manager_lost();
  // The manager announced a layout.
  void announce(sail::Scene layout);
  void go(const sail::Go& go);
  // The sender asks to show a frame of its stream.
  void show(uint32_t stream, const sail::FrameShow& show);

  // Returns the layout announced last.
  const sail::Scene& announced() const { return announced_; }

 private:
  void show_layout(sail::Scene layout, int64_t at_ns, const std::vector<sail::Go::Frame>& frames,
                   uint32_t asked_by);
  bool shows_superseded(uint64_t epoch) const;
  void keep_early(uint32_t stream, const sail::FrameShow& show);
  void show_early_frames();

  Screen& screen_;
  bool managed_ = false;  // a manager is connected
  sail::Scene announced_;
  bool pending_ = false;              // that layout is not shown yet
  bool from_former_manager_ = false;  // that layout is from an earlier connection to a manager
  // A former manager's layout that was pending when the present manager announced its first one. A
  // sender may know that the former manager had decided to show it.
  std::optional<sail::Scene> superseded_;
  // Requests to show frames whose layout is not shown or not announced yet, by stream, in order.
  // All are kept, because a receiver that gets the layout earlier shows all of them.
  std::map<uint32_t, std::deque<sail::FrameShow>> early_;
  int64_t shown_at_ns_ = 0;  // presentation time of the layout shown last, in wall time
};

}  // namespace receiver
