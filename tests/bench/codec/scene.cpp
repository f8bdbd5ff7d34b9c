#include "tests/bench/codec/scene.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sail/core/wall/block_grid.h"

namespace bench {

using codecs::CodecId;
using codecs::kTexelBlock;
using codecs::PixelFormat;

Work our_encoder(CodecId codec, const codecs::ImageView& view, codecs::DxtMode mode,
                 uint8_t* target, codecs::CpuLevel cpu) {
  const size_t row_bytes = codecs::dxt_bytes(codec, view.width, kTexelBlock);
  return by_rows(codecs::texel_blocks(view.height), [=](int first, int last) {
    const int y = first * kTexelBlock;
    const int height = std::min(last * kTexelBlock, view.height) - y;
    codecs::dxt_encode(codec, view, 0, y, view.width, height, mode,
                       target + row_bytes * static_cast<size_t>(first), cpu);
  });
}

Work our_pieces_encoder(CodecId codec, const codecs::ImageView& view, codecs::DxtMode mode,
                        uint8_t* target, codecs::CpuLevel cpu) {
  const auto [across, down] = sail::kDefaultBlockSize;
  return by_rows((view.height + down - 1) / down, [=](int first, int last) {
    std::vector<uint8_t*> places;
    for (int row = first; row < last; ++row) {
      const int y = row * down, height = std::min(down, view.height - y);
      uint8_t* at = target + codecs::dxt_bytes(codec, view.width, y);
      places.clear();
      for (int x = 0; x < view.width; x += across) {
        places.push_back(at);
        at += codecs::dxt_bytes(codec, std::min(across, view.width - x), height);
      }
      codecs::dxt_encode_row(codec, view, 0, y, across, view.width, height, mode, places, cpu);
    }
  });
}

Work our_decoder(CodecId codec, const uint8_t* blocks, sail::Size size, uint8_t* target,
                 codecs::CpuLevel cpu) {
  const ptrdiff_t stride = ptrdiff_t{4} * size.width;
  return by_rows(codecs::texel_blocks(size.height), [=](int first, int last) {
    const int y = first * kTexelBlock;
    const int height = std::min(last * kTexelBlock, size.height) - y;
    codecs::dxt_decode(codec, blocks, size.width, size.height, 0, y, size.width, height,
                       {target + stride * y, stride}, cpu);
  });
}

Scene::Scene(const Picture& picture, sail::WorkerPool& pool)
    : picture_(picture),
      pool_(pool),
      slow_sample_(sample(picture, 4, 2)),
      slowest_sample_(sample(picture, 20, 12)),
      block_target_(codecs::dxt_bytes(CodecId::kDxt5, picture.size.width, picture.size.height)),
      pixel_target_(picture.pixels.size()) {
  if (!picture.translucent) {
    i420_ = to_yuv(picture, PixelFormat::kI420);
    nv12_ = to_yuv(picture, PixelFormat::kNv12);
    yuv_truth_ = shown(*i420_);
  }
  for (const CodecId codec : {CodecId::kDxt1, CodecId::kDxt5, CodecId::kDxt5YCoCg}) {
    Buffer& blocks = blocks_[static_cast<int>(codec) - 1];
    blocks = Buffer(codecs::dxt_bytes(codec, picture.size.width, picture.size.height));
    our_encoder(codec, picture.view(), codecs::DxtMode::kGood, blocks.data(), codecs::detect_cpu())
        .together(pool);
  }
}

std::optional<Scene::Source> Scene::yuv(const std::optional<YuvPicture>& yuv,
                                        const char* name) const {
  if (!yuv) return std::nullopt;
  return Source{picture_.name + " (" + name + ")", yuv->view, &*yuv_truth_};
}

const uint8_t* Scene::blocks(CodecId codec) const {
  return blocks_[static_cast<int>(codec) - 1].data();
}

bool Scene::counts_alpha(CodecId codec) const {
  return codec == CodecId::kDxt5 && picture_.translucent;
}

double Scene::encoded_psnr_db(CodecId codec, const Work& encode, const Picture& truth) {
  encode.together(pool_);
  our_decoder(codec, block_target(), truth.size, pixel_target(), codecs::detect_cpu())
      .together(pool_);
  return psnr_db(truth, pixel_target(), PixelFormat::kBgra, counts_alpha(codec));
}

double Scene::estimated_psnr_db(CodecId codec, const Work& encode_sample) {
  const auto good = [&](const Picture& picture) {
    const Work work = our_encoder(codec, picture.view(), codecs::DxtMode::kGood, block_target(),
                                  codecs::detect_cpu());
    return encoded_psnr_db(codec, work, picture);
  };
  return good(picture_) + encoded_psnr_db(codec, encode_sample, slowest_sample_) -
         good(slowest_sample_);
}

double Scene::decoded_psnr_db(CodecId codec, const Work& decode, PixelFormat order) {
  std::fill_n(pixel_target(), pixel_target_.size(), uint8_t{0});
  decode.together(pool_);
  return psnr_db(picture_, pixel_target(), order, counts_alpha(codec));
}

}  // namespace bench
