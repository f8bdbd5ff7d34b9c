#include "tests/bench/codec/j2k_profile.h"

#include <fmt/core.h>

#ifndef __aarch64__
#include <x86intrin.h>
#endif

#include <chrono>
#include <functional>

#include "codecs/htj2k/htj2k_packet_reader.h"
#include "codecs/htj2k/htj2k_tile_headers.h"
#include "codecs/j2k/component_planes.h"
#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "codecs/simd/kernels.h"
#include "tests/bench/codec/j2k_candidates.h"

namespace bench {
namespace {

using Ticks = std::array<uint64_t, kJ2kStages>;

// Global, because kernels are plain functions without state.
Ticks counted{};

uint64_t cycles() {
#ifdef __aarch64__
  // Programs cannot read Arm's counter of cycles: this one counts some tens of MHz.
  uint64_t ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return __rdtsc();
#endif
}

class Stopwatch {
 public:
  explicit Stopwatch(J2kStage stage) : ticks_(counted[static_cast<size_t>(stage)]) {}
  ~Stopwatch() { ticks_ += cycles() - begin_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  uint64_t& ticks_;
  uint64_t begin_ = cycles();
};

// Replaces a kernel. `kId` distinguishes kernels of the same type.
template <J2kStage kStage, int kId, class Result, class... Arguments>
struct Counting {
  static inline Result (*kernel)(Arguments...) = nullptr;
  static Result run(Arguments... arguments) {
    const Stopwatch stopwatch(kStage);
    return kernel(arguments...);
  }
};
template <J2kStage kStage, int kId, class Result, class... Arguments>
void count(Result (*&kernel)(Arguments...)) {
  using Here = Counting<kStage, kId, Result, Arguments...>;
  Here::kernel = kernel;
  kernel = Here::run;
}

// A CPU level's kernels with tick counters.
class CountingKernels {
 public:
  explicit CountingKernels(codecs::CpuLevel level)
      : set_(codecs::kernels_for(level)), transform_(*set_.transform), ht_(*set_.ht) {
    count_colors(transform_.color);
    count_wavelet(transform_.irreversible);
    count<J2kStage::kBlocks, 0>(ht_.encode16);
    count<J2kStage::kBlocks, 0>(ht_.decode16);
    count<J2kStage::kBlocks, 0>(ht_.decode16_two);
    set_.transform = &transform_;
    set_.ht = &ht_;
  }
  const codecs::KernelSet& set() const { return set_; }

 private:
  static void count_colors(codecs::ColorKernels& color) {
    count<J2kStage::kColor, 0>(color.to_float);
    count<J2kStage::kColor, 1>(color.forward_irreversible);
    count<J2kStage::kColor, 2>(color.inverse_irreversible);
    count<J2kStage::kColor, 3>(color.round);
    count<J2kStage::kColor, 4>(color.rgba_to_halves);
    count<J2kStage::kColor, 5>(color.bgra_to_halves);
    count<J2kStage::kColor, 6>(color.bytes_to_halves);
    count<J2kStage::kColor, 7>(color.halves_to_bgra);
    count<J2kStage::kColor, 8>(color.halves_to_bytes);
  }
  static void count_wavelet(codecs::WaveletKernels<float>& wavelet) {
    count<J2kStage::kWavelet, 0>(wavelet.lift);
    count<J2kStage::kWavelet, 1>(wavelet.lift_four);
    count<J2kStage::kWavelet, 2>(wavelet.inverse_across);
    count<J2kStage::kWavelet, 3>(wavelet.forward_across);
    count<J2kStage::kWavelet, 4>(wavelet.split);
    count<J2kStage::kWavelet, 5>(wavelet.merge);
    count<J2kStage::kQuantise, 0>(wavelet.quantise16);
    count<J2kStage::kQuantise, 1>(wavelet.quantise32);
    count<J2kStage::kQuantise, 2>(wavelet.restore16);
    count<J2kStage::kQuantise, 3>(wavelet.restore32);
  }

  codecs::KernelSet set_;
  codecs::TransformKernels transform_;
  codecs::HtKernels ht_;
};

// A frame in blocks, and coders with counting kernels.
class ProfiledFrame {
 public:
  ProfiledFrame(Scene& scene, const Scene::Source& source, codecs::CpuLevel level)
      : view_(source.view),
        pixels_(scene.pixel_target()),
        kernels_(level),
        planes_(level),
        encoder_(codecs::make_htj2k_encoder(level, kernels_.set())),
        decoder_(codecs::make_htj2k_decoder(level, kernels_.set())) {
    for (int y = 0; y < view_.height; y += kBlock.height) {
      for (int x = 0; x < view_.width; x += kBlock.width) {
        blocks_.push_back({x, y, std::min(kBlock.width, view_.width - x),
                           std::min(kBlock.height, view_.height - y)});
        const J2kBlock& b = blocks_.back();
        bytes_.emplace_back(codecs::max_block_bytes(codecs::CodecId::kHtj2k, b.width, b.height));
      }
    }
    prefixes_.resize(blocks_.size());
  }

