// The receivers of a stream. Connects to those of a map, keeps those that left the map until their
// last reports have arrived, and computes the limits of all links together. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sail/client/sender/stream_link.h"
#include "sail/client/sync/stream_pace.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"

namespace sail {

class StreamLinks {
 public:
  // host: for the connections; see ReceiverConnection. max_reduction: maximum
  // number of halvings of pictures. loop, host, clock and log must outlive this object.
  StreamLinks(Loop& loop, ReceiverConnection::Host& host, const WallClock& clock, const Log& log,
              int max_reduction);

  // Connections made from now on belong to this stream.
  void open(uint32_t stream, const StreamOpen& open);
  uint32_t stream() const { return stream_; }
  uint64_t secret() const { return open_.secret; }
  bool by_packets() const { return open_.symbol_bytes != 0; }

  auto begin() { return links_.begin(); }
  auto end() { return links_.end(); }
  auto begin() const { return links_.begin(); }
  auto end() const { return links_.end(); }
  StreamLink& of(const ReceiverConnection& connection);

  // Connects to the map's receivers, so that they are ready when its first frame comes.
  void prepare(const RoutePlan& map);
  // Gives each link its part of the map. The other links have left the map. Returns the numbers of
  // the receivers that the wall waits for.
  std::vector<uint32_t> follow(const RoutePlan& map);
  // As follow(), for a map with the same receivers and other sizes of pictures.
  void follow_sizes(const RoutePlan& map);
  ExtraReductions extra_reductions() const;
  // Returns true if a receiver of the map cannot decode this frame.
  bool is_undecoded(uint64_t frame) const;
  // Returns true if all receivers that the wall waits for accept frames.
  bool all_accept() const;

  // Sends the message to all receivers, including those that no longer show the stream. If the
  // manager fails before it informs these receivers, they would keep showing the old content.
  void show(const FrameShow& show) const;
  // Limits unreported frames on each link. Returns the number that all links allow. more: frames
  // in addition, on links that accept them.
  int limit_frames(const StreamPace& pace, int more);
  // Adds a submitted frame to the paces of recorders.
  void adapt_recorders(uint64_t frame, int64_t submitted_ns, int64_t now_ns);
  // Returns the worst delays of all links; empty if no link retransmits.
  std::optional<FrameTransport::PathDelays> slowest_path() const;
  // Returns true if a receiver has lost this frame, and the frame was the last one sent to that
  // receiver. Each loss is returned once.
  bool take_lost(uint64_t frame);

  // Removes the link of a connection that is gone.
  void remove(const ReceiverConnection& connection);
  void remove_gone();
  // on_gone is called once from the loop, when no link is left.
  void notify_when_empty(std::function<void()> on_gone);

 private:
  // Returns the link to the receiver; connects if necessary.
  StreamLink& to(const ReceiverPlan& plan);
  void notify_if_empty();

  Loop& loop_;
  ReceiverConnection::Host& host_;
  const WallClock& clock_;
  const Log& log_;
  const int max_reduction_;
  uint32_t stream_ = 0;
  StreamOpen open_;
  std::vector<StreamLink> links_;
  uint32_t next_number_ = 1;
  std::function<void()> on_gone_;
};

}  // namespace sail
