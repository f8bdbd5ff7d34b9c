// Writes pictures and sound with FFmpeg: into a file of any container, or to a protocol or device.
// Only the film_writer files include FFmpeg headers.
//
// A file stays playable even if writing stops unexpectedly: containers with an index at the end
// (MP4) are written in fragments, and packets are written without buffering in the process.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"

namespace receiver {

constexpr int kFilmSoundRate = 48000;  // in Hz
constexpr int kFilmSoundChannels = 2;

// Takes what is encoded, in place of a file or a protocol of FFmpeg.
//
// Called on the thread of the FilmWriter, and must not wait.
class FilmAudience {
 public:
  virtual ~FilmAudience() = default;
  // Before the first call of the others.
  virtual void begin(bool sound) = 0;
  // An access unit of H.264 (Annex B; key pictures with their parameter sets). Time since frame 0.
  virtual void show(std::span<const uint8_t> unit, bool key, int64_t time_ns) = 0;
  // A packet of Opus.
  virtual void play(std::span<const uint8_t> packet, int64_t time_ns) = 0;
  // Asked before each picture: true if it must be a key picture.
  virtual bool wants_key() = 0;
};

struct FilmOptions {
  std::string to;     // file name, URL, or a device such as "v4l2:/dev/video1"
  std::string codec;  // name of FFmpeg's encoder; empty: H.264 if the container supports it
  double fps = 30;
  bool live = false;   // for live viewers: the encoder must not delay frames; see destination.h
  bool sound = false;  // record sound if the container supports it
  // Polled while FFmpeg waits for the network; return true to abort.
  std::function<bool()> interrupted = {};
  // For viewers by WHEP; must outlive the film. Null: none.
  FilmAudience* audience = nullptr;
};

class FilmWriter {
 public:
  // Opens a film with pictures of this size. With chroma subsampling, the last column or row of an
  // odd size is cut off. Errors name the destination; those with kIo may be gone at the next try.
  static sail::Result<std::unique_ptr<FilmWriter>> open(const FilmOptions& options,
                                                        sail::Size size);
  virtual ~FilmWriter() = default;

  // Writes a picture to be shown from index / fps seconds on; indices must increase. Pixels are B,
  // G, R and an unused byte; rows without padding.
  virtual sail::Result<void> write(const uint8_t* pixels, int64_t index) = 0;
  // Repeats the previous picture, which must exist.
  virtual sail::Result<void> repeat(int64_t index) = 0;
  // Writes the samples that follow the previous ones, interleaved; `first` is the index of their
  // first sample in the film. No effect if the film has no sound.
  virtual sail::Result<void> write_sound(std::span<const float> samples, int64_t first) = 0;
  // Completes the film; nothing may be written afterwards.
  virtual sail::Result<void> finish() = 0;
};

}  // namespace receiver
