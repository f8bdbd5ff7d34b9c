// Films from a pipe, and captures of an X11 screen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/support/desktop/x_desktop.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

using testing::HasSubstr;

// A thread writes the bytes into a pipe piece by piece, as fast as they are read.
class PipedBytes {
 public:
  explicit PipedBytes(std::string bytes, bool then_end = true) {
    EXPECT_EQ(pipe(ends_), 0);
    writer_ = std::thread([this, bytes = std::move(bytes), then_end] {
      constexpr size_t kPiece = 1237;
      for (size_t at = 0; at < bytes.size(); at += kPiece) {
        const size_t count = std::min(kPiece, bytes.size() - at);
        if (write(ends_[1], bytes.data() + at, count) < 0) break;
      }
      if (then_end) close(std::exchange(ends_[1], -1));
    });
  }
  // By now all bytes have been read, or fit into the pipe.
  ~PipedBytes() {
    writer_.join();
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  PipedBytes(const PipedBytes&) = delete;
  PipedBytes& operator=(const PipedBytes&) = delete;

  Result<std::unique_ptr<MediaSource>> open(const MediaOptions& more = {}) const {
    MediaOptions options = more;
    options.threads = 2;
    options.descriptor = ends_[0];
    return MediaSource::open("standard input", options);
  }

 private:
  int ends_[2] = {-1, -1};
  std::thread writer_;
};

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(MediaPipe, ContainersAreKnownByTheirBytes) {
  const TempFolder folder;
  const std::pair<const char*, const char*> containers[] = {
      {"film.y4m", "-f yuv4mpegpipe"},
      {"film.nut", "-f nut -c:v rawvideo"},
      {"film.mkv", "-f matroska -c:v ffv1"},
      {"film.ts", "-f mpegts -c:v libx264 -qp 4 -bf 0"},
  };
  for (const auto& [name, how] : containers) {
    const std::string file = make_clip(folder, name, counting_frames("64x48", 40, 25) + " " + how);
    const PipedBytes piped(content_of(file));
    const auto source = piped.open();
    ASSERT_TRUE(source) << name << ": " << source.error().message;
    for (int n = 0; n < 40; ++n) {
      const Picture picture = next_picture(**source);
      ASSERT_EQ(frame_number(picture), n) << name;
      ASSERT_EQ((picture.pts_ns + 500'000) / 1'000'000, n * 40) << name;
    }
    EXPECT_TRUE(times_ms(**source).empty()) << name;
    EXPECT_FALSE((*source)->seek(0)) << name;
  }
}

// Of a live sender, the first picture is shown when few have come.
TEST(MediaPipe, TheFirstPictureIsNotHeldBackToLearnTheRate) {
  const TempFolder folder;
  const std::string file = make_clip(
      folder, "film.ts", counting_frames("64x48", 8, 25) + " -f mpegts -c:v libx264 -qp 4 -bf 0");
  const PipedBytes piped(content_of(file), false);
  const auto source = piped.open();
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*source)->info().rate.numerator, 25U * (*source)->info().rate.denominator);
  EXPECT_EQ(frame_number(next_picture(**source)), 0);
}

TEST(MediaPipe, DepthAndChromaAreKept) {
  const TempFolder folder;
  const std::pair<const char*, sail_pixel_format> formats[] = {{"yuv422p", SAIL_I422},
                                                               {"yuv444p", SAIL_I444},
                                                               {"yuv420p10le", SAIL_I420_DEEP},
                                                               {"yuv422p10le", SAIL_I422_DEEP},
                                                               {"yuv444p12le", SAIL_I444_DEEP}};
  for (const auto& [name, wanted] : formats) {
    const std::string file = make_clip(
        folder, "film.y4m",
        "-f lavfi -i testsrc2=s=66x34:r=25 -frames:v 2 -strict -1 -f yuv4mpegpipe -pix_fmt " +
            std::string(name));
    const PipedBytes piped(content_of(file));
    const auto source = piped.open({.for_j2k = true});
    ASSERT_TRUE(source) << name << ": " << source.error().message;
    const auto from_file = MediaSource::open(file, {.threads = 2, .for_j2k = true});
    ASSERT_TRUE(from_file) << name;
    const Picture picture = next_picture(**source);
    const Picture same = next_picture(**from_file);
    EXPECT_EQ(picture.pixels.format, wanted) << name;
    EXPECT_EQ(picture.pixels.bits, same.pixels.bits) << name;
    for (int plane = 0; plane < 3; ++plane) {
      const auto row = [plane](const Picture& one) {
        constexpr size_t kFewestBytes = 33;  // length of a row
        return std::string(reinterpret_cast<const char*>(one.pixels.planes[plane]), kFewestBytes);
      };
      EXPECT_EQ(row(picture), row(same)) << name << ", plane " << plane;
    }
    next_picture(**source);
    EXPECT_TRUE(times_ms(**source).empty());
  }
}

TEST(MediaPipe, WhatIsNoFilmIsRefused) {
  for (const std::string& bytes : {std::string(), std::string(5000, 'x')}) {
    const PipedBytes piped(bytes);
    const auto source = piped.open();
    ASSERT_FALSE(source);
    EXPECT_THAT(source.error().message, HasSubstr("standard input"));
  }
}

TEST(MediaPipe, AFilmCutShortIsShownAsFarAsItCame) {
  const TempFolder folder;
  const std::string whole = content_of(
      make_clip(folder, "film.y4m", counting_frames("64x48", 5, 25) + " -f yuv4mpegpipe"));
  const PipedBytes piped(whole.substr(0, whole.size() - 1000));
  const auto source = piped.open();
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_GE(times_ms(**source).size(), 4u);
}

TEST(MediaPipe, WaitingForMoreCanBeGivenUp) {
  std::atomic<bool> stop{false};
  const PipedBytes piped("YUV4MPEG2 W64 H48 F25:1 C420jpeg\n", false);
  std::thread stopper([&stop] { stop = true; });
  const auto source = piped.open({.interrupted = [&stop] { return stop.load(); }});
  stopper.join();
  EXPECT_FALSE(source);
}

TEST(CaptureDevice, AScreenIsSeenAsItIs) {
  test::XDesktop desktop({64, 48});
  const xcb_window_t window = desktop.open_window("red", {0, 0, 64, 48});
  const xcb_gcontext_t paint = xcb_generate_id(desktop.connection());
  const uint32_t red = 0xFF0000;
  xcb_create_gc(desktop.connection(), paint, window, XCB_GC_FOREGROUND, &red);
  const xcb_rectangle_t all{0, 0, 64, 48};
  xcb_poly_fill_rectangle(desktop.connection(), window, paint, 1, &all);
  desktop.settle();
  const auto source = MediaSource::open("x11:" + desktop.display(), {.threads = 1});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_TRUE((*source)->info().live);
  const Picture picture = next_picture(**source);
  EXPECT_EQ(picture.size, (Size{64, 48}));
  expect_near(colour_at(picture, 5, 5), {255, 0, 0}, 2, "the corner");
}

TEST(CaptureDevice, WhatIsNotThereIsSaid) {
  EXPECT_THAT(open_error("x11::4242"), HasSubstr("cannot open x11::4242"));
  EXPECT_THAT(open_error("v4l2:/no/such/device"), HasSubstr("v4l2:/no/such/device"));
  EXPECT_FALSE(is_capture_device("/dev/video0"));
}

}  // namespace
}  // namespace sail
