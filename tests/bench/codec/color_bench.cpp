// scripts/bench color: HDR to a display on one core, and how far the table is from the exact
// transform.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codecs/color/color_table.h"
#include "sail/core/command_line/command_line.h"
#include "tests/bench/codec/color_difference.h"

namespace {

using codecs::CpuLevel;
using codecs::Rgb;

constexpr int kBits = 10;
constexpr double kPeak = 1000;
constexpr codecs::SourceColor kFilm = {codecs::Primaries::kBt2020, codecs::Transfer::kPq, kPeak};

// A 4:2:0 frame of ten bits: ramps of light with grain, and slow changes of hue.
class Frame {
 public:
  Frame(int width, int height) : width_(width), height_(height) {
    const auto value = [](double level, int x, int y) {
      return static_cast<uint16_t>(std::clamp(level + (x * 7919 + y * 104729) % 7, 0.0, 1023.0));
    };
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) samples_.push_back(value(64 + 650.0 * x / width, x, y));
    }
    for (int plane = 1; plane < 3; ++plane) {
      for (int y = 0; y < height / 2; ++y) {
        for (int x = 0; x < width / 2; ++x) {
          samples_.push_back(value(512 + 90 * std::sin((x + plane * 200.0 + 2 * y) / 300), x, y));
        }
      }
    }
  }

  codecs::ImageView view() const {
    codecs::ImageView view{
        .format = codecs::PixelFormat::kI420Deep, .width = width_, .height = height_};
    view.matrix = codecs::ColorMatrix::kBt2020;
    view.bits = kBits;
    const auto luma = ptrdiff_t{width_} * height_;
    const ptrdiff_t starts[3] = {0, luma, luma + luma / 4};
    for (int i = 0; i < 3; ++i) {
      view.planes[i] = reinterpret_cast<const uint8_t*>(samples_.data() + starts[i]);
      view.strides[i] = ptrdiff_t{2} * (i == 0 ? width_ : width_ / 2);
    }
    return view;
  }
  const std::vector<uint16_t>& samples() const { return samples_; }
  double pixels() const { return static_cast<double>(width_) * height_; }
  std::string size() const { return fmt::format("{}x{}", width_, height_); }

 private:
  int width_;
  int height_;
  std::vector<uint16_t> samples_;
};

// Seconds of the fastest run.
double best_of(double seconds, const std::function<void()>& once) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  double best = std::numeric_limits<double>::max();
  while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    const auto began = Clock::now();
    once();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - began).count());
  }
  return best;
}

// Pixels a second of a frame through the table.
double table_speed(const Frame& frame, CpuLevel cpu, double seconds) {
  const codecs::ColorTable table(kFilm, {}, codecs::ColorTable::Output::kYuv);
  const codecs::ImageView view = frame.view();
  std::vector<uint8_t> shown(frame.samples().size());
  codecs::PlaneTarget target;
  for (int i = 0; i < 3; ++i) {
    target.planes[i] = shown.data() + (view.planes[i] - view.planes[0]) / 2;
    target.strides[i] = view.strides[i] / 2;
  }
  return frame.pixels() / best_of(seconds, [&] { table.convert(view, target, cpu); });
}

// Reads the frame and writes as many bytes as a conversion does.
double memory_speed(const Frame& frame, double seconds) {
  const std::vector<uint16_t>& from = frame.samples();
  std::vector<uint8_t> to(from.size());
  return frame.pixels() / best_of(seconds, [&] {
           for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<uint8_t>(from[i] >> 2);
           // Keeps the loop.
           asm volatile("" : : "r"(to.data()) : "memory");
         });
}

