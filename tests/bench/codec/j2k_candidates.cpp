#include "tests/bench/codec/j2k_candidates.h"

#include <fmt/core.h>

#include <span>
#include <utility>
#include <vector>

#include "tests/bench/codec/j2k_coder.h"

namespace bench {
namespace {

using codecs::CodecId;
using codecs::CpuLevel;

constexpr sail::Size kBlock{480, 240};  // block size of streams

Work encoder(const std::shared_ptr<J2kFrame>& frame) {
  return {[frame] { frame->encode(nullptr); },
          [frame](sail::WorkerPool& pool) { frame->encode(&pool); }};
}
Work decoder(const std::shared_ptr<J2kFrame>& frame) {
  return {[frame] { frame->decode(nullptr); },
          [frame](sail::WorkerPool& pool) { frame->decode(&pool); }};
}

// One source; its candidates share ownership of its data.
class J2kSource {
 public:
  J2kSource(Scene& scene, CodecId codec, const Scene::Source& source)
      : scene_(scene),
        codec_(codec),
        source_(source),
        view_(std::make_shared<codecs::ImageView>(source.view)),
        samples_(std::make_shared<J2kSamples>(*view_)) {}

  void add(double rate, std::vector<Candidate>& candidates) {
    for (const bool whole : {false, true}) {
      const sail::Size size{view_->width, view_->height};
      const sail::Size block = whole ? size : kBlock;
      const auto ours = std::make_shared<J2kFrame>(size, block, our_coder(codecs::detect_cpu()));
      ours->set_rate(rate, scene_.pool());
      ours->decode(&scene_.pool());
      const double psnr =
          psnr_db(*source_.truth, scene_.pixel_target(), codecs::PixelFormat::kBgra, false);
      const std::string mode =
          (whole ? "whole" : fmt::format("{}x{}", block.width, block.height)) + name_of(rate);
      if (codec_ == CodecId::kHtj2k) {
        add_levels(mode, block, *ours, psnr, candidates);
      } else if (!whole) {
        add_both("vitrail", mode, ours, psnr, candidates);
      }
      for (const auto& [library, make] : libraries()) {
        const auto alone = std::make_shared<J2kFrame>(
            size, block, [samples = samples_, coder = make(*samples_)] { return coder(); });
        alone->set_step(ours->step());
        alone->take_bytes(*ours);
        add_both(library, mode, alone, psnr, candidates);
      }
    }
    if (codec_ == CodecId::kJ2k) add_ffmpeg(candidates);
  }

 private:
  static std::string name_of(double rate) {
    if (rate == kJ2kBitsPerPixel) return "";
    return rate == kJ2kLossless ? " lossless" : fmt::format(" {}bpp", rate);
  }

  // Our coder at each CPU level: the bytes are the same.
  void add_levels(const std::string& mode, sail::Size block, const J2kFrame& same, double psnr,
                  std::vector<Candidate>& candidates) const {
    for (const CpuLevel level : std::span(codecs::kCpuLevels).subspan(1)) {
      if (level > codecs::detect_cpu()) continue;
      const sail::Size size{view_->width, view_->height};
      const auto frame = std::make_shared<J2kFrame>(size, block, our_coder(level));
      frame->set_step(same.step());
      frame->take_bytes(same);
      add_both(codecs::cpu_level_name(level), mode, frame, psnr, candidates);
      add_less(level, J2kShown::kHalved, mode + " half", block, same, candidates);
      if (block == size) {
        add_less(level, J2kShown::kQuarter, mode + " quarter", block, same, candidates);
      }
    }
  }
  // Counted as the whole picture, so that rates show the saving.
  void add_less(CpuLevel level, J2kShown shown, const std::string& mode, sail::Size block,
                const J2kFrame& same, std::vector<Candidate>& candidates) const {
    const sail::Size size{view_->width, view_->height};
    const auto frame = std::make_shared<J2kFrame>(size, block, our_coder(level, shown));
    frame->take_bytes(same);
    Candidate candidate = candidate_of(codecs::cpu_level_name(level), mode, *frame);
    candidate.side = Side::kDecode;
    candidate.work = decoder(frame);
    candidates.push_back(std::move(candidate));
  }

  // At the same rate; our decoder measures the quality of its codestream.
  void add_ffmpeg(std::vector<Candidate>& candidates) {
    const sail::Size size{view_->width, view_->height};
    const auto peer = std::make_shared<J2kFrame>(
        size, size, [view = view_, make = ffmpeg_jpeg2000(*view_)] { return make(); });
    peer->set_rate(kJ2kBitsPerPixel, scene_.pool());
    J2kFrame judge(size, size, our_coder(codecs::detect_cpu()));
    judge.take_bytes(*peer);
    if (!judge.decode(nullptr)) return;
    const double psnr =
        psnr_db(*source_.truth, scene_.pixel_target(), codecs::PixelFormat::kBgra, false);
    add_both("ffmpeg", "whole", peer, psnr, candidates);
  }

  MakeJ2kCoder our_coder(CpuLevel cpu, J2kShown shown = J2kShown::kAll) const {
    return [view = view_, make = our_j2k_coder(codec_, cpu, *view_, scene_.pixel_target(), shown)] {
      return make();
    };
  }
  std::vector<std::pair<const char*, MakeJ2kCoder (*)(const J2kSamples&)>> libraries() const {
    if (codec_ == CodecId::kJ2k) return {{"openjpeg", openjpeg_alone}};
    return {
        {"openjph", openjph_alone},
#ifdef NEWER_OPENJPH
        {NEWER_OPENJPH, newer_openjph_alone},
#endif
    };
  }

  Candidate candidate_of(const char* kernel, const std::string& mode, const J2kFrame& frame) const {
    Candidate candidate;
    candidate.codec = codec_;
    candidate.mode = mode;
    candidate.kernel = kernel;
    candidate.content = source_.content;
    candidate.pixels = int64_t{view_->width} * view_->height;
    candidate.bits_per_pixel = frame.bits_per_pixel();
    return candidate;
  }
  void add_both(const char* kernel, const std::string& mode, const std::shared_ptr<J2kFrame>& frame,
                double psnr, std::vector<Candidate>& candidates) const {
    Candidate candidate = candidate_of(kernel, mode, *frame);
    candidate.psnr_db = psnr;
    candidate.side = Side::kEncode;
    candidate.work = encoder(frame);
    candidates.push_back(candidate);
    candidate.side = Side::kDecode;
    candidate.work = decoder(frame);
    candidates.push_back(std::move(candidate));
  }

  Scene& scene_;
  CodecId codec_;
  Scene::Source source_;
  std::shared_ptr<codecs::ImageView> view_;
  std::shared_ptr<J2kSamples> samples_;
};

}  // namespace

void add_j2k(Scene& scene, CodecId codec, const std::vector<double>& rates,
             std::vector<Candidate>& candidates) {
  for (const double rate : rates) {
    J2kSource(scene, codec, scene.rgba()).add(rate, candidates);
    if (const auto source = scene.i420()) J2kSource(scene, codec, *source).add(rate, candidates);
  }
}

}  // namespace bench
