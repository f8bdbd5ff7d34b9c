// The sound of a film: collects samples into frames of the size that the encoder requires. Only for
// the film_writer files.
//
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/recorder/film_writer_av.h"

namespace receiver {

class SoundTrack {
 public:
  // Adds an audio stream to the film before its header is written. encoder_name: of FFmpeg; "": one
  // that the container supports. Returns null if the container has no sound, or if opening failed;
  // then `trouble` is set.
  static std::unique_ptr<SoundTrack> open(AVFormatContext& film, const char* encoder_name,
                                          std::string& trouble);

  AVCodecContext& codec() { return *codec_; }
  AVStream& stream() { return *stream_; }

  // Adds the samples that follow the previous ones; `first`: film's index of their first sample.
  void add(std::span<const float> samples, int64_t first);
  // Returns a full frame for the encoder, valid until the next call; null: not enough samples.
  const AVFrame* whole_frame();
  // Returns the remaining samples, at the end; null: none. If writing has failed, more than a frame
  // may wait, and the rest is lost.
  const AVFrame* last_frame() {
    return next_frame(std::min<int64_t>(waiting_samples(), frame_samples_));
  }

 private:
  bool start(const AVCodec& encoder, AVFormatContext& film, std::string& trouble);
  int64_t waiting_samples() const;
  const AVFrame* next_frame(int64_t samples);

  AvPtr<AVCodecContext> codec_;
  AvPtr<AVFrame> frame_;
  AvPtr<SwrContext> convert_;
  AVStream* stream_ = nullptr;  // owned by the film
  int frame_samples_ = 0;
  std::vector<float> waiting_;
  int64_t waiting_from_ = -1;  // film's index of the first waiting sample; -1: none yet
};

}  // namespace receiver
