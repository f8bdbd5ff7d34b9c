#include "sail/media/film/film_converter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "codecs/dxt/dxt.h"
#include "sail/media/vmov/vmov_reader.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr const char* kBusyFilm =
    "-f lavfi -i testsrc2=s=300x140:r=25 -frames:v 40 -c:v libx264 -g 12 ";

// The blocks that SAIL would send for the picture, encoded in one thread.
std::vector<std::vector<uint8_t>> plain_blocks(const Picture& picture, const CodecSpec& spec) {
  std::vector<std::vector<uint8_t>> blocks;
  const BlockGrid grid(picture.size, kDefaultBlockSize);
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const Rect rect = grid.block_rect(column, row);
      auto& block = blocks.emplace_back(codecs::dxt_bytes(spec.codec.id, rect.width, rect.height));
      codecs::dxt_encode(spec.codec.id, view_of(picture), rect.x, rect.y, rect.width, rect.height,
                         spec.mode, block.data(), codecs::CpuLevel::kReference);
    }
  }
  return blocks;
}

void expect_blocks(const VmovFrame& frame, const Picture& picture, const CodecSpec& spec) {
  const auto wanted = plain_blocks(picture, spec);
  ASSERT_EQ(frame.lengths.size(), wanted.size());
  const auto stage = codecs::make_second_stage(spec.codec.compression);
  size_t offset = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto bytes = frame.bytes.subspan(offset, frame.lengths[i]);
    offset += bytes.size();
    std::vector<uint8_t> block(bytes.begin(), bytes.end());
    if (stage && bytes.size() < wanted[i].size()) {
      block.assign(wanted[i].size(), 0);
      ASSERT_TRUE(stage->decompress(bytes, block));
    }
    ASSERT_EQ(block, wanted[i]) << "block " << i;
  }
}

TEST(FilmConverter, WritesTheBlocksThatSailWouldSend) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mp4", kBusyFilm);
  for (const char* codec : {"dxt1", "dxt1:fast", "dxt5ycocg", "dxt1+lz4", "dxt5+zstd:fast"}) {
    const std::string output = folder.file("film.vmov");
    ConvertOptions options = options_for(film, output, codec);
    options.overwrite = true;
    ASSERT_EQ(convert(options), "") << codec;
    const auto reader = VmovReader::open(output);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_FALSE(reader->complaint());
    EXPECT_EQ(reader->header().frame_size, (Size{300, 140}));
    EXPECT_EQ(reader->header().rate, (FrameRate{25, 1}));
    EXPECT_EQ(reader->header().source, "film.mp4");
    ASSERT_EQ(reader->frame_count(), 40U);
    EXPECT_EQ(reader->duration_ns(), 40 * kFrameTime);
    const auto source = open_clip(film);
    VmovFrame frame;
    for (size_t n = 0; n < 40; ++n) {
      const Picture picture = next_picture(*source);
      ASSERT_TRUE(reader->read(n, frame));
      ASSERT_EQ(frame.head.pts_ns, picture.pts_ns);
      expect_blocks(frame, picture, options.codec);
      if (HasFatalFailure()) FAIL() << codec << ", frame " << n;
    }
  }
}

TEST(FilmConverter, GoesOnAsIfItHadNeverStopped) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mp4", kBusyFilm);
  const std::string output = folder.file("film.vmov");
  ASSERT_EQ(convert(options_for(film, output)), "");
  const std::vector<uint8_t> whole = bytes_of(output);
  std::filesystem::remove(output);

  // Interrupted by the user, again and again.
  bool stop = false;
  ConvertOptions options = options_for(film, output);
  options.interrupted = [&stop] { return stop; };
  uint64_t stops = 0;
  for (uint64_t before = 0; !std::filesystem::exists(output); ++stops) {
    stop = false;
    auto converter = FilmConverter::open(options);
    ASSERT_TRUE(converter) << converter.error().message;
    ASSERT_EQ((*converter)->progress().kept, before);
    ASSERT_TRUE((*converter)->step());
    const auto more = (*converter)->step();
    ASSERT_TRUE(more) << more.error().message;
    if (!*more) {
      ASSERT_TRUE((*converter)->finish());
      break;
    }
    stop = true;
    const auto stopped = (*converter)->step();
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "stopped");
    ASSERT_GT((*converter)->progress().frames, before);
    before = (*converter)->progress().frames;
  }
  EXPECT_GT(stops, 1U);
  ASSERT_EQ(bytes_of(output), whole);
  std::filesystem::remove(output);

  // Interrupted by a power failure in the middle of a frame.
  options.interrupted = {};
  for (const size_t percent : {1, 33, 70, 99}) {
    const auto size = static_cast<ptrdiff_t>(whole.size() * percent / 100);
    put_bytes(vmov_part_name(output), {whole.begin(), whole.begin() + size});
    auto converter = FilmConverter::open(options);
    ASSERT_TRUE(converter) << converter.error().message;
    EXPECT_EQ((*converter)->progress().kept > 0, percent > 1);
    converter->reset();
    ASSERT_EQ(convert(options), "");
    ASSERT_EQ(bytes_of(output), whole) << percent;
    std::filesystem::remove(output);
  }
}

