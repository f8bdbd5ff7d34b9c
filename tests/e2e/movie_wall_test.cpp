// bplay playing a pre-compressed film on a whole wall: the tiles show the frames that the film's
// times and the people at the wall ask for.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <thread>

#include "sail/apps/bplay.h"
#include "sail/apps/test_card.h"
#include "sail/apps/test_card_reader.h"
#include "sail/media/picture_queue.h"
#include "sail/media/vmov_writer.h"
#include "tests/support/headless_wall.h"
#include "tests/unit/apps/temp_folder.h"
#include "ui/answers.h"

namespace test {
namespace {

constexpr sail::Size kFrameSize{650, 366};
constexpr int kFps = 25;
constexpr int64_t kFrameTime = 1'000'000'000 / kFps;
constexpr uint64_t kFrames = 100;

// Test card n, from 1, at (n − 1) / kFps.
void write_film(const std::string& name, const std::string& codec) {
  const sail::CodecSpec spec = sail::parse_codec_spec(codec).value();
  const sail::VmovHeader header{.codec = spec.codec,
                                .block_size = sail::default_block_size(spec.codec.id),
                                .frame_size = kFrameSize,
                                .display_size = kFrameSize,
                                .rate = {kFps, 1},
                                .color = {},
                                .recipe = 0,
                                .made_with = codec,
                                .source = "test card"};
  auto writer = sail::VmovWriter::begin(name, header, false);
  ASSERT_TRUE(writer) << writer.error().message;
  sail::TestCard card(kFrameSize, kFps);
  sail::PictureEncoder encoder(spec);
  sail::PictureBlocks blocks({kFrameSize, header.block_size});
  sail::PictureQueue queue(blocks.grid(), frame_budget(spec, kFrameSize, header.rate));
  for (uint64_t n = 1; n <= kFrames; ++n) {
    const codecs::ImageView view = card.paint(n);
    sail::Picture picture;
    picture.size = kFrameSize;
    picture.pixels.format = SAIL_BGRA;
    picture.pixels.planes[0] = view.planes[0];
    picture.pixels.strides[0] = view.strides[0];
    queue.begin({&picture, 1}, {&blocks, 1});
    queue.work(encoder);
    blocks.join();
    ASSERT_TRUE(writer->append(static_cast<int64_t>(n - 1) * kFrameTime, kFrameTime,
                               blocks.lengths(), blocks.bytes()));
  }
  ASSERT_TRUE(writer->finish());
}

class MovieWall : public testing::TestWithParam<const char*> {
 protected:
  MovieWall() {
    const auto wall = sail::parse_wall(
        R"({"grid": {"columns": 2, "rows": 2, "resolution": [320, 180], "mullion": [10, 6]}})");
    wall_ = std::make_unique<HeadlessWall>(wall.value());
  }

  // The frames that the patches on all tiles tell of, when each tile has some.
  std::set<uint32_t> shown_frames() {
    std::set<uint32_t> frames;
    for (const sail::TilePicture& tile : wall_->tiles().snapshot.pictures) {
      codecs::ImageView view;
      view.format = codecs::PixelFormat::kBgra;
      view.width = tile.size.width;
      view.height = tile.size.height;
      view.planes[0] = tile.bgra.data();
      view.strides[0] = ptrdiff_t{tile.size.width} * 4;
      const auto patches = sail::read_test_card(view);
      if (patches.empty()) return {};
      for (const sail::FoundPatch& patch : patches) frames.insert(patch.frame);
    }
    return frames;
  }
  bool comes_to(uint32_t frame) {
    return eventually([&] { return shown_frames() == std::set<uint32_t>{frame}; });
  }
  int window() {
    const sail::Json state = wall_->call("list");
    const sail::Json& windows = ui::member(state, "windows");
    return windows.empty() ? 0 : windows[0].value("window", 0);
  }

  const sail::TempFolder folder_;
  std::unique_ptr<HeadlessWall> wall_;
};

TEST_P(MovieWall, ShowsTheFramesAskedFor) {
  const std::string film = folder_.file("film.vmov");
  write_film(film, GetParam());
  sail::BplayOptions options;
  options.films = {film};
  options.manager = wall_->manager_address();
  options.place = sail::Rect{0, 0, kFrameSize.width, kFrameSize.height};
  options.paused = true;
  options.loop = true;
  options.log_level = sail::LogLevel::kError;
  int code = -1;
  std::thread player([&] { code = sail::Bplay(options).run(); });

  EXPECT_TRUE(eventually([&] { return window() != 0; }));
  const int number = window();
  EXPECT_TRUE(comes_to(1)) << "the first frame of a paused film";
  for (const uint32_t frame : {51U, 2U, 100U}) {
    wall_->call("control", {{"window", number},
                            {"action", "seek"},
                            {"value", (static_cast<double>(frame) - 0.5) / kFps}});
    EXPECT_TRUE(comes_to(frame)) << "sought";
  }
  wall_->call("move", {{"window", number}, {"x", -64}, {"y", 0}});
  wall_->call("move", {{"window", number}, {"x", 0}, {"y", 0}});
  EXPECT_TRUE(comes_to(100)) << "still there after a move";
  wall_->call("control", {{"window", number}, {"action", "resume"}});
  std::set<uint32_t> seen;
  EXPECT_TRUE(eventually([&] {
    const auto frames = shown_frames();
    EXPECT_LE(frames.size(), 1U) << "all tiles show one frame";
    seen.insert(frames.begin(), frames.end());
    return seen.size() > 3;
  })) << "it plays, and begins again at its end";
  wall_->call("close", {{"window", number}});
  player.join();
  EXPECT_EQ(code, 0);
}

INSTANTIATE_TEST_SUITE_P(Codecs, MovieWall, testing::Values("dxt1", "dxt1+lz4", "dxt5ycocg:fast"));

}  // namespace
}  // namespace test
