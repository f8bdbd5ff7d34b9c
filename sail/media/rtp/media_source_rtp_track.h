// One stream of a film and its packetizer. This class rewrites sequence numbers, time stamps and
// SSRC, so that they continue when the packetizer is recreated after a seek. Only for the
// media_source files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sail/core/base/secret.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/rtp/media_source_rtp.h"

namespace sail {

class RtpTrack {
 public:
  // The stream must outlive this object.
  explicit RtpTrack(const AVStream& stream) : stream_(stream) {}
  RtpTrack(const RtpTrack&) = delete;
  RtpTrack& operator=(const RtpTrack&) = delete;

  // False: RTP does not support this format.
  bool begin(size_t number);
  // Starts again after a seek; the next packet gets this sequence number.
  bool restart(uint16_t sequence);

  // Null for AC-3, for which FFmpeg has no packetizer; sdp() then describes the track.
  AVFormatContext* muxer() const { return muxer_.get(); }
  std::string sdp(size_t number) const;
  int stream_index() const { return stream_.index; }
  uint32_t ssrc() const { return ssrc_; }
  uint32_t rtp_time(int64_t film_ns) const;

  // Appends the RTP packets of a stored packet, whose times are film times in ns. The packetizer
  // may hold back sound to combine it with the next packet.
  void write(AVPacket& packet, RtpBurst& burst);

 private:
  struct MuxerFree {
    void operator()(AVFormatContext* muxer) const;
  };
  bool is_ac3() const { return stream_.codecpar->codec_id == AV_CODEC_ID_AC3; }
  // RFC 4184.
  void append_ac3(const AVPacket& packet);
  void append(const uint8_t* bytes, size_t count);
  template <typename Bytes>
  static int take(void* self, Bytes bytes, int count);

  const AVStream& stream_;
  AVRational time_base_{1, 90'000};
  int payload_type_ = -1;  // -1: FFmpeg's choice
  const uint32_t ssrc_ = static_cast<uint32_t>(random_secret());
  const uint32_t zero_time_ = static_cast<uint32_t>(random_secret());  // RTP time of film time 0
  uint16_t sequence_ = 0;                                              // of the next packet

  int64_t last_dts_ = 0;   // last time stamp of the track; the packetizer refuses decreasing ones
  int64_t first_pts_ = 0;  // the packetizer's first time stamp
  bool fed_ = false;
  bool based_ = false;       // base_ is known
  uint32_t base_ = 0;        // the packetizer's RTP time of pts 0
  RtpBurst* out_ = nullptr;  // set during write()
  // Last member: its destruction may still call append().
  std::unique_ptr<AVFormatContext, MuxerFree> muxer_;
};

}  // namespace sail
