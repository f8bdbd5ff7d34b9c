#include "tests/bench/codec/scene.h"

#include <utility>

namespace bench {
namespace {

using codecs::CodecId;
using codecs::CpuLevel;
using codecs::DxtMode;

const char* mode_name(DxtMode mode) {
  switch (mode) {
    case DxtMode::kFast:
      return "fast";
    case DxtMode::kGood:
      return "good";
    case DxtMode::kHigh:
      return "high";
  }
  return "unknown";
}

std::vector<CpuLevel> levels_from(CpuLevel first) {
  std::vector<CpuLevel> levels;
  for (int i = static_cast<int>(first); i <= static_cast<int>(codecs::detect_cpu()); ++i) {
    levels.push_back(static_cast<CpuLevel>(i));
  }
  return levels;
}

Candidate encoder(Scene& scene, CodecId codec, DxtMode mode, const std::string& content,
                  const codecs::ImageView& view, CpuLevel cpu) {
  Candidate candidate;
  candidate.codec = codec;
  candidate.mode = mode_name(mode);
  candidate.kernel = codecs::cpu_level_name(cpu);
  candidate.side = Side::kEncode;
  candidate.content = content;
  candidate.pixels = int64_t{view.width} * view.height;
  candidate.work = our_encoder(codec, view, mode, scene.block_target(), cpu);
  return candidate;
}

// All kernels give the same bits, so the quality of one is that of all.
void add_encoders(Scene& scene, CodecId codec, DxtMode mode, const Scene::Source& source,
                  CpuLevel first, std::vector<Candidate>& candidates) {
  Candidate best = encoder(scene, codec, mode, source.content, source.view, codecs::detect_cpu());
  const double psnr_db = scene.encoded_psnr_db(codec, best.work, *source.truth);
  for (const CpuLevel cpu : levels_from(first)) {
    const bool slow = cpu == CpuLevel::kReference;
    Candidate candidate = encoder(scene, codec, mode, source.content,
                                  slow ? scene.slow_sample().view() : source.view, cpu);
    candidate.sampled = slow;
    candidate.psnr_db = psnr_db;
    candidates.push_back(std::move(candidate));
  }
  // With the same bits.
  best.mode += " 128x64";
  best.work =
      our_pieces_encoder(codec, source.view, mode, scene.block_target(), codecs::detect_cpu());
  best.psnr_db = psnr_db;
  candidates.push_back(std::move(best));
}

void add_high(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  const Picture& picture = scene.slowest_sample();
  Candidate candidate =
      encoder(scene, codec, DxtMode::kHigh, picture.name, picture.view(), codecs::detect_cpu());
  candidate.sampled = true;
  candidate.psnr_db = scene.estimated_psnr_db(codec, candidate.work);
  candidates.push_back(std::move(candidate));
}

void add_decoders(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  for (const CpuLevel cpu : levels_from(CpuLevel::kReference)) {
    Candidate candidate;
    candidate.codec = codec;
    candidate.mode = mode_name(DxtMode::kGood);
    candidate.kernel = codecs::cpu_level_name(cpu);
    candidate.side = Side::kDecode;
    candidate.content = scene.picture().name;
    candidate.pixels = scene.picture().pixel_count();
    candidate.work =
        our_decoder(codec, scene.blocks(codec), scene.picture().size, scene.pixel_target(), cpu);
    candidate.psnr_db = scene.decoded_psnr_db(codec, candidate.work, codecs::PixelFormat::kBgra);
    candidates.push_back(std::move(candidate));
  }
}

}  // namespace

void add_our_codec(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  for (const DxtMode mode : {DxtMode::kFast, DxtMode::kGood}) {
    add_encoders(scene, codec, mode, scene.rgba(), CpuLevel::kReference, candidates);
    if (codec == CodecId::kDxt5) continue;  // video has no alpha
    if (const auto source = scene.i420()) {
      add_encoders(scene, codec, mode, *source, codecs::kCpuLevels[1], candidates);
    }
    if (codec != CodecId::kDxt1) continue;
    if (const auto source = scene.nv12()) {
      add_encoders(scene, codec, mode, *source, codecs::kCpuLevels[1], candidates);
    }
  }
  add_high(scene, codec, candidates);
  add_decoders(scene, codec, candidates);
}

}  // namespace bench