// The same frames through the ffmpeg program's filters; 0 if it has none of them.
double tonemap_speed(const Frame& frame, int frames) {
  const auto run = [&](const std::string& filters) {
    const std::string command = fmt::format(
        "ffmpeg -nostdin -loglevel quiet -filter_threads 1 -f lavfi -i \"color=gray:s={}:r=25,"
        "format=yuv420p10le,setparams=color_trc=smpte2084:color_primaries=bt2020:colorspace="
        "bt2020nc:range=tv,{}\" -frames:v {} -f null -",
        frame.size(), filters, frames);
    const auto began = std::chrono::steady_clock::now();
    if (std::system(command.c_str()) != 0) return 0.0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  const double idle = run("null");
  const double busy =
      run("zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius,zscale=t=bt709:m="
          "bt709:r=tv,format=yuv420p");
  return busy > idle && idle > 0 ? frame.pixels() * frames / (busy - idle) : 0;
}

struct Differences {
  double mean = 0;
  double p99 = 0;
};

// ΔE2000 between the table and the exact transform: all patches of a grid, and a ramp of greys.
Differences differences(int steps) {
  const codecs::ColorTransform transform(kFilm, {});
  const codecs::ColorTable table(kFilm, {}, codecs::ColorTable::Output::kBgra);
  constexpr double kMost = 65535;
  std::vector<uint16_t> samples;
  const auto add = [&](double signal) {
    samples.push_back(static_cast<uint16_t>(
        std::lround(kMost * signal * transform.brightest_signal() / (steps - 1))));
  };
  for (int i = 0; i < steps * steps * steps; ++i) {
    add(i / (steps * steps));
    add(i / steps % steps);
    add(i % steps);
  }
  for (int i = 0; i < steps; ++i) {
    for (int c = 0; c < 3; ++c) add(i);
  }
  const int count = static_cast<int>(samples.size() / 3);
  codecs::ImageView row{.format = codecs::PixelFormat::kRgbDeep, .width = count, .height = 1};
  row.bits = 16;
  row.planes[0] = reinterpret_cast<const uint8_t*>(samples.data());
  std::vector<uint8_t> bgra(samples.size() / 3 * 4);
  table.convert(row, {.planes = {bgra.data()}, .strides = {}}, codecs::detect_cpu());
  std::vector<double> all;
  double sum = 0;
  for (size_t i = 0; i < bgra.size() / 4; ++i) {
    const uint16_t* sample = samples.data() + 3 * i;
    const Rgb exact = transform.show({sample[0] / kMost, sample[1] / kMost, sample[2] / kMost});
    const uint8_t* pixel = bgra.data() + 4 * i;
    const Rgb shown = {pixel[2] / 255.0, pixel[1] / 255.0, pixel[0] / 255.0};
    all.push_back(bench::delta_e(exact, shown));
    sum += all.back();
  }
  std::ranges::sort(all);
  return {sum / static_cast<double>(all.size()), all[all.size() * 99 / 100]};
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1;
  bool quick = false;
  std::string json_file;
  sail::CommandLine line(
      "scripts/bench color",
      "Measures the conversion of HDR for a display on one core, and its error.");
  line.option("--seconds", seconds, "How long to measure each").positive();
  line.flag("--quick", quick, "Use small frames and few colours");
  line.option("--json", json_file, "Write the figures to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();

  const Frame frame = quick ? Frame(320, 180) : Frame(3840, 2160);
  nlohmann::ordered_json figures;
  const auto note = [&](const std::string& kernel, double speed) {
    fmt::print("{:<16} {:>10.1f} Mpixel/s\n", kernel, speed / 1e6);
    figures["mpixel_per_s"][kernel] = speed / 1e6;
  };
  for (const CpuLevel cpu : codecs::kCpuLevels) {
    if (cpu <= codecs::detect_cpu()) {
      note(codecs::cpu_level_name(cpu), table_speed(frame, cpu, seconds));
    }
  }
  note("memory-limit", memory_speed(frame, seconds));
  if (const double speed = tonemap_speed(frame, quick ? 50 : 10); speed > 0) {
    note("ffmpeg-tonemap", speed);
  }
  const Differences error = differences(quick ? 13 : 41);
  fmt::print("ΔE2000 to the exact transform: mean {:.3f}, 99th percentile {:.3f}\n", error.mean,
             error.p99);
  figures["delta_e_mean"] = error.mean;
  figures["delta_e_p99"] = error.p99;
  if (json_file.empty()) return 0;
  std::ofstream file(json_file);
  file << figures.dump(2) << "\n";
  return file.flush() ? 0 : 1;
}
