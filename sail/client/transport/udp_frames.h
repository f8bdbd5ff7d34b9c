// Sends frames as UDP packets beside the stream's TCP connection. Packets are paced. Losses are
// repaired by FEC and by retransmission on request. Runs on the loop thread.
//
// A frame builds on the newest frame that the receiver is known to have completely, so a lost frame
// does not affect others.
//
// If the receiver is in the stream's multicast group, the group sends most frames. This object then
// only repeats what the receiver asks for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sail/client/transport/frame_packets.h"
#include "sail/client/transport/frame_transport.h"
#include "sail/client/transport/kept_frame.h"
#include "sail/client/transport/multicast_frames.h"
#include "sail/client/transport/multicast_member.h"
#include "sail/client/transport/packet_link.h"
#include "sail/client/transport/packet_messages.h"
#include "sail/client/transport/packet_pacer.h"
#include "sail/client/transport/packet_silence.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

class UdpFrames final : public FrameTransport, private MulticastFrames::Member {
 public:
  struct Handlers {
    // The frame begun last has been sent; another may be begun.
    std::function<void()> on_sent;
    // The receiver sent this message in a packet; it may also arrive on the connection. Packets may
    // be forged, so the message is not trusted.
    std::function<void(const MessageBuffer::Message&)> on_message;
  };
  // loop, clock and log must outlive this object.
  UdpFrames(Loop& loop, const WallClock& clock, const Log& log, uint32_t stream, const Address& to,
            size_t symbol_bytes, bool sealed, Handlers handlers);

  Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                     int64_t round_trip_ns) override;
  void stop() override;
  bool released() const override { return true; }  // the kernel has copied the sent data
  bool sending() const override { return packets_.frame() != nullptr || group_sends(); }
  bool takes_frame() const override;
  bool held_back() const override { return sending() && held_back_; }
  void begin(OutgoingFrame outgoing) override;
  size_t pump() override;
  void repeat_message(std::span<const uint8_t> message) override;
  void reported(const FrameReport& report) override;
  bool answered() const override { return silence_.answered(); }
  std::optional<std::string> stuck(int64_t now_ns) override;
  std::optional<PathDelays> path_delays() const override;
  LinkStats stats(int64_t now_ns) override;
  UdpFrames* packets() override { return this; }

  // --- the multicast group
  MulticastMember& member() { return member_; }
  size_t symbol_bytes() const { return symbol_bytes_; }
  bool sealed() const { return sealed_; }
  double loss() const override { return link_.fec_share().loss(); }
  uint64_t newest_received() const { return base_.base(); }  // 0: none on which others build
  bool in_group() const { return group_ != nullptr; }
  // The receiver knows the secret of the group, which sends frames from now on until leave_group().
  void enter_group(MulticastFrames& group);
  void leave_group();

 private:
  const FrameBase& base() const override { return base_; }
  const PacketLink& link() const override { return link_; }
  void limit_reached() override { link_.set_limited(); }
  // The group is sending this frame, or any of this link.
  bool group_sends(const KeptFrame& frame) const {
    return group_ != nullptr && frame.shared && frame.shared.get() == group_->frame();
  }
  bool group_sends() const;
  Probe probe() const;

  KeptFrame* find(const FrameName& name);
  bool keeps_frames() const;
  // Adds the rows of the frame being sent that are encoded by now.
  void add_rows();
  // Releases a frame and its place.
  void drop(KeptFrame& frame);
  // Releases only the frame's bytes, which will not be sent any more.
  void drop_messages(KeptFrame& frame);
  void finish_sending();
  bool in_time(const KeptFrame& frame) const;

  // --- the timer
  void on_timer();
  void arm();
  void repeat_when_due(int64_t now_ns);
  void give_up_late();
  // Sends the packets that the pacer allows now.
  void send_due();

  // --- feedback
  void on_feedback(const Feedback& feedback);
  void on_messages(std::span<const uint8_t> messages);
  void repeat_missing(const Missing& missing);

  const WallClock& clock_;
  const uint32_t stream_;
  const size_t symbol_bytes_;
  const bool sealed_;
  const Handlers handlers_;
  PacketLink link_;
  FineTimer timer_;
  PacketPacer pacer_;
  FramePackets packets_;
  FrameBase base_;
  MulticastMember member_;
  MulticastFrames* group_ = nullptr;  // null: not in the group
  PacketMessages messages_;
  PacketSilence silence_;

  std::array<KeptFrame, kMaxFramesInFlight> kept_;
  bool held_back_ = false;    // the link's limit holds the frame back
  int64_t interval_ns_ = 1;   // interval over which the frame is spread
  bool sent_untold_ = false;  // on_sent is still to be called
  int64_t sending_ns_ = 0;    // recent time from submission to the last packet
  int64_t trouble_ns_ = 0;    // these two: see PathDelays
  int64_t begun_ns_ = 0;
  uint64_t bytes_reported_ = 0;  // returned by pump() so far
};

}  // namespace sail
