// The pictures of a film: chooses and opens the encoder, and converts pictures to its pixel format.
// Only for the film_writer files.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "receiver/recorder/film_writer.h"
#include "receiver/recorder/film_writer_av.h"

namespace receiver {

class PictureTrack {
 public:
  // Adds a video stream to the film before its header is written. Returns null if that failed; then
  // `trouble` is set.
  static std::unique_ptr<PictureTrack> open(AVFormatContext& film, const FilmOptions& options,
                                            sail::Size size, std::string& trouble);

  AVCodecContext& codec() { return *codec_; }
  AVStream& stream() { return *stream_; }

  // Takes a picture in place of the previous one; see FilmWriter::write(). Returns false if there
  // is no memory.
  bool convert(const uint8_t* pixels);
  // Returns the converted picture for the encoder, to be shown at this index. key_asked: viewers
  // need a key picture.
  const AVFrame* picture_at(int64_t index, bool key_asked);

 private:
  // Return what failed; empty: nothing.
  std::string open_encoder(const AVCodec& encoder, const AVOutputFormat& container,
                           const FilmOptions& options);
  std::string make_picture();

  bool live_ = false;
  sail::Size size_;
  AvPtr<AVCodecContext> codec_;
  AvPtr<AVFrame> picture_;
  AvPtr<SwsContext> scale_;     // null: the encoder takes the pixels as they are
  AVStream* stream_ = nullptr;  // owned by the film
  int64_t next_key_ = 0;        // live: index of the next key picture
};

}  // namespace receiver
