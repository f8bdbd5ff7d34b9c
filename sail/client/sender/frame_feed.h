// Sends the newest frame to each receiver of a stream, according to the routing map that frames
// follow. Loop thread.
//
// One rule serves continuous frames, receivers that join late or return, and layout changes: the
// newest frame is sent on each connection that has room, unless this connection has already carried
// it according to the current map. So the last frame is sent again after the map has changed. A
// frame that is being sent is always finished first, according to the map with which it was begun.
//
// If a link carries less than half of the frames, its pictures get smaller, and later larger again
// if the link may carry more.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/sender/route_history.h"
#include "sail/client/sender/stream_links.h"
#include "sail/client/sender/stream_multicast.h"
#include "sail/client/sender/stream_swaps.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/client/sync/stream_pace.h"
#include "sail/core/base/frame_trace.h"

namespace sail {

class FrameFeed {
 public:
  // The objects that the feed works with; they must outlive it.
  struct Parts {
    StreamLinks& links;
    const StreamMulticast& multicast;
    const RouteHistory& routes;
    StreamSwaps& swaps;
    FrameLedger& ledger;
    const StreamPace& pace;
    const WallClock& clock;
    const Log& log;
    FrameTrace* trace = nullptr;  // null: no trace
  };
  explicit FrameFeed(const Parts& parts);

  // The last frame; empty before the first.
  const FrameRef& newest() const { return newest_; }
  uint64_t newest_number() const { return newest_ ? newest_->number() : 0; }
  void set_newest(FrameRef frame) { newest_ = std::move(frame); }

  // Sends all frames and messages that are due now: serve_all() to all receivers, serve() to one.
  void serve_all();
  void serve(StreamLink& link);
  // Closes a link that is no longer needed.
  void close(StreamLink& link);
  // Updates the links' picture sizes depending on whether the newest frame was sent to them in
  // time. Returns true if a size has changed.
  bool adapt_sizes();

  uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  // Returns true if the receiver's part of the newest frame is still to be sent, and may be sent
  // now.
  bool is_due(const StreamLink& link);
  // Returns true if the receiver lacks the newest frame, and can take it now.
  bool takes_newest(const StreamLink& link) const;
  // Returns true if the multicast group sends the newest frame: all of its members get it, or none.
  bool goes_by_group() const;
  // Returns true if the newest frame must be sent: not before it is known to have changed, and not
  // if the wall already shows its picture.
  bool must_send_newest();
  // Decides this for one recorder.
  bool must_send_to(const StreamLink& recorder) const;
  bool is_on_wall(const EncodedFrame& frame) const;
  // Over UDP: returns true while a link is still sending an earlier frame and the newest frame has
  // not been sent on any link. A frame is sent to all receivers or to none, because only frames
  // that all receivers have are shown.
  bool waits_for_busy_link() const;
  bool is_of_next_map(const StreamLink& link) const;
  OutgoingFrame newest_for(const StreamLink& link, bool by_group) const;

  const Parts parts_;
  FrameRef newest_;
  uint64_t bytes_sent_ = 0;
};

}  // namespace sail
