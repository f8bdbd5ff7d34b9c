// Transports a stream's frames to one receiver: over the TCP connection on which the stream was
// opened, or as packets beside it. Lives as long as its ReceiverConnection and survives connection
// losses. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/client/transport/frame_messages.h"
#include "sail/core/base/result.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/stats.h"

namespace sail {

class UdpFrames;

class FrameTransport {
 public:
  virtual ~FrameTransport() = default;

  // Called when the receiver has accepted the stream on this connection. The receiver has no frames
  // yet. `tcp` stays valid until stop(). Returns an error if frames cannot be sent.
  virtual Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                             int64_t round_trip_ns) = 0;
  // Aborts the frame being sent.
  virtual void stop() = 0;
  // Returns true once the system uses neither this object nor its frames: it may be destroyed.
  virtual bool released() const = 0;

  // Returns true while a frame has been begun but not completely sent.
  virtual bool sending() const = 0;
  // Returns true if the next frame may be begun.
  virtual bool takes_frame() const = 0;
  // Returns true if the link's capacity holds back the current frame, as far as known.
  virtual bool held_back() const = 0;
  virtual void begin(OutgoingFrame outgoing) = 0;
  // Sends the part of the frame that is encoded by now. Returns the bytes handed to the network
  // since the last call.
  virtual size_t pump() = 0;
  // A frame message was just written to the connection. Repeats it as packets, if there are any.
  virtual void repeat_message(std::span<const uint8_t> message) = 0;
  // Called when the receiver reported a frame that was begun here.
  virtual void reported(const FrameReport& report) = 0;

  // The receiver has answered to an offer of memory, or cannot take one.
  virtual void memory_answered(const MemoryState& /*state*/) {}

  // Returns true once the receiver has answered since start(). Before, packets may not get through.
  virtual bool answered() const = 0;
  // Called a few times a second. Returns the reason if the receiver must be given up, else empty.
  virtual std::optional<std::string> stuck(int64_t now_ns) = 0;

  // Current path delays; empty: the transport needs no retransmission.
  struct PathDelays {
    int64_t round_trip_ns = 0;
    int64_t jitter_ns = 0;
    int64_t sending_ns = 0;  // from submission of a frame to its last packet
    int64_t trouble_ns = 0;  // steady time of the last lost packet or frame; 0: none
    int64_t begun_ns = 0;    // steady time of the start
  };
  virtual std::optional<PathDelays> path_delays() const = 0;
  // Statistics without the receiver's name and the reduction. Rates are since the last call.
  virtual LinkStats stats(int64_t now_ns) = 0;
  // The transport as packets; null: over TCP.
  virtual UdpFrames* packets() { return nullptr; }
};

}  // namespace sail
