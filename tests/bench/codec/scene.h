// What all candidates of one content share: the picture in the forms that are encoded, its blocks
// to decode, and the memory that results go to.
#pragma once

#include <optional>

#include "codecs/dxt/dxt.h"
#include "tests/bench/codec/candidate.h"
#include "tests/bench/codec/picture.h"

namespace bench {

class Scene {
 public:
  // Keeps the picture and the pool; both must outlive the scene.
  Scene(const Picture& picture, sail::WorkerPool& pool);

  // A form of the picture to encode.
  struct Source {
    std::string content;
    codecs::ImageView view;
    const Picture* truth;  // what it shows: encoders are judged against this
  };
  Source rgba() const { return {picture_.name, picture_.view(), &picture_}; }
  // Absent where the picture is translucent. YUV is judged against its own conversion to RGB, so
  // that the figure is the codec's and not that of the chroma's missing samples.
  std::optional<Source> i420() const { return yuv(i420_, "i420"); }
  std::optional<Source> nv12() const { return yuv(nv12_, "nv12"); }

  const Picture& picture() const { return picture_; }
  // For encoders that would need about 0.2 s a picture, or 30 s.
  const Picture& slow_sample() const { return slow_sample_; }
  const Picture& slowest_sample() const { return slowest_sample_; }

  // The picture as our encoder (mode good) has encoded it: what all decoders decode.
  const uint8_t* blocks(codecs::CodecId codec) const;

  // Where whoever runs may write: the blocks or the pixels of a whole picture.
  uint8_t* block_target() { return block_target_.data(); }
  uint8_t* pixel_target() { return pixel_target_.data(); }

  sail::WorkerPool& pool() { return pool_; }

  // Encodes with the work, decodes what then stands in block_target() with our decoder (the same
  // judge for all) and compares. DXT5's alpha counts where the content is translucent.
  double encoded_psnr_db(codecs::CodecId codec, const Work& encode, const Picture& truth);
  // The same for work on slowest_sample(), as an estimate for the whole picture: what our mode good
  // reaches there, and what the work gains over it on the sample. (The sample's own figure would be
  // off by several tenths; errors of two encoders go together, so their difference is not.)
  double estimated_psnr_db(codecs::CodecId codec, const Work& encode_sample);
  double decoded_psnr_db(codecs::CodecId codec, const Work& decode, codecs::PixelFormat order);

 private:
  std::optional<Source> yuv(const std::optional<YuvPicture>& yuv, const char* name) const;
  bool counts_alpha(codecs::CodecId codec) const;

  const Picture& picture_;
  sail::WorkerPool& pool_;
  Picture slow_sample_;
  Picture slowest_sample_;
  std::optional<YuvPicture> i420_;
  std::optional<YuvPicture> nv12_;
  std::optional<Picture> yuv_truth_;
  Buffer block_target_;
  Buffer pixel_target_;
  Buffer blocks_[3];
};

// Our decoder as work: pixel_target() from the blocks of a picture.
Work our_decoder(codecs::CodecId codec, const uint8_t* blocks, sail::Size size, uint8_t* target,
                 codecs::CpuLevel cpu);
// Our encoder as work.
Work our_encoder(codecs::CodecId codec, const codecs::ImageView& view, codecs::DxtMode mode,
                 uint8_t* target, codecs::CpuLevel cpu);
// The same in pixel blocks as streams are cut, one behind the other.
Work our_pieces_encoder(codecs::CodecId codec, const codecs::ImageView& view, codecs::DxtMode mode,
                        uint8_t* target, codecs::CpuLevel cpu);

}  // namespace bench
