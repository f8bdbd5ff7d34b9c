#include "tests/bench/codec/scene.h"

#include <squish.h>

#include <cstring>
#include <utility>

namespace bench {
namespace {

using codecs::CodecId;
using codecs::kTexelBlock;

constexpr int kTexelRowBytes = kTexelBlock * 4;  // bytes of one block's row

// Block by block, because libsquish's own loop over a picture may start threads.
Work encoder(const Picture& picture, size_t block_bytes, int flags, uint8_t* target) {
  const int columns = picture.size.width / kTexelBlock;
  return by_rows(picture.size.height / kTexelBlock, [=, &picture](int first, int last) {
    uint8_t* to = target + block_bytes * static_cast<size_t>(columns) * static_cast<size_t>(first);
    for (int row = first; row < last; ++row) {
      for (int column = 0; column < columns; ++column, to += block_bytes) {
        uint8_t texels[kTexelBlock * kTexelRowBytes];
        for (int y = 0; y < kTexelBlock; ++y) {
          std::memcpy(texels + kTexelRowBytes * y,
                      picture.at(column * kTexelBlock, row * kTexelBlock + y), kTexelRowBytes);
        }
        squish::Compress(texels, to, flags);
      }
    }
  });
}

Work decoder(const uint8_t* blocks, sail::Size size, size_t block_bytes, int flags,
             uint8_t* target) {
  const int columns = size.width / kTexelBlock;
  return by_rows(size.height / kTexelBlock, [=](int first, int last) {
    const uint8_t* from =
        blocks + block_bytes * static_cast<size_t>(columns) * static_cast<size_t>(first);
    for (int row = first; row < last; ++row) {
      for (int column = 0; column < columns; ++column, from += block_bytes) {
        uint8_t texels[kTexelBlock * kTexelRowBytes];
        squish::Decompress(texels, from, flags);
        for (int y = 0; y < kTexelBlock; ++y) {
          std::memcpy(target + (ptrdiff_t{row} * kTexelBlock + y) * size.width * 4 +
                          ptrdiff_t{column} * kTexelRowBytes,
                      texels + kTexelRowBytes * y, kTexelRowBytes);
        }
      }
    }
  });
}

Candidate named(const Scene& scene, CodecId codec, const char* kernel, const char* mode) {
  Candidate candidate;
  candidate.codec = codec;
  candidate.mode = mode;
  candidate.kernel = kernel;
  candidate.content = scene.picture().name;
  return candidate;
}

}  // namespace

void add_squish(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  if (codec == CodecId::kDxt5YCoCg) return;
  const size_t block_bytes = codecs::texel_block_bytes(codec);
  const int format = codec == CodecId::kDxt1 ? squish::kDxt1 : squish::kDxt5;
  const auto encode = [&](const Picture& picture, int fit) {
    return encoder(picture, block_bytes, format | fit, scene.block_target());
  };

  Candidate range = named(scene, codec, "libsquish-range", "fast");
  range.pixels = scene.slow_sample().pixel_count();
  range.sampled = true;
  range.psnr_db = scene.encoded_psnr_db(codec, encode(scene.picture(), squish::kColourRangeFit),
                                        scene.picture());
  range.work = encode(scene.slow_sample(), squish::kColourRangeFit);
  candidates.push_back(std::move(range));

  Candidate cluster = named(scene, codec, "libsquish-cluster", "high");
  cluster.pixels = scene.slowest_sample().pixel_count();
  cluster.sampled = true;
  cluster.work = encode(scene.slowest_sample(), squish::kColourClusterFit);
  cluster.psnr_db = scene.estimated_psnr_db(codec, cluster.work);
  candidates.push_back(std::move(cluster));

  Candidate decode = named(scene, codec, "libsquish", "good");
  decode.side = Side::kDecode;
  decode.pixels = scene.picture().pixel_count();
  decode.work =
      decoder(scene.blocks(codec), scene.picture().size, block_bytes, format, scene.pixel_target());
  decode.psnr_db = scene.decoded_psnr_db(codec, decode.work, codecs::PixelFormat::kRgba);
  candidates.push_back(std::move(decode));
}

}  // namespace bench
