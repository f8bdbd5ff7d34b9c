// The sound of a film, as its encoder takes it: frames of so many samples. Only for the film_writer
// files.
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/recorder/film_writer_av.h"

namespace receiver {

class SoundTrack {
 public:
  // A new stream of that film, whose header is not written yet. Null: its container has no sound,
  // or, with `trouble`, it cannot be.
  static std::unique_ptr<SoundTrack> open(AVFormatContext& film, std::string& trouble);

  AVCodecContext& codec() { return *codec_; }
  AVStream& stream() { return *stream_; }

  // Those that follow the ones before; `first` is the film's sample that they begin with.
  void add(std::span<const float> samples, int64_t first);
  // For the encoder, until the next call; null: there is no whole one.
  const AVFrame* whole_frame();
  // What is left, at the end; null: nothing.
  const AVFrame* last_frame() { return next_frame(waiting_samples()); }

 private:
  bool start(const AVCodec& encoder, AVFormatContext& film, std::string& trouble);
  int64_t waiting_samples() const;
  const AVFrame* next_frame(int64_t samples);

  AvPtr<AVCodecContext> codec_;
  AvPtr<AVFrame> frame_;
  AvPtr<SwrContext> convert_;
  AVStream* stream_ = nullptr;  // the film's
  int frame_samples_ = 0;
  std::vector<float> waiting_;
  int64_t waiting_from_ = -1;  // the film's sample that it begins with; -1: nothing came yet
};

}  // namespace receiver
