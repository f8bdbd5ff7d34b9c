#include "receiver/gl_frame_texture.h"

#include <cstring>

#include "codecs/dxt.h"

namespace receiver {
namespace {

using codecs::CodecId;
using sail::Rect;

// Texel blocks of nothing: black, of DXT5 transparent. `bytes` of them.
std::vector<uint8_t> nothing(CodecId codec, size_t bytes) {
  constexpr int kSide = codecs::kTexelBlock;
  constexpr uint8_t kPixels[kSide * kSide * 4] = {};
  codecs::ImageView view{.format = codecs::PixelFormat::kBgra, .width = kSide, .height = kSide};
  view.planes[0] = kPixels;
  view.strides[0] = kSide * 4;
  std::vector<uint8_t> blocks(bytes);
  const size_t step = codecs::texel_block_bytes(codec);
  codecs::dxt_encode(codec, view, 0, 0, kSide, kSide, codecs::DxtMode::kFast, blocks.data(),
                     codecs::CpuLevel::kReference);
  for (size_t at = step; at < bytes; at += step) {
    std::memcpy(blocks.data() + at, blocks.data(), step);
  }
  return blocks;
}

// How a texel block is told to the GPU: as S3TC, or as whole numbers of 32 bits.
GLenum s3tc_format(CodecId codec) {
  return codec == CodecId::kDxt1 ? GL_COMPRESSED_RGB_S3TC_DXT1_EXT
                                 : GL_COMPRESSED_RGBA_S3TC_DXT5_EXT;
}
GLint bits_internal_format(CodecId codec) {
  return codec == CodecId::kDxt1 ? GL_RG32UI : GL_RGBA32UI;
}
GLenum bits_format(CodecId codec) {
  return codec == CodecId::kDxt1 ? GL_RG_INTEGER : GL_RGBA_INTEGER;
}

}  // namespace

GlFrameTexture::GlFrameTexture(const sail::BlockGrid& grid, CodecId codec, GlDecode decode)
    : grid_(grid), codec_(codec), decode_(decode), versions_(grid.count()) {
  const auto [width, height] = grid.frame_size();
  const size_t bytes = codecs::dxt_bytes(codec, width, height);
  std::vector<uint8_t> blocks = nothing(codec, bytes);
  while (glGetError() != GL_NO_ERROR) {
  }
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, *texture_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  if (decode == GlDecode::kS3tc) {
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, s3tc_format(codec), width, height, 0,
                           static_cast<GLsizei>(bytes), blocks.data());
  } else {
    glTexImage2D(GL_TEXTURE_2D, 0, bits_internal_format(codec), codecs::texel_blocks(width),
                 codecs::texel_blocks(height), 0, bits_format(codec), GL_UNSIGNED_INT,
                 blocks.data());
  }
  made_ = glGetError() == GL_NO_ERROR;
  const Rect block = grid.block_rect(0, 0);  // none is larger
  blocks.resize(codecs::dxt_bytes(codec, block.width, block.height));
  blocks.shrink_to_fit();
  nothing_ = std::move(blocks);
}

bool GlFrameTexture::fits(const Frame& frame) const {
  return frame.grid().frame_size() == grid_.frame_size() &&
         frame.grid().block_size() == grid_.block_size() && frame.codec().id == codec_;
}

bool GlFrameTexture::update(const Frame& frame, TexelBlocks& texel_blocks) {
  bool readable = true;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, *texture_);
  size_t index = 0;
  for (int row = 0; row < grid_.rows(); ++row) {
    for (int column = 0; column < grid_.columns(); ++column, ++index) {
      const uint64_t version = frame.version(column, row);
      if (version == versions_[index]) continue;
      const bool here = version != 0;
      const uint8_t* blocks = here ? texel_blocks.of(frame, column, row) : nullptr;
      if (here && blocks == nullptr) readable = false;
      upload(grid_.block_rect(column, row), blocks == nullptr ? nothing_.data() : blocks);
      versions_[index] = version;
    }
  }
  return readable;
}

void GlFrameTexture::upload(const Rect& block, const uint8_t* texel_blocks) {
  if (decode_ == GlDecode::kS3tc) {
    const size_t bytes = codecs::dxt_bytes(codec_, block.width, block.height);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, block.x, block.y, block.width, block.height,
                              s3tc_format(codec_), static_cast<GLsizei>(bytes), texel_blocks);
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, block.x / codecs::kTexelBlock, block.y / codecs::kTexelBlock,
                    codecs::texel_blocks(block.width), codecs::texel_blocks(block.height),
                    bits_format(codec_), GL_UNSIGNED_INT, texel_blocks);
  }
}

}  // namespace receiver
