// scripts/bench codec: our codecs compared with others and with memory bandwidth.
#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <span>
#include <string>

#include "sail/core/command_line/command_line.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "tests/bench/codec/contents.h"
#include "tests/bench/codec/j2k_candidates.h"
#include "tests/bench/codec/j2k_profile.h"
#include "tests/bench/codec/report.h"
#include "tests/bench/codec/scene.h"
#include "tests/bench/codec/timing.h"

namespace bench {
namespace {

constexpr int kTexelRows = 4;  // rows of a texel block

int64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Encodes the picture in blocks, as streams do, once for each line on standard input until the
// input ends: to compare two builds in turns. Prints the CPU time of each in ns, one a line.
// more_pct: share of the height that is encoded twice, to simulate a slower encoder.
void run_codec_steps(const Picture& picture, codecs::CodecId codec, codecs::DxtMode mode,
                     double more_pct) {
  Buffer target(static_cast<size_t>(picture.pixel_count()));  // a byte a pixel is the maximum
  const Work work =
      our_pieces_encoder(codec, picture.view(), mode, target.data(), codecs::detect_cpu());
  work.alone();  // the first frame touches the target's pages
  codecs::ImageView again = picture.view();
  again.height =
      static_cast<int>(std::lround(again.height * more_pct / 100 / kTexelRows)) * kTexelRows;
  Work more;
  if (again.height > 0) {
    more = our_pieces_encoder(codec, again, mode, target.data(), codecs::detect_cpu());
  }
  for (std::string line; std::getline(std::cin, line);) {
    const int64_t before_ns = thread_cpu_ns();
    work.alone();
    if (more.alone) more.alone();
    fmt::print("{}\n", thread_cpu_ns() - before_ns);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace bench

namespace {

using codecs::CodecId;
using codecs::CpuLevel;

constexpr sail::Size kFullSize{3840, 2160};
constexpr sail::Size kStepSize{1920, 1080};  // short steps, and a short start-up
constexpr sail::Size kQuickSize{320, 192};
constexpr CodecId kDxtCodecs[] = {CodecId::kDxt1, CodecId::kDxt5, CodecId::kDxt5YCoCg};

constexpr const char* kDescription =
    "Measures DXT encoders and decoders on 4K pictures, in one process, side by side: ours with "
    "every kernel that this machine runs, libsquish, FFmpeg's (through its Hap codec), and loops "
    "that only move the same bytes (memory-limit).";

constexpr const char* kNotes =
    "One thread is measured in its CPU time, all threads in wall time; medians over rounds in "
    "which each candidate runs once, its picture not in the caches.\n"
    "PSNR is over red, green and blue, with DXT5 over alpha too where the content has any; our "
    "decoder judges all encoders. Contents named (i420) and (nv12) are encoded from YUV: their "
    "PSNR is against that YUV's own RGB, their limit is that of the RGBA frame.\n"
    "Kernels marked * are slow and run on a sample of the picture: one texel block out of 8, or "
    "of 240 for libsquish's cluster fit, which our mode high is made of. Their PSNR is of the "
    "whole picture, that of the cluster fit an estimate: mode good's, plus what the sample gains "
    "over it.\n"
    "Modes named 128x64 encode pixel blocks, as streams have them, row by row of blocks.\n"
    "Decoders decode what our mode good has encoded.\n"
    "JPEG 2000 at 2 bits a pixel, of high throughput at what --rate says: ours (vitrail; of high "
    "throughput every level) in "
    "blocks, "
    "and OpenJPEG or OpenJPH alone (a second version, too, where the build was given its sources), "
    "samples in and samples out, on the same blocks and on the whole "
    "frame; modes name the size. Of high throughput, modes with half decode pictures of half the "
    "size, those with quarter the upper left quarter of the picture, counted as all of it: the "
    "ratio to the plain mode's rate is what that saves.\n\n"
    "JSON: a list of {codec, mode, kernel, side, content, threads, mpixel_per_s, psnr_db, "
    "bits_per_pixel, ratio_to_memory_limit}; psnr_db is null for the memory limits and where less "
    "than "
    "all is decoded, the ratio for JPEG 2000. Other people's "
    "kernels stand under the mode that is nearest to theirs.";

struct Options {
  std::vector<std::string> contents = bench::content_names();
  std::vector<std::string> images;
  std::vector<std::string> codecs = {"dxt1", "dxt5", "dxt5ycocg", "j2k", "htj2k"};
  double seconds = 20;
  std::vector<std::string> rates = {"2"};
  int threads = sail::WorkerPool::default_threads() + 1;
  bool quick = false;
  bool profile = false;
  std::string step_mode;
  double more_pct = 0;
  std::string json_file;

  std::vector<double> bits_per_pixel() const {
    std::vector<double> bits;
    for (const std::string& rate : rates)
      bits.push_back(rate == "lossless" ? bench::kJ2kLossless : std::stod(rate));
    return bits;
  }
  sail::Size size() const {
    if (quick) return kQuickSize;
    return step_mode.empty() ? kFullSize : kStepSize;
  }
  bench::Rounds rounds() const {
    return quick ? bench::Rounds{0, 1, false} : bench::Rounds{seconds, 3, true};
  }
};

// Progress on standard error; overwrites one line on a terminal.
class Progress {
 public:
  void tell(const std::string& text) {
    if (terminal_) {
      fmt::print(stderr, "\r{:<70}", text);
    } else if (text != last_) {
      fmt::print(stderr, "{}\n", text);
    }
    last_ = text;
  }
  void round(const std::string& content, int round, double seconds) {
    last_round_ = fmt::format("{}: {} rounds, {:.0f} s", content, round, seconds);
    if (terminal_) tell(last_round_);
  }
  void measured() { tell(last_round_); }
  void done() const {
    if (terminal_) fmt::print(stderr, "\r{:70}\r", "");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::string last_;
  std::string last_round_;
};

class CodecBench {
 public:
  explicit CodecBench(const Options& options) : options_(options), pool_(options.threads - 1) {}

  sail::Result<std::vector<bench::Row>> run() {
    std::vector<bench::Picture> images;  // first: an unreadable file fails at once
    for (const std::string& path : options_.images) {
      auto picture = bench::read_image(path, options_.size());
      if (!picture) return std::move(picture.error());
      images.push_back(std::move(*picture));
    }
    std::vector<bench::Row> rows;
    for (const std::string& name : options_.contents) {
      progress_.tell(name + ": drawing");
      measure(bench::draw_content(name, options_.size(), pool_), rows);
    }
    for (const bench::Picture& picture : images) measure(picture, rows);
    progress_.done();
    return rows;
  }

 private:
  void measure(const bench::Picture& picture, std::vector<bench::Row>& rows) {
    progress_.tell(picture.name + ": judging the quality");
    bench::Scene scene(picture, pool_);
    if (options_.profile) return profile(picture, scene);
    std::vector<bench::Candidate> candidates;
    for (const CodecId codec : kDxtCodecs) {
      if (!is_wanted(codec)) continue;
      if (picture.translucent && codec != CodecId::kDxt5) continue;  // the others drop alpha
      bench::add_memory_limits(scene, codec, candidates);
      bench::add_our_codec(scene, codec, candidates);
      bench::add_squish(scene, codec, candidates);
      bench::add_hap(scene, codec, candidates);
      bench::add_etcpak(scene, codec, candidates);
    }
    if (is_wanted(CodecId::kJ2k) && !picture.translucent)
      bench::add_j2k(scene, CodecId::kJ2k, {bench::kJ2kBitsPerPixel}, candidates);
    if (is_wanted(CodecId::kHtj2k) && !picture.translucent)
      bench::add_j2k(scene, CodecId::kHtj2k, options_.bits_per_pixel(), candidates);
    if (candidates.empty()) return;
    progress_.tell(picture.name + ": measuring");
    const auto timings = bench::time_candidates(
        candidates, pool_, options_.rounds(),
        [&](int round, double seconds) { progress_.round(picture.name, round, seconds); });
    progress_.measured();
    const auto more = bench::make_rows(candidates, timings, options_.threads);
    rows.insert(rows.end(), more.begin(), more.end());
  }

  // Printed at once, because other codecs have nothing to compare.
  void profile(const bench::Picture& picture, bench::Scene& scene) {
    if (picture.translucent) return;
    std::vector<bench::J2kProfile> profiles;
    const double seconds = options_.quick ? 0 : options_.seconds / 12;
    for (const CpuLevel level : std::span(codecs::kCpuLevels).last<2>()) {
      if (level > codecs::detect_cpu()) continue;
      for (const auto& source : {std::optional(scene.rgba()), scene.i420()}) {
        if (!source) continue;
        const auto more = bench::profile_j2k(scene, *source, level, seconds);
        profiles.insert(profiles.end(), more.begin(), more.end());
      }
    }
    progress_.done();
    bench::print_profiles(profiles);
  }

  bool is_wanted(CodecId codec) const {
    const auto& wanted = options_.codecs;
    return std::find(wanted.begin(), wanted.end(), bench::codec_name(codec)) != wanted.end();
  }

  const Options& options_;
  sail::WorkerPool pool_;
  Progress progress_;
};

int fail(const std::string& text) {
  fmt::print(stderr, "bench: {}\n", text);
  return 1;
}

int run_steps(const Options& options) {
  const auto codec = std::find_if(
      std::begin(kDxtCodecs), std::end(kDxtCodecs),
      [&](const CodecId one) { return options.codecs.front() == bench::codec_name(one); });
  if (codec == std::end(kDxtCodecs) || options.contents.empty()) {
    return fail("--steps needs a --content and a --codec of DXT");
  }
  sail::WorkerPool pool(options.threads - 1);
  const auto picture = bench::draw_content(options.contents.front(), options.size(), pool);
  const bool fast = options.step_mode == "fast";
  bench::run_codec_steps(picture, *codec, fast ? codecs::DxtMode::kFast : codecs::DxtMode::kGood,
                         options.more_pct);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("scripts/bench codec", kDescription);
  line.notes(kNotes);
  Options options;
  bool only_images = false;
  line.option("--content", options.contents, "Which drawn pictures; all of them when not given")
      .one_of(bench::content_names());
  line.option("--image", options.images,
              "Measure these files too: anything FFmpeg opens; scaled down or repeated to 4K")
      .existing_file();
  line.flag("--only-images", only_images, "No drawn pictures, only those of --image");
  line.option("--codec", options.codecs, "Which codecs; all of them when not given")
      .one_of({"dxt1", "dxt5", "dxt5ycocg", "j2k", "htj2k"});
  line.option("--rate", options.rates, "Bits a pixel of high throughput; other modes say which")
      .one_of({"1", "2", "4", "lossless"})
      .shows_default();
  line.option("--seconds", options.seconds, "For the rounds of each picture; at least 3 rounds")
      .between(0.0, 3600.0)
      .shows_default();
  line.option("--threads", options.threads, "What \"all threads\" are; 1: only one is measured")
      .between(1, 64)
      .shows_default();
  line.flag("--quick", options.quick,
            "Small pictures, once, from the caches: shows that it runs, not how fast");
  line.flag(
      "--profile", options.profile,
      "Where the cycles of htj2k go, by stage, instead; kernels that count are a little slower");
  line.option("--steps", options.step_mode,
              "Encode the first --content with the first --codec, once for each line of input, and "
              "tell the CPU time, ns: for scripts/bench compare")
      .one_of({"fast", "good"});
  line.option("--more-work", options.more_pct,
              "With --steps: percent of the picture are encoded twice")
      .between(0.0, 100.0);
  line.option("--json", options.json_file, "Write the rows to this file, too");
  if (const auto answer = line.read(argc, argv)) return answer->say();
  if (only_images) options.contents.clear();
  if (only_images && options.images.empty()) return fail("--only-images needs --image");
  std::ofstream file;
  if (!options.json_file.empty()) file.open(options.json_file);
  if (!file) return fail("cannot write " + options.json_file);

  av_log_set_level(AV_LOG_ERROR);
  if (!options.step_mode.empty()) return run_steps(options);
  const auto rows = CodecBench(options).run();
  if (!rows) return fail(rows.error().message);
  if (options.profile) return 0;
  if (rows->empty()) return fail("nothing to measure: what is translucent is for dxt5 only");
  bench::print_table(*rows);
  if (options.json_file.empty()) return 0;
  file << bench::rows_json(*rows).dump(2) << "\n";
  return file.flush() ? 0 : fail("cannot write " + options.json_file);
}
