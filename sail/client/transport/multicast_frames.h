// Sends a stream's frames once to a multicast group, for all links whose receivers have its secret.
// Each of these links keeps the frame, too, and repeats what its receiver lacks. Runs on the loop
// thread.
//
// A frame builds on what all of these receivers are known to have, or, while none of them loses
// packets, on the frame before if that one builds on what they all have. So a frame depends on at
// most one frame that a receiver may not get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/client/transport/frame_packets.h"
#include "sail/client/transport/kept_frame.h"
#include "sail/client/transport/packet_link.h"
#include "sail/client/transport/packet_pacer.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {

class MulticastFrames {
 public:
  // A link whose receiver has the group's secret. Must leave the group before it is destroyed.
  class Member {
   public:
    virtual ~Member() = default;
    virtual const FrameBase& base() const = 0;
    virtual const PacketLink& link() const = 0;
    virtual double loss() const = 0;  // share of packets; 0 after ten seconds without loss
    // The link's capacity holds packets of the group back.
    virtual void limit_reached() = 0;
  };
  struct Setup {
    uint32_t stream = 0;
    Address group;
    std::string here;  // this host's address on the way to the receivers
    int hops = 1;      // TTL or hop limit
    size_t symbol_bytes = 0;
    bool sealed = false;
  };
  // on_sent: the frame begun last has been sent. loop, clock and log must outlive this object.
  MulticastFrames(Loop& loop, const WallClock& clock, const Log& log, const Setup& setup,
                  std::function<void()> on_sent);

  const Setup& setup() const { return setup_; }
  // Takes a new secret and key. Call without members.
  Result<void> start();
  // The message by which receivers join, with the secret and the key.
  const MulticastJoin& invitation() const { return invitation_; }
  // Sends a packet that has no part of a frame.
  void test();

  void add(Member& member) { members_.push_back(&member); }
  void remove(Member& member);

  // Returns the frame that the group sends, for a member; the first call for a frame begins it.
  // Null: the group cannot send it, so the frame must be sent to the member alone.
  std::shared_ptr<KeptFrame> begin(const OutgoingFrame& outgoing, const Member& member);
  bool has_begun(const FrameName& name) const { return newest_ && newest_->name == name; }
  // The frame being sent; null: none.
  const KeptFrame* frame() const { return packets_.frame(); }
  // A member waits for the end of that frame.
  bool busy() const { return packets_.frame() != nullptr && !members_.empty(); }
  // Sends the part of the frame that is encoded by now. Returns the bytes handed to the network
  // since the last call.
  size_t pump();

  const Probe& probe() const { return packets_.probe(); }
  int64_t sent_at_ns() const { return sent_at_ns_; }  // last packet, steady
  int64_t sending_ns() const { return sending_ns_; }  // of the last frame, from its submission

 private:
  // Releases the bytes of all frames that no link needs any more, and returns one of these frames.
  std::shared_ptr<KeptFrame> unused_frame();
  // Returns the member whose base is the oldest frame; null: a member has no base, or there are no
  // members.
  const Member* least_member() const;
  // The next frame may build on the newest one although a member may not have it yet. least: what
  // all members are known to have.
  bool may_build_on_newest(const FrameBase& least) const;
  int parity_for(int sources) const;
  FramePackets::Path path() const;
  void send_due();
  void finish_sending();
  void arm();
  void on_timer();

  const WallClock& clock_;
  const Setup setup_;
  const std::function<void()> on_sent_;
  MulticastJoin invitation_;
  PacketLink link_;
  FineTimer timer_;
  PacketPacer pacer_;
  FramePackets packets_;
  std::vector<Member*> members_;
  std::vector<const Member*> begun_for_;            // members when the newest frame was begun
  std::vector<std::shared_ptr<KeptFrame>> frames_;  // all, to use their memory again
  std::shared_ptr<KeptFrame> newest_;
  int64_t interval_ns_ = 1;
  bool sent_untold_ = false;  // on_sent is still to be called
  int64_t sent_at_ns_ = 0;
  int64_t sending_ns_ = 0;
  uint64_t bytes_reported_ = 0;
};

}  // namespace sail
