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
#include <numbers>
#include <string>
#include <vector>

#include "codecs/color/color_transform.h"
#include "codecs/color/yuv_color_table.h"
#include "codecs/simd/sample_kernels.h"
#include "sail/core/command_line/command_line.h"

namespace {

using codecs::CpuLevel;
using codecs::Rgb;

struct Lab {
  double light;
  double a;
  double b;
};

Lab lab_of(const Rgb& color) {
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const auto curve = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double r = linear(color[0]), g = linear(color[1]), b = linear(color[2]);
  const double x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double seventh_root(double chroma) {
  const double power = std::pow(chroma, 7);
  return std::sqrt(power / (power + std::pow(25, 7)));
}

constexpr double kTurn = 2 * std::numbers::pi;

double hue_of(double a, double b) {
  const double angle = std::atan2(b, a);
  return angle < 0 ? angle + kTurn : angle;
}

// The visible difference of two sRGB colours, R'G'B' of 0 … 1: CIEDE2000 (ISO/CIE 11664-6).
double delta_e(const Rgb& first, const Rgb& second) {
  const Lab one = lab_of(first), two = lab_of(second);
  const double scale =
      1.5 - 0.5 * seventh_root((std::hypot(one.a, one.b) + std::hypot(two.a, two.b)) / 2);
  const double a1 = one.a * scale, a2 = two.a * scale;
  const double c1 = std::hypot(a1, one.b), c2 = std::hypot(a2, two.b);
  const double h1 = hue_of(a1, one.b), h2 = hue_of(a2, two.b);
  const bool grey = c1 * c2 == 0;
  double turn = grey ? 0 : h2 - h1;
  double hue = grey ? h1 + h2 : (h1 + h2) / 2;
  if (std::abs(turn) > kTurn / 2) {
    turn += turn > 0 ? -kTurn : kTurn;
    hue += hue < kTurn / 2 ? kTurn / 2 : -kTurn / 2;
  }
  constexpr double kDegree = std::numbers::pi / 180;
  const double light = (one.light + two.light) / 2 - 50, chroma = (c1 + c2) / 2;
  const double t = 1 - 0.17 * std::cos(hue - 30 * kDegree) + 0.24 * std::cos(2 * hue) +
                   0.32 * std::cos(3 * hue + 6 * kDegree) - 0.20 * std::cos(4 * hue - 63 * kDegree);
  const double of_light =
      (two.light - one.light) / (1 + 0.015 * light * light / std::sqrt(20 + light * light));
  const double of_chroma = (c2 - c1) / (1 + 0.045 * chroma);
  const double of_hue = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2) / (1 + 0.015 * chroma * t);
  const double blue = (hue / kDegree - 275) / 25;
  const double rotation =
      -2 * seventh_root(chroma) * std::sin(60 * kDegree * std::exp(-blue * blue));
  return std::sqrt(of_light * of_light + of_chroma * of_chroma + of_hue * of_hue +
                   rotation * of_chroma * of_hue);
}

constexpr int kBits = 10;
constexpr double kPeak = 1000;
constexpr codecs::ColorMatrix kMatrix = codecs::ColorMatrix::kBt2020;
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
    view.matrix = kMatrix;
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
  const codecs::YuvColorTable table(kFilm, {}, kMatrix);
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

// Rows of 16-bit Y, Cb, Cr: all patches of a grid of R'G'B', which the exact transform shows.
struct Patches {
  std::vector<uint16_t> samples[3];
  std::vector<Rgb> exact;
};
Patches patches(int steps) {
  const codecs::ColorTransform transform(kFilm, {});
  const codecs::DeepYuvMatrix m = codecs::deep_matrix({kMatrix, codecs::ColorRange::kFull}, 16);
  const double step = transform.brightest_signal() / (steps - 1);
  Patches all;
  for (int i = 0; i < steps * steps * steps; ++i) {
    const Rgb signal = {step * (i / (steps * steps)), step * (i / steps % steps),
                        step * (i % steps)};
    const double luma = 0.2627 * signal[0] + 0.678 * signal[1] + 0.0593 * signal[2];
    const double values[3] = {luma * 255 / m.y, m.middle + (signal[2] - luma) * 255 / m.cb_to_blue,
                              m.middle + (signal[0] - luma) * 255 / m.cr_to_red};
    for (int c = 0; c < 3; ++c) {
      all.samples[c].push_back(static_cast<uint16_t>(std::lround(std::min(values[c], 65535.0))));
    }
    all.exact.push_back(transform.show(signal));
  }
  return all;
}

// ΔE2000 between eight-bit YUV by the table and the exact transform.
Differences differences(int steps) {
  const Patches colors = patches(steps);
  const int count = static_cast<int>(colors.exact.size());
  codecs::ImageView row{.format = codecs::PixelFormat::kI444Deep, .width = count, .height = 1};
  row.range = codecs::ColorRange::kFull;
  row.bits = 16;
  std::vector<uint8_t> levels[3];
  codecs::PlaneTarget target;
  for (int i = 0; i < 3; ++i) {
    row.planes[i] = reinterpret_cast<const uint8_t*>(colors.samples[i].data());
    levels[i].resize(colors.exact.size());
    target.planes[i] = levels[i].data();
  }
  codecs::YuvColorTable(kFilm, {}, kMatrix).convert(row, target, codecs::detect_cpu());
  std::vector<double> all;
  double sum = 0;
  for (size_t i = 0; i < colors.exact.size(); ++i) {
    const double luma = (levels[0][i] - 16) / 219.0;
    const double red = luma + 1.5748 * (levels[2][i] - 128) / 224;
    const double blue = luma + 1.8556 * (levels[1][i] - 128) / 224;
    Rgb shown = {red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue};
    for (double& value : shown) value = std::clamp(value, 0.0, 1.0);
    all.push_back(delta_e(colors.exact[i], shown));
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
