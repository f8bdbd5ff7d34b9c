// Data shared by all candidates of one content: the picture in the formats to encode, its blocks to
// decode, and the output memory.
#pragma once

#include <optional>
#include <vector>

#include "codecs/dxt/dxt.h"
#include "tests/bench/codec/candidate.h"
#include "tests/bench/codec/picture.h"

namespace bench {

class Scene {
 public:
  // Keeps references: picture and pool must outlive the scene.
  Scene(const Picture& picture, sail::WorkerPool& pool);

  // A format of the picture to encode.
  struct Source {
    std::string content;
    codecs::ImageView view;
    const Picture* truth;  // reference for the encoder's quality
  };
  Source rgba() const { return {picture_.name, picture_.view(), &picture_}; }
  // Empty for a translucent picture. YUV is compared with its own conversion to RGB, so that the
  // result does not include the loss by chroma subsampling.
  std::optional<Source> i420() const { return yuv(i420_, "i420"); }
  std::optional<Source> nv12() const { return yuv(nv12_, "nv12"); }

  const Picture& picture() const { return picture_; }
  // For encoders that would need about 0.2 s a picture, or 30 s.
  const Picture& slow_sample() const { return slow_sample_; }
  const Picture& slowest_sample() const { return slowest_sample_; }

  // The picture encoded by our encoder (mode good), as input for all decoders.
  const uint8_t* blocks(codecs::CodecId codec) const;

  // Output memory of the running candidate: the blocks or the pixels of a whole picture.
  uint8_t* block_target() { return block_target_.data(); }
  uint8_t* pixel_target() { return pixel_target_.data(); }

  sail::WorkerPool& pool() { return pool_; }

  // Encodes with the work, decodes block_target() with our decoder (the same for all) and compares.
  // DXT5's alpha counts if the content is translucent.
  double encoded_psnr_db(codecs::CodecId codec, const Work& encode, const Picture& truth);
  // Estimates the PSNR of the whole picture from work on slowest_sample(): the PSNR of our mode
  // good on the whole picture, plus the gain of the work over that mode on the sample. (The
  // sample's own PSNR would be off by several tenths; errors of two encoders correlate, so their
  // difference is not.)
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

// Our decoder as work: decodes the blocks of a picture to pixel_target().
Work our_decoder(codecs::CodecId codec, const uint8_t* blocks, sail::Size size, uint8_t* target,
                 codecs::CpuLevel cpu);
// Our encoder as work.
Work our_encoder(codecs::CodecId codec, const codecs::ImageView& view, codecs::DxtMode mode,
                 uint8_t* target, codecs::CpuLevel cpu);
// The same in the blocks of streams, one after the other.
Work our_pieces_encoder(codecs::CodecId codec, const codecs::ImageView& view, codecs::DxtMode mode,
                        uint8_t* target, codecs::CpuLevel cpu);

// Each of these functions adds its candidates for a codec; the scene must outlive the candidates.

// Every mode with every kernel that runs on this machine, from R, G, B, A; with the vector kernels
// also DXT1 and YCoCg from I420, and DXT1 from NV12; the decoder with every kernel.
void add_our_codec(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// libsquish: DXT1 and DXT5, range fit and cluster fit, and its decoder. No YCoCg.
void add_squish(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// etcpak's DXT1, if ETCPAK_ROOT named its sources at configuration.
void add_etcpak(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// FFmpeg's DXT. Its block functions (texturedsp, texturedspenc) are not exported, so this uses
// libavcodec's Hap encoder and decoder, thin wrappers of them: hap is DXT1, hap_alpha is DXT5, and
// hap_q is DXT5-YCoCg with a scale, in our layout. Adds nothing if libavcodec lacks Hap.
void add_hap(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// Upper bound for any codec on this machine: loops that move a codec's bytes and compute next to
// nothing, four rows of pixels at a time, as codecs must. Encode: reads the frame's 4 bytes a
// pixel, writes the codec's blocks. Decode: reads the blocks, writes 4 bytes a pixel. YUV frames
// without alpha have no separate limit; they are compared with the limit of the R, G, B, A frame.
void add_memory_limits(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
