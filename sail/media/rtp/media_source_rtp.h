// A film as RTP packets (RFC 3550), made by FFmpeg's packetizers without decoding or encoding. At
// most one video and one audio track. One thread at a time; const functions: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// Header before each packet in RtpBurst::bytes, as on an interleaved connection (RFC 2326, 10.12):
// '$', channel (0 here), packet length in two bytes.
constexpr size_t kRtpFrameBytes = 4;
constexpr size_t kRtpHeaderBytes = 12;
constexpr size_t kRtpPacketBytes = 1400;  // maximum, including the header

// The RTP packets of one stored packet: a picture, or some sound.
struct RtpBurst {
  size_t track = 0;
  int64_t send_ns = 0;  // film time at which it is due
  uint32_t packets = 0;
  std::vector<uint8_t> bytes;
};

class RtpFilm {
 public:
  // title: the session name in the SDP. give_up: polled while waiting. kUnavailable: RTP does not
  // support the film's formats. Errors do not reveal the path. bytes: the file's data; file: its
  // name, of which only the extension is used.
  static Result<std::unique_ptr<RtpFilm>> open(std::unique_ptr<const ByteSource> bytes,
                                               const std::string& file, const std::string& title,
                                               GiveUp give_up);
  ~RtpFilm();
  RtpFilm(const RtpFilm&) = delete;
  RtpFilm& operator=(const RtpFilm&) = delete;

  size_t tracks() const;
  int64_t duration_ns() const;     // 0: unknown
  const std::string& sdp() const;  // RFC 4566; the control URL of track n is "streamid=n"
  // A sentence about tracks that are not sent, or empty.
  const std::string& left_out() const;
  uint32_t ssrc(size_t track) const;
  // Converts film time to the RTP time of the track, independent of seeks.
  uint32_t rtp_time(size_t track, int64_t film_ns) const;

  // Seeks to the key picture at or before film_ns; returns its time. first: the next sequence
  // number of each track; empty: next() skips the track. At least one must be set.
  Result<int64_t> seek(int64_t film_ns, const std::vector<std::optional<uint16_t>>& first);
  // True if next() can begin without waiting for data. Also requests the data.
  bool ready();
  // The next burst in stored order; empty at the end.
  std::optional<RtpBurst> next();

 private:
  class Impl;
  explicit RtpFilm(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