  void encode(float step) {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const J2kBlock& b = blocks_[i];
      const auto prefix =
          encoder_->encode(view_, b.x, b.y, b.width, b.height, {.step = step}, bytes_[i]);
      prefixes_[i] = prefix ? *prefix : codecs::PrefixBytes{};
    }
  }
  void decode(int reduction) {
    for (size_t i = 0; i < blocks_.size(); ++i)
      decoder_->decode(bytes_of(i, reduction), target(i, reduction));
  }
  // Repeats the work outside of kernels alone.
  void read_packets(int reduction) {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const Stopwatch stopwatch(J2kStage::kPackets);
      const std::span<const uint8_t> bytes = bytes_of(i, reduction);
      const auto header = codecs::read_j2k_main_header(bytes);
      parts_.clear();
      size_t at = header->bytes;
      while (const auto part = codecs::read_j2k_tile_part(bytes, at)) {
        parts_.push_back(*part);
        at = part->end;
      }
      tile_.begin(*header, header->coding, 0);
      packets_.read({bytes, parts_, {}}, tile_, reduction);
    }
  }
  void show(int reduction) {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      planes_.begin(*codecs::read_j2k_header(bytes_of(i, reduction)), target(i, reduction));
      const Stopwatch stopwatch(J2kStage::kColor);
      planes_.show(target(i, reduction));
    }
  }

 private:
  static constexpr sail::Size kBlock{480, 240};

  std::span<const uint8_t> bytes_of(size_t i, int reduction) const {
    return std::span(bytes_[i]).first(prefixes_[i][static_cast<size_t>(reduction)]);
  }
  codecs::J2kTarget target(size_t i, int reduction) const {
    const J2kBlock& b = blocks_[i];
    const ptrdiff_t stride = ptrdiff_t{4} * view_.width;
    codecs::J2kTarget target;
    target.width = b.width;
    target.height = b.height;
    target.reduction = reduction;
    target.color = codecs::color_of(view_);
    target.frame_x = b.x;
    target.frame_y = b.y;
    target.pixels = {pixels_ + stride * b.y + ptrdiff_t{4} * b.x, stride};
    return target;
  }

  codecs::ImageView view_;
  uint8_t* pixels_;
  CountingKernels kernels_;
  codecs::ComponentPlanes planes_;
  std::unique_ptr<codecs::J2kEncoder> encoder_;
  std::unique_ptr<codecs::J2kDecoder> decoder_;
  std::vector<J2kBlock> blocks_;
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<codecs::PrefixBytes> prefixes_;
  std::vector<codecs::J2kTilePart> parts_;
  codecs::Htj2kTile tile_;
  codecs::Htj2kPacketReader packets_;
};

// Runs `work` for this time, except for `beside`, which counts only what it measures itself.
J2kProfile profile(double seconds, double pixels, const std::function<void()>& work,
                   const std::function<void()>& beside) {
  using Clock = std::chrono::steady_clock;
  work();
  counted = {};
  uint64_t all = 0;
  int rounds = 0;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    const uint64_t begin = cycles();
    work();
    all += cycles() - begin;
    beside();
    ++rounds;
  } while (Clock::now() < until);
  J2kProfile profile;
  profile.cycles_per_pixel = static_cast<double>(all) / rounds / pixels;
  double rest = 1;
  for (size_t i = 0; i < kJ2kStages; ++i) {
    profile.shares[i] = static_cast<double>(counted[i]) / static_cast<double>(all);
    rest -= profile.shares[i];
  }
  profile.shares[static_cast<size_t>(J2kStage::kRest)] = rest;
  return profile;
}

}  // namespace

std::vector<J2kProfile> profile_j2k(Scene& scene, const Scene::Source& source,
                                    codecs::CpuLevel level, double seconds) {
  const sail::Size size{source.view.width, source.view.height};
  J2kFrame rated(size, size,
                 our_j2k_coder(codecs::CodecId::kHtj2k, level, source.view, scene.pixel_target()));
  rated.set_rate(kJ2kBitsPerPixel, scene.pool());
  ProfiledFrame frame(scene, source, level);
  const double pixels = static_cast<double>(size.width) * size.height;
  std::vector<J2kProfile> profiles;
  profiles.push_back(profile(
      seconds, pixels, [&] { frame.encode(rated.step()); }, [] {}));
  profiles.back().side = "encode";
  for (const int reduction : {0, 1}) {
    profiles.push_back(profile(
        seconds, pixels, [&] { frame.decode(reduction); },
        [&] {
          frame.read_packets(reduction);
          if (codecs::color_of(source.view).matrix != codecs::ColorMatrix::kRgb)
            frame.show(reduction);
        }));
    profiles.back().side = reduction == 0 ? "decode" : "decode half";
  }
  for (J2kProfile& one : profiles) {
    one.content = source.content;
    one.kernel = codecs::cpu_level_name(level);
  }
  return profiles;
}

void print_profiles(const std::vector<J2kProfile>& profiles) {
  fmt::print("{:<16} {:<8} {:<12} {:>8}  {:>7} {:>7} {:>8} {:>7} {:>7} {:>7}\n", "content",
             "kernel", "side", "cycles/", "colour", "wavelet", "quantise", "blocks", "packets",
             "rest");
  fmt::print("{:<16} {:<8} {:<12} {:>8}\n", "", "", "", "pixel");
  for (const J2kProfile& one : profiles) {
    fmt::print("{:<16} {:<8} {:<12} {:>8.2f}  ", one.content, one.kernel, one.side,
               one.cycles_per_pixel);
    constexpr int kWidths[kJ2kStages] = {7, 7, 8, 7, 7, 7};
    for (size_t i = 0; i < kJ2kStages; ++i)
      fmt::print("{:>{}} ", fmt::format("{:.0f} %", 100 * one.shares[i]), kWidths[i]);
    fmt::print("\n");
  }
}

}  // namespace bench
