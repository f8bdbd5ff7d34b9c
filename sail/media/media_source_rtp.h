// A film as RTP packets (RFC 3550), by FFmpeg's packetizers: what is stored goes as it is, nothing
// is decoded or encoded. One picture track and one sound track at most. One thread at a time; what
// is const, any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

// Before each packet in RtpBurst::bytes, as RFC 2326 (10.12) has it on a connection: '$', the
// channel (0 here), and the packet's length, two bytes.
constexpr size_t kRtpFrameBytes = 4;
constexpr size_t kRtpHeaderBytes = 12;
constexpr size_t kRtpPacketBytes = 1400;  // at most, with the header

// The packets that one stored packet becomes: a picture, or some sound.
struct RtpBurst {
  size_t track = 0;
  int64_t send_ns = 0;  // film time at which a player that keeps up gets it
  uint32_t packets = 0;
  std::vector<uint8_t> bytes;
};

class RtpFilm {
 public:
  // title: what players call it. give_up: asked while nothing comes. kUnavailable: there is no RTP
  // for what is stored. Errors do not tell where the file is.
  // bytes: of the file, whose name only tells its kind.
  static Result<std::unique_ptr<RtpFilm>> open(std::unique_ptr<const ByteSource> bytes,
                                               const std::string& file, const std::string& title,
                                               GiveUp give_up);
  ~RtpFilm();
  RtpFilm(const RtpFilm&) = delete;
  RtpFilm& operator=(const RtpFilm&) = delete;

  size_t tracks() const;
  int64_t duration_ns() const;     // 0: unknown
  const std::string& sdp() const;  // RFC 4566; track n is "streamid=n"
  // What of it is not sent, and why: a sentence, or empty.
  const std::string& left_out() const;
  uint32_t ssrc(size_t track) const;
  // A film time as the packets of the track tell it, wherever playing began.
  uint32_t rtp_time(size_t track, int64_t film_ns) const;

  // To the key picture at or before that time; when it is. first: the number of each track's next
  // packet; nothing: next() is not to give that track. It is to give one at least.
  Result<int64_t> seek(int64_t film_ns, const std::vector<std::optional<uint16_t>>& first);
  // Whether next() finds the bytes that it wants first, so that it hardly waits. They are asked
  // for.
  bool ready();
  // What comes next, in the order in which it is stored; nothing at the end.
  std::optional<RtpBurst> next();

 private:
  class Impl;
  explicit RtpFilm(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