TEST(FilmConverter, GoesOnInAFilmThatCannotSeek) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.h264", kBusyFilm);
  const std::string output = folder.file("film.vmov");
  ASSERT_EQ(convert(options_for(film, output)), "");
  const std::vector<uint8_t> whole = bytes_of(output);
  std::filesystem::remove(output);
  put_bytes(vmov_part_name(output),
            {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() / 2)});
  ASSERT_EQ(convert(options_for(film, output)), "");
  EXPECT_EQ(bytes_of(output), whole);
}

TEST(FilmConverter, APartOfOtherOptionsIsLeftAlone) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mp4", kBusyFilm);
  const std::string output = folder.file("film.vmov");
  ASSERT_EQ(convert(options_for(film, output)), "");
  std::filesystem::rename(output, vmov_part_name(output));
  const std::vector<uint8_t> part = bytes_of(vmov_part_name(output));
  ConvertOptions other = options_for(film, output);
  other.range.to_ns = 20 * kFrameTime;
  EXPECT_THAT(convert(other), HasSubstr("belongs to another film or other options"));
  EXPECT_EQ(bytes_of(vmov_part_name(output)), part);
  other.overwrite = true;
  EXPECT_EQ(convert(other), "");
}

TEST(FilmConverter, AClipBeginsAtNoughtAndMayBeScaled) {
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "film.mp4", counting_frames("256x128", 50, 25) + " -qp 4 -bf 2");
  ConvertOptions options = options_for(film, folder.file("film.vmov"));
  options.size = Size{130, 66};
  options.range = {10 * kFrameTime, 20 * kFrameTime};
  ASSERT_EQ(convert(options), "");
  const auto reader = VmovReader::open(options.output);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->header().frame_size, (Size{130, 66}));
  EXPECT_EQ(reader->header().display_size, (Size{130, 66}));
  ASSERT_EQ(reader->frame_count(), 10U);
  VmovFrame frame;
  for (size_t n = 0; n < 10; ++n) {
    ASSERT_TRUE(reader->read(n, frame));
    EXPECT_EQ(frame.head.pts_ns, static_cast<int64_t>(n) * kFrameTime);
    std::vector<uint8_t> pixels(size_t{128} * 64 * 4);
    codecs::dxt_decode(codecs::CodecId::kDxt1, frame.bytes.data(), 128, 64, 0, 0, 128, 64,
                       {pixels.data(), 128 * 4}, codecs::CpuLevel::kReference);
    const double luma = 16 + 4.0 * static_cast<double>(n + 10);
    EXPECT_NEAR(pixels[1], (luma - 16) * 255 / 219, 5) << "frame " << n;
  }
}

TEST(FilmConverter, APartAfterTheEndIsRefused) {
  const TempFolder folder;
  const std::string film = make_clip(folder, "film.mp4", counting_frames("128x64", 10, 25));
  ConvertOptions options = options_for(film, folder.file("film.vmov"));
  options.range = {10 * kFrameTime, 20 * kFrameTime};
  EXPECT_NE(convert(options), "");
}

TEST(FilmConverter, PixelsThatAreNotSquareKeepTheirShape) {
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "wide.mp4", "-f lavfi -i testsrc2=s=720x576:r=25,setsar=64/45 -frames:v 2");
  const std::string output = folder.file("wide.vmov");
  ASSERT_EQ(convert(options_for(film, output)), "");
  const auto reader = VmovReader::open(output);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->header().frame_size, (Size{720, 576}));
  EXPECT_EQ(reader->header().display_size, (Size{1024, 576}));
}

TEST(FilmConverter, ASizeThatChangesIsNamed) {
  const TempFolder folder;
  const auto raw = [&](const char* size) {
    const auto bytes = bytes_of(make_clip(
        folder, "a.h264", std::string("-f lavfi -i testsrc2=s=") + size + " -frames:v 3"));
    return std::string(bytes.begin(), bytes.end());
  };
  const std::string film = folder.write("both.h264", raw("64x48") + raw("96x80"));
  ConvertOptions options = options_for(film, folder.file("both.vmov"));
  EXPECT_THAT(convert(options), HasSubstr("size changes from 64x48 to 96x80"));
  options.size = Size{80, 60};
  options.overwrite = true;
  ASSERT_EQ(convert(options), "");
  EXPECT_EQ(VmovReader::open(options.output)->frame_count(), 6U);
}

}  // namespace
}  // namespace sail
