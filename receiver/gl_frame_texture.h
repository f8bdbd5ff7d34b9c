// A window's picture on the GPU. DXT stays compressed: each pixel block is a rectangle of texel
// blocks, row by row, as the GPU takes it. All other codecs are pixels. Where no block came the
// picture is black, with DXT5 transparent.
//
// Needs the context current.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/cpu.h"
#include "codecs/format.h"
#include "receiver/frame.h"
#include "receiver/gl_objects.h"
#include "receiver/gl_programs.h"
#include "sail/wall/block_grid.h"

namespace receiver {

class GlFrameTexture {
 public:
  // Nothing came yet.
  GlFrameTexture(const sail::BlockGrid& grid, codecs::CodecId codec, GlDecode decode);

  // The GPU had the room for it. All else only then.
  bool made() const { return made_; }
  // Whether it is of this grid and codec.
  bool fits(const Frame& frame) const;
  // Brings the blocks that are others than those it has.
  void update(const Frame& frame);

  GLuint name() const { return *texture_; }
  codecs::CodecId codec() const { return codec_; }

 private:
  void make_storage(const uint8_t* blocks, size_t bytes);
  void upload_texels(const sail::Rect& block, const uint8_t* texel_blocks);
  // A part of a block, both in the frame's pixels.
  void upload_pixels(const sail::Rect& block, const sail::Rect& part,
                     const codecs::ImageView& picture);

  sail::BlockGrid grid_;
  codecs::CodecId codec_;
  GlDecode decode_;
  const codecs::CpuLevel cpu_ = codecs::detect_cpu();
  bool made_ = false;
  GlTexture texture_;
  std::vector<uint64_t> versions_;  // of the blocks that it has
  std::vector<sail::Rect> parts_;   // and what of them
  std::vector<uint8_t> nothing_;    // as large as a plain block
  std::vector<uint8_t> converted_;  // reused
};

}  // namespace receiver
