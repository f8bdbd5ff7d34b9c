#include "receiver/display/gl_frame_texture.h"

#include <cstring>

#include "codecs/color/convert.h"
#include "codecs/dxt/dxt.h"

namespace receiver {
namespace {

using codecs::CodecId;
using codecs::PixelFormat;
using sail::Rect;

// Returns empty texel blocks or pixels: black, or transparent for DXT5.
std::vector<uint8_t> nothing(CodecId codec, size_t bytes) {
  if (!codecs::is_dxt(codec)) return std::vector<uint8_t>(bytes);
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

// Texel blocks are uploaded as S3TC, or as 32-bit integers for the shader.
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
    : grid_(grid), codec_(codec), decode_(decode), versions_(grid.count()), parts_(grid.count()) {
  const auto [width, height] = grid.frame_size();
  const size_t bytes = plain_bytes(codec, width, height);
  std::vector<uint8_t> blocks = nothing(codec, bytes);
  while (glGetError() != GL_NO_ERROR) {
  }
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, *texture_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  make_storage(blocks.data(), bytes);
  made_ = glGetError() == GL_NO_ERROR;
  const Rect block = grid.block_rect(0, 0);  // no block is larger
  blocks.resize(plain_bytes(codec, block.width, block.height));
  blocks.shrink_to_fit();
  nothing_ = std::move(blocks);
}

void GlFrameTexture::make_storage(const uint8_t* blocks, size_t bytes) {
  const auto [width, height] = grid_.frame_size();
  if (!codecs::is_dxt(codec_)) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_BYTE, blocks);
  } else if (decode_ == GlDecode::kS3tc) {
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, s3tc_format(codec_), width, height, 0,
                           static_cast<GLsizei>(bytes), blocks);
  } else {
    glTexImage2D(GL_TEXTURE_2D, 0, bits_internal_format(codec_), codecs::texel_blocks(width),
                 codecs::texel_blocks(height), 0, bits_format(codec_), GL_UNSIGNED_INT, blocks);
  }
}

bool GlFrameTexture::fits(const Frame& frame) const {
  return frame.grid().frame_size() == grid_.frame_size() &&
         frame.grid().block_size() == grid_.block_size() && frame.codec().id == codec_;
}

void GlFrameTexture::update(const Frame& frame) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, *texture_);
  size_t index = 0;
  for (int row = 0; row < grid_.rows(); ++row) {
    for (int column = 0; column < grid_.columns(); ++column, ++index) {
      const uint64_t version = frame.version(column, row);
      const uint8_t* plain = frame.plain(column, row);
      const Rect block = grid_.block_rect(column, row);
      const Rect part = plain == nullptr ? block : frame.plain_part(column, row);
      if (version == versions_[index] && part == parts_[index]) continue;
      if (codecs::is_dxt(codec_)) {
        upload_texels(block, plain == nullptr ? nothing_.data() : plain);
      } else if (plain == nullptr) {
        upload_pixels(
            block, block,
            codecs::packed_view(PixelFormat::kBgra, block.width, block.height, nothing_.data()));
      } else if (!part.empty()) {
        upload_pixels(block, part, frame.picture(column, row));
      }
      versions_[index] = version;
      parts_[index] = part;
    }
  }
}

void GlFrameTexture::upload_texels(const Rect& block, const uint8_t* texel_blocks) {
  if (decode_ == GlDecode::kS3tc) {
    const size_t size = codecs::dxt_bytes(codec_, block.width, block.height);
    glCompressedTexSubImage2D(GL_TEXTURE_2D, 0, block.x, block.y, block.width, block.height,
                              s3tc_format(codec_), static_cast<GLsizei>(size), texel_blocks);
  } else {
    glTexSubImage2D(GL_TEXTURE_2D, 0, block.x / codecs::kTexelBlock, block.y / codecs::kTexelBlock,
                    codecs::texel_blocks(block.width), codecs::texel_blocks(block.height),
                    bits_format(codec_), GL_UNSIGNED_INT, texel_blocks);
  }
}

void GlFrameTexture::upload_pixels(const Rect& block, const Rect& part,
                                   const codecs::ImageView& picture) {
  const int x = part.x - block.x, y = part.y - block.y;
  const uint8_t* pixels = picture.planes[0] + picture.strides[0] * y + kBytesPerPixel * x;
  int row_pixels = block.width;
  if (picture.format != PixelFormat::kBgra) {
    const ptrdiff_t stride = kBytesPerPixel * part.width;
    const auto bytes = static_cast<size_t>(stride * part.height);
    if (converted_.size() < bytes) converted_.resize(bytes);
    codecs::convert_to_bgra(picture, x, y, part.width, part.height, {converted_.data(), stride},
                            cpu_);
    pixels = converted_.data();
    row_pixels = part.width;
  }
  glPixelStorei(GL_UNPACK_ROW_LENGTH, row_pixels);
  glTexSubImage2D(GL_TEXTURE_2D, 0, part.x, part.y, part.width, part.height, GL_BGRA,
                  GL_UNSIGNED_BYTE, pixels);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

}  // namespace receiver
