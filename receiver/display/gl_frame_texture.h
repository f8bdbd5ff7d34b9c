// The texture of a window's picture. DXT stays compressed: each block is uploaded as a rectangle of
// texel blocks, row by row. All other codecs are uploaded as pixels. Missing blocks are black; with
// DXT5 they are transparent.
//
// The GL context must be current.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/format.h"
#include "receiver/display/gl_objects.h"
#include "receiver/display/gl_programs.h"
#include "receiver/frame/frame.h"
#include "sail/core/wall/block_grid.h"

namespace receiver {

class GlFrameTexture {
 public:
  // The texture initially contains no blocks.
  GlFrameTexture(const sail::BlockGrid& grid, codecs::CodecId codec, GlDecode decode);

  // Returns false if the GPU has no memory for the texture; call nothing else then.
  bool made() const { return made_; }
  // Returns true if the texture has the grid and the codec of the frame.
  bool fits(const Frame& frame) const;
  // Uploads the blocks that differ from those in the texture.
  void update(const Frame& frame);

  GLuint name() const { return *texture_; }
  codecs::CodecId codec() const { return codec_; }

 private:
  void make_storage(const uint8_t* blocks, size_t bytes);
  void upload_texels(const sail::Rect& block, const uint8_t* texel_blocks);
  // Uploads the area `part` of the block `block`; both in frame pixels.
  void upload_pixels(const sail::Rect& block, const sail::Rect& part,
                     const codecs::ImageView& picture);

  sail::BlockGrid grid_;
  codecs::CodecId codec_;
  GlDecode decode_;
  const codecs::CpuLevel cpu_ = codecs::detect_cpu();
  bool made_ = false;
  GlTexture texture_;
  std::vector<uint64_t> versions_;  // versions of the uploaded blocks
  std::vector<sail::Rect> parts_;   // uploaded areas of the blocks
  std::vector<uint8_t> nothing_;    // an empty block, in decoded form
  std::vector<uint8_t> converted_;  // kept for its capacity
};

}  // namespace receiver
