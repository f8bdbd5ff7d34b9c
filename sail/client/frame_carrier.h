// How a stream's frames get to one receiver: over the connection on which the stream was opened, or
// as packets beside it. Lives as long as the ReceiverConnection that it belongs to, through losses.
// Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/client/frame_messages.h"
#include "sail/net/tcp.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/stats.h"

namespace sail {

class FrameCarrier {
 public:
  virtual ~FrameCarrier() = default;

  // The receiver accepted the stream on this connection, which stays until stop(), and has none of
  // its frames. An error: frames cannot be sent to it.
  virtual Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                             int64_t round_trip_ns) = 0;
  // What is being sent is cut off.
  virtual void stop() = 0;
  // Nothing of it or its frames is used by the system any more: it may be destroyed.
  virtual bool gone() const = 0;

  // A frame was begun and has not gone whole.
  virtual bool sending() const = 0;
  // Another may be begun.
  virtual bool takes_frame() const = 0;
  // The frame being sent is held back by what the link carries, as far as that is known.
  virtual bool held_back() const = 0;
  virtual void begin(OutgoingFrame outgoing) = 0;
  // Goes on with the frame, as far as it is encoded by now. Bytes handed to the network since the
  // last call.
  virtual size_t pump() = 0;
  // Said on the connection just now, of a frame: it is said by packets, too, where there are any.
  virtual void say(std::span<const uint8_t> message) = 0;
  // The receiver reported a frame that was begun here.
  virtual void reported(const FrameReport& report) = 0;

  // The receiver has answered since start(). False: what is sent may not get through at all.
  virtual bool answered() const = 0;
  // To be asked a few times a second: why the receiver is to be given up, if it is.
  virtual std::optional<std::string> stuck(int64_t now_ns) = 0;

  // Times of the way there and back, as they are known by now; empty: frames need not be mended.
  struct Way {
    int64_t round_trip_ns = 0;
    int64_t jitter_ns = 0;
    int64_t sending_ns = 0;  // from a frame's submission to its last packet
  };
  virtual std::optional<Way> way() const = 0;
  // All but the receiver's name and the reduction. Rates are over the time since the last call.
  virtual LinkStats stats(int64_t now_ns) = 0;
};

}  // namespace sail
