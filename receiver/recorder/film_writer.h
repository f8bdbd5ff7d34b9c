// Pictures and sound into a film: a file in any container that FFmpeg writes, or where its
// protocols and devices lead. The film_writer files are the only ones of the receiver that include
// its headers.
//
// What was written stays playable whenever writing ends, however: containers that keep their table
// at the end (MP4) are written in fragments, and what is in a packet leaves the process with it.
//
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/log.h"
#include "sail/base/result.h"

namespace receiver {

constexpr int kFilmSoundRate = 48000;  // samples a second
constexpr int kFilmSoundChannels = 2;

struct FilmOptions {
  std::string to;     // file name, URL, "v4l2:/dev/video1"
  std::string codec;  // as FFmpeg calls its encoder; empty: H.264 where the container takes it
  double fps = 30;
  bool live = false;   // somebody looks on: no picture is kept to make the next ones smaller
  bool sound = false;  // it has some, where there is a place for it
  // Asked while FFmpeg waits for the network; true makes it give up.
  std::function<bool()> interrupted = {};
};

class FilmWriter {
 public:
  // size: of the pictures. An encoder that halves the colours' resolution leaves out the last
  // column or row of odd sizes. Errors name where the film was to go.
  static sail::Result<std::unique_ptr<FilmWriter>> open(const FilmOptions& options,
                                                        sail::Size size);
  virtual ~FilmWriter() = default;

  // Shown from index / fps seconds on; indices grow. B, G, R and a byte that means nothing; rows
  // without gaps.
  virtual sail::Result<void> write(const uint8_t* pixels, int64_t index) = 0;
  // The picture before once more; after one.
  virtual sail::Result<void> repeat(int64_t index) = 0;
  // Channels interleaved; those that follow the ones before, `first` is the film's sample that they
  // begin with. Nothing happens where the film has no sound.
  virtual sail::Result<void> write_sound(std::span<const float> samples, int64_t first) = 0;
  // Nothing is written after it.
  virtual sail::Result<void> finish() = 0;
};

// Where it goes is reached by a protocol, or is a device: not a file.
bool is_live(const std::string& to);

}  // namespace receiver
