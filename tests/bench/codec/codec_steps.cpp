#include "tests/bench/codec/codec_steps.h"

#include <fmt/core.h>
#include <time.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include "tests/bench/codec/scene.h"

namespace bench {
namespace {

constexpr int kTexelRows = 4;  // rows of a texel block

int64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

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

}  // namespace bench
