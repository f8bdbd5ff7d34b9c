// One receiver of a stream: its connection, the last frame sent to it, and its troubles. Stays for
// some time after the receiver has left the map, while it still owes reports. Loop thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/encode/picture_step.h"
#include "sail/client/sync/stream_pace.h"
#include "sail/client/transport/receiver_connection.h"
#include "sail/client/transport/route_plan.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/wire/stats.h"

namespace sail {

struct StreamLink {
  std::unique_ptr<ReceiverConnection> connection;
  std::shared_ptr<const ReceiverPlan> plan;  // null: left the map
  PictureStep step;
  uint64_t sent_frame = 0;  // last frame sent to the receiver
  uint64_t sent_epoch = 0;
  uint64_t sent_picture = 0;
  // Steady time when that frame was begun; 0: completely sent or not traced.
  int64_t begun_ns = 0;
  bool on_wall = false;            // that frame is shown
  bool lost = false;               // that frame was not received completely
  bool undecoded = false;          // that frame could not be decoded
  bool unreachable = false;        // nothing reaches the receiver's machine
  int64_t behind_since_ns = 0;     // since when the others continue without it; 0: they do not
  int64_t undecoded_since_ns = 0;  // since when no frame could be decoded; 0: the last one could
  bool trouble_reported = false;   // reported to users
  bool fallback_reported = false;
  int64_t left_at_ns = 0;
  // Recorders: a complete frame for which no show message was sent yet.
  FrameName held{};
  bool recorder = false;  // also set after a recorder has left the map
  // Of a recorder. The wall does not wait for recorders, so that its pace ignores their paths.
  std::optional<StreamPace> pace{};

  // The wall waits for this receiver.
  bool is_awaited() const { return plan != nullptr && !recorder; }
  // The wall waits for this receiver, and it takes frames.
  bool is_active() const { return is_awaited() && connection->accepted(); }
  uint32_t number() const { return connection->number(); }
  // Time from a frame's submission until this receiver must have it ready.
  int64_t delay_ns(const StreamPace& wall) const;
  // The stream's multicast group sends the frames.
  bool in_group() const;
  bool leads_to(const ReceiverPlan& receiver) const;

  // Called for a new session: its receiver has no frames.
  void forget_sent();
  // This frame is begun, according to the map of this epoch.
  void note_begun(const EncodedFrame& frame, uint64_t epoch);
  void note_report(const FrameReport& report);
  // The receiver has decoded a frame, and is not behind.
  void note_ready();
  // Adds a trace entry if the frame has been completely sent.
  void note_sent(FrameTrace* trace);

  // A receiver without which the others have continued for a long time, or that has decoded nothing
  // for as long, is in trouble, too.
  ReceiverConnection::Trouble trouble(int64_t now_ns) const;
  // Returns a report for users, once: a trouble has lasted or ended, or the transport has changed.
  // behind: the others continue without this receiver.
  std::optional<LinkStats> take_trouble(int64_t now_ns, bool behind);
  // Returns figures for the manager.
  LinkStats stats(int64_t now_ns) const;
};

}  // namespace sail
