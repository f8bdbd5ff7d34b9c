// Films of numbered files: gaps, damage, kinds of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "codecs/j2k/j2k.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/tiff_tags.h"
#include "sail/media/vmov/vmov_reader.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<MediaSource> open_numbered(const std::string& name, double fps = 25) {
  MediaOptions options{.threads = 2};
  options.sequence_fps = fps;
  auto source = MediaSource::open(name, options);
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

// The number of a frame of counting_frames(), in any format.
int number_of_grey(const Picture& picture) {
  // The luma 16 + 4 n is shown as 4 n · 255 / 219.
  return static_cast<int>(std::lround(colour_at(picture, 0, 0)[1] * 219 / 255.0 / 4));
}

struct Played {
  std::vector<int> numbers;
  std::vector<int64_t> times_ms;
  std::vector<std::string> complaints;
  uint64_t left_out = 0;
};

Played play(Source& source) {
  Played played;
  for (;;) {
    auto picture = source.next();
    EXPECT_TRUE(picture) << picture.error().message;
    while (auto complaint = source.take_complaint()) played.complaints.push_back(*complaint);
    played.left_out += source.take_left_out();
    if (!picture || !*picture) return played;
    played.numbers.push_back(number_of_grey(**picture));
    played.times_ms.push_back((*picture)->pts_ns / 1'000'000);
  }
}

void make_reel(const TempFolder& folder, const std::string& extension) {
  make_clip(folder, "reel.%04d." + extension,
            counting_frames("64x48", 8, 25) + " -pix_fmt rgb24 -start_number 98");
}

TEST(MediaPictures, AMissingPictureIsHeldAndNamed) {
  for (const char* extension : {"dpx", "png", "tiff"}) {
    const TempFolder folder;
    make_reel(folder, extension);
    std::filesystem::remove(folder.file(std::string("reel.0101.") + extension));
    for (const std::string& name :
         {folder.file(std::string("reel.%04d.") + extension), folder.path().string()}) {
      const auto source = open_numbered(name);
      ASSERT_TRUE(source);
      EXPECT_EQ(source->info().duration_ns, 320'000'000);
      const Played played = play(*source);
      EXPECT_THAT(played.numbers, ElementsAre(0, 1, 2, 4, 5, 6, 7)) << name;
      EXPECT_THAT(played.times_ms, ElementsAre(0, 40, 80, 160, 200, 240, 280)) << name;
      EXPECT_EQ(played.left_out, 1U);
      EXPECT_THAT(played.complaints,
                  ElementsAre(HasSubstr("reel.0102"), HasSubstr("1 of 8 pictures")));
      // Each defect is reported once.
      ASSERT_TRUE(source->seek(0));
      EXPECT_TRUE(play(*source).complaints.empty());
      ASSERT_TRUE(source->seek(130'000'000));
      EXPECT_EQ(number_of_grey(next_picture(*source)), 2);
    }
  }
}

TEST(MediaPictures, NumberedWebpIsAFilm) {
  const TempFolder folder;
  make_clip(folder, "reel.%04d.webp",
            counting_frames("64x48", 5, 25) + " -c:v libwebp -lossless 1 -pix_fmt bgra -f image2");
  std::filesystem::resize_file(folder.file("reel.0003.webp"), 0);
  for (const std::string& name : {folder.file("reel.%04d.webp"), folder.path().string()}) {
    const auto source = open_numbered(name);
    ASSERT_TRUE(source);
    const Played played = play(*source);
    EXPECT_THAT(played.numbers, ElementsAre(0, 1, 3, 4)) << name;
    EXPECT_THAT(played.times_ms, ElementsAre(0, 40, 120, 160)) << name;
    EXPECT_EQ(played.left_out, 1U);
  }
}

TEST(MediaPictures, AnEmptyOrDamagedPictureDoesNotEndTheFilm) {
  const TempFolder folder;
  make_reel(folder, "dpx");
  std::filesystem::resize_file(folder.file("reel.0098.dpx"), 0);
  std::filesystem::resize_file(folder.file("reel.0100.dpx"), 0);
  std::filesystem::resize_file(folder.file("reel.0102.dpx"), 2500);
  std::filesystem::resize_file(folder.file("reel.0105.dpx"), 2500);
  const auto source = open_numbered(folder.file("reel.%04d.dpx"));
  ASSERT_TRUE(source);
  const Played played = play(*source);
  EXPECT_THAT(played.numbers, ElementsAre(1, 3, 5, 6));
  EXPECT_EQ(played.left_out, 4U);
  EXPECT_THAT(played.complaints,
              ElementsAre(HasSubstr("reel.0098.dpx is empty"), HasSubstr("reel.0100.dpx is empty"),
                          HasSubstr("reel.0102.dpx is damaged"),
                          HasSubstr("reel.0105.dpx is damaged"), HasSubstr("4 of 8")));
}

MediaOptions numbered_with(MissingAction missing) {
  MediaOptions options{.threads = 2};
  options.sequence_fps = 25;
  options.missing = missing;
  return options;
}

// The first, the fourth and the last of eight pictures are empty, missing and cut off.
void damage_reel(const TempFolder& folder, const std::string& extension) {
  std::filesystem::resize_file(folder.file("reel.0098." + extension), 0);
  std::filesystem::remove(folder.file("reel.0101." + extension));
  std::filesystem::resize_file(folder.file("reel.0105." + extension), 50);
}

TEST(MediaPictures, BlackIsShownForEachPictureThatIsNotThere) {
  for (const char* extension : {"dpx", "png", "tiff"}) {
    const TempFolder folder;
    make_reel(folder, extension);
    damage_reel(folder, extension);
    const auto source =
        open_decoded_film(folder.path().string(), numbered_with(MissingAction::kBlack));
    ASSERT_TRUE(source) << source.error().message;
    const Played played = play(**source);
    EXPECT_THAT(played.numbers, ElementsAre(0, 1, 2, 0, 4, 5, 6, 0)) << extension;
    EXPECT_THAT(played.times_ms, ElementsAre(0, 40, 80, 120, 160, 200, 240, 280)) << extension;
    EXPECT_EQ(played.left_out, 3U);
    EXPECT_THAT(played.complaints.back(), HasSubstr("3 of 8 pictures")) << extension;
    EXPECT_THAT(played.complaints.back(), HasSubstr("black is shown")) << extension;
    ASSERT_TRUE((*source)->seek(130'000'000));
    const Picture black = next_picture(**source);
    EXPECT_EQ(black.pts_ns, 120'000'000) << extension;
    EXPECT_EQ(black.duration_ns, 40'000'000) << extension;
    expect_near(colour_at(black, 63, 47), {0, 0, 0}, 0, extension);
    EXPECT_EQ(number_of_grey(next_picture(**source)), 4) << extension;
    ASSERT_TRUE((*source)->seek(9'000'000'000));
    expect_near(colour_at(next_picture(**source), 0, 0), {0, 0, 0}, 0, extension);
    EXPECT_FALSE((*source)->next().value());
  }
}

// Why the film ended; the pictures shown before are in `numbers`.
std::string play_to_error(Source& source, std::vector<int>& numbers) {
  numbers.clear();
  for (;;) {
    auto picture = source.next();
    if (!picture) return picture.error().message;
    if (!*picture) return "it has an end";
    numbers.push_back(number_of_grey(**picture));
  }
}

// The last two of eight pictures are cut off and empty.
TEST(MediaPictures, TheLastPictureIsHeldToTheEndOfTheFilm) {
  for (const char* extension : {"dpx", "png", "tiff"}) {
    const TempFolder folder;
    make_reel(folder, extension);
    std::filesystem::resize_file(folder.file(std::string("reel.0104.") + extension), 50);
    std::filesystem::resize_file(folder.file(std::string("reel.0105.") + extension), 0);
    const auto source =
        open_decoded_film(folder.path().string(), numbered_with(MissingAction::kHold));
    ASSERT_TRUE(source) << source.error().message;
    for (const int64_t from : {0, 200, 5000}) {
      ASSERT_TRUE((*source)->seek(from * 1'000'000));
      int64_t end_ns = 0;
      for (;;) {
        const auto picture = (*source)->next();
        ASSERT_TRUE(picture) << picture.error().message;
        if (!*picture) break;
        end_ns = (*picture)->pts_ns + (*picture)->duration_ns;
      }
      EXPECT_EQ(end_ns, 320'000'000) << extension << " from " << from;
    }
    EXPECT_EQ((*source)->take_left_out(), 2U) << extension;
    std::string last;
    while (auto complaint = (*source)->take_complaint()) last = *complaint;
    EXPECT_THAT(last, HasSubstr("2 of 8 pictures are missing")) << extension;
  }
}

TEST(MediaPictures, AFolderWithClosedGapsStopsAtTheFirstIfThatIsWanted) {
  const TempFolder folder;
  make_reel(folder, "png");
  for (const int number : {100, 101, 102, 103}) {
    std::filesystem::remove(folder.file("reel.0" + std::to_string(number) + ".png"));
  }
  std::filesystem::rename(folder.file("reel.0105.png"), folder.file("reel.0130.png"));
  std::vector<int> numbers;
  const auto source =
      open_decoded_film(folder.path().string(), numbered_with(MissingAction::kStop));
  ASSERT_TRUE(source) << source.error().message;
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(play_to_error(**source, numbers), HasSubstr("the first after reel.0099.png"));
    EXPECT_THAT(numbers, ElementsAre(0, 1));
    ASSERT_TRUE((*source)->seek(0));
  }
  const auto held = open_decoded_film(folder.path().string(), numbered_with(MissingAction::kHold));
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_THAT(play(**held).numbers, ElementsAre(0, 1, 6, 7));
}

TEST(MediaPictures, BlackHasTheFormatOfTheFilm) {
  for (const char* pixels : {"gray", "rgb48", "rgba"}) {
    const TempFolder folder;
    make_clip(folder, "reel.%04d.png",
              counting_frames("63x47", 3, 25) + " -start_number 98 -pix_fmt " + pixels);
    std::filesystem::remove(folder.file("reel.0099.png"));
    MediaOptions options = numbered_with(MissingAction::kBlack);
    options.for_j2k = true;
    const auto source = open_decoded_film(folder.file("reel.%04d.png"), options);
    ASSERT_TRUE(source) << source.error().message;
    const Picture first = next_picture(**source);
    const Picture black = next_picture(**source);
    EXPECT_EQ(black.pixels.format, first.pixels.format) << pixels;
    EXPECT_EQ(black.pixels.bits, first.pixels.bits) << pixels;
    EXPECT_EQ(codecs::color_of(view_of(black)), codecs::color_of(view_of(first))) << pixels;
    EXPECT_EQ(black.size, first.size) << pixels;
    expect_near(colour_at(black, black.size.width - 1, black.size.height - 1), {0, 0, 0}, 0,
                pixels);
    EXPECT_EQ(next_picture(**source).pts_ns, 80'000'000) << pixels;
  }
}

TEST(MediaPictures, TheFilmEndsBeforeWhatIsNotThereIfThatIsWanted) {
  const TempFolder folder;
  make_reel(folder, "dpx");
  std::filesystem::resize_file(folder.file("reel.0103.dpx"), 2500);
  const std::string reel = folder.file("reel.%04d.dpx");
  const MediaOptions options = numbered_with(MissingAction::kStop);
  std::vector<int> numbers;
  const auto damaged = MediaSource::open(reel, options);
  ASSERT_TRUE(damaged);
  EXPECT_THAT(play_to_error(**damaged, numbers), HasSubstr("reel.0103.dpx is damaged"));
  EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3, 4));
  std::filesystem::resize_file(folder.file("reel.0102.dpx"), 0);
  const auto empty = MediaSource::open(reel, options);
  EXPECT_THAT(play_to_error(**empty, numbers), HasSubstr("reel.0102.dpx is empty"));
  EXPECT_THAT(numbers, ElementsAre(0, 1, 2, 3));
  std::filesystem::remove(folder.file("reel.0099.dpx"));
  const auto missing = MediaSource::open(reel, options);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(play_to_error(**missing, numbers), HasSubstr("missing between"));
    EXPECT_THAT(numbers, ElementsAre(0));
    ASSERT_TRUE((*missing)->seek(0));
  }
  std::filesystem::resize_file(folder.file("reel.0098.dpx"), 0);
  EXPECT_THAT(MediaSource::open(reel, options).error().message, HasSubstr("reel.0098.dpx"));
}

TEST(MediaPictures, AConversionCountsWhatIsMissing) {
  const TempFolder folder;
  make_reel(folder, "dpx");
  std::filesystem::remove(folder.file("reel.0101.dpx"));
  auto converter =
      FilmConverter::open(options_for(folder.file("reel.%04d.dpx"), folder.file("out.vmov")));
  ASSERT_TRUE(converter) << converter.error().message;
  for (;;) {
    const auto more = (*converter)->step();
    ASSERT_TRUE(more) << more.error().message;
    if (!*more) break;
  }
  ASSERT_TRUE((*converter)->finish());
  EXPECT_EQ((*converter)->progress().frames, 7U);
  EXPECT_EQ((*converter)->progress().left_out, 1U);
  ConvertOptions options = options_for(folder.file("reel.%04d.dpx"), folder.file("black.vmov"));
  options.missing = MissingAction::kBlack;
  EXPECT_EQ(convert(options), "");
  EXPECT_EQ(VmovReader::open(options.output)->frame_count(), 8U);
  options.output = folder.file("stop.vmov");
  options.missing = MissingAction::kStop;
  EXPECT_THAT(convert(options), HasSubstr("reel.0102.dpx"));
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

// Of the part from one number to before another.
ConvertOptions options_for_part(const TempFolder& folder, int from, int to) {
  ConvertOptions options = options_for(folder.file("reel.%04d.dpx"), folder.file("out.vmov"));
  options.overwrite = true;
  options.range = {.from_ns = from * kFrameTime, .to_ns = to * kFrameTime};
  return options;
}

struct Converted {
  uint64_t frames = 0;
  uint64_t left_out = 0;
  int64_t duration_ns = 0;
  std::vector<std::string> complaints;
};

Converted convert_part(const ConvertOptions& options) {
  auto converter = FilmConverter::open(options);
  EXPECT_TRUE(converter) << converter.error().message;
  if (!converter) return {};
  for (bool more = true; more;) {
    const auto step = (*converter)->step();
    EXPECT_TRUE(step) << step.error().message;
    more = step && *step;
  }
  EXPECT_TRUE((*converter)->finish());
  Converted converted{.frames = (*converter)->progress().frames,
                      .left_out = (*converter)->progress().left_out,
                      .duration_ns = VmovReader::open(options.output)->duration_ns(),
                      .complaints = {}};
  while (auto complaint = (*converter)->take_complaint()) {
    converted.complaints.push_back(*std::move(complaint));
  }
  return converted;
}

TEST(MediaPictures, AConversionOfAPartCountsOnlyThatPart) {
  const TempFolder folder;
  make_reel(folder, "dpx");
  std::filesystem::resize_file(folder.file("reel.0098.dpx"), 2500);
  std::filesystem::resize_file(folder.file("reel.0099.dpx"), 0);
  std::filesystem::remove(folder.file("reel.0101.dpx"));
  std::filesystem::remove(folder.file("reel.0102.dpx"));
  std::filesystem::resize_file(folder.file("reel.0104.dpx"), 0);
  for (const auto action : {MissingAction::kHold, MissingAction::kBlack, MissingAction::kStop}) {
    for (const auto& [from, to] : {std::pair(2, 3), {5, 6}}) {
      ConvertOptions options = options_for_part(folder, from, to);
      options.missing = action;
      const Converted whole = convert_part(options);
      EXPECT_EQ(whole.frames, 1U) << from;
      EXPECT_EQ(whole.left_out, 0U) << from;
      EXPECT_THAT(whole.complaints, ElementsAre()) << from;
      EXPECT_EQ(whole.duration_ns, kFrameTime) << from;
    }
  }
  ConvertOptions options = options_for_part(folder, 2, 4);
  const Converted held = convert_part(options);
  EXPECT_EQ(held.frames, 1U);
  EXPECT_EQ(held.left_out, 1U);
  EXPECT_EQ(held.duration_ns, 2 * kFrameTime);
  EXPECT_THAT(
      held.complaints,
      ElementsAre(HasSubstr("1 picture is missing between"),
                  HasSubstr("1 of 2 pictures is missing or damaged: the picture before it")));
  EXPECT_EQ(convert_part(options_for_part(folder, 5, 9)).duration_ns, 3 * kFrameTime);
  std::filesystem::resize_file(folder.file("reel.0105.dpx"), 0);
  const Converted cut = convert_part(options_for_part(folder, 5, 9));
  EXPECT_EQ(cut.duration_ns, 3 * kFrameTime) << "the last picture is held";
  EXPECT_EQ(cut.frames, 1U);
  EXPECT_EQ(cut.left_out, 2U);
  const Converted one = convert_part(options_for_part(folder, 7, 8));
  EXPECT_EQ(one.duration_ns, kFrameTime);
  EXPECT_THAT(one.complaints, testing::Contains(HasSubstr("1 of 1 picture is missing")));
  options.missing = MissingAction::kBlack;
  EXPECT_EQ(convert_part(options).frames, 2U);
  options.missing = MissingAction::kStop;
  EXPECT_THAT(convert(options), HasSubstr("1 picture is missing between"));
  EXPECT_EQ(convert_part(options_for_part(folder, 4, 5)).duration_ns, kFrameTime)
      << "the picture before is held";
}

TEST(MediaPictures, UnpaddedNumbersCountAndHiddenFilesDoNot) {
  const TempFolder folder;
  make_clip(folder, "%d.png", counting_frames("64x48", 12, 25));
  for (int n = 1; n <= 12; ++n) folder.write("._" + std::to_string(n) + ".png", "not a picture");
  const auto source = open_numbered(folder.path().string());
  ASSERT_TRUE(source);
  const Played played = play(*source);
  EXPECT_THAT(played.numbers, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  EXPECT_TRUE(played.complaints.empty());
}

TEST(MediaPictures, ShortPicturesOfAnAnimationLastAsInBrowsers) {
  const TempFolder folder;
  for (const auto& [rate, shown_ns] : {std::pair(100, 100'000'000), std::pair(50, 20'000'000)}) {
    const auto file =
        make_clip(folder, "a.apng", counting_frames("64x48", 3, rate) + " -pix_fmt rgb24");
    const auto source = MediaSource::open(file, {.threads = 1});
    ASSERT_TRUE(source) << source.error().message;
    for (int i = 0; i < 3; ++i) {
      const auto picture = (*source)->next();
      ASSERT_TRUE(picture && *picture) << rate;
      EXPECT_EQ((*picture)->pts_ns, int64_t{i} * shown_ns) << rate;
    }
  }
}

// A little-endian TIFF of one directory.
std::vector<uint8_t> tiff_with(const std::vector<std::array<uint16_t, 2>>& tags) {
  std::vector<uint8_t> bytes = {'I', 'I', 42, 0, 8, 0, 0, 0};
  const auto put = [&](uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  };
  put(static_cast<uint32_t>(tags.size()), 2);
  for (const auto& [tag, value] : tags) {
    put(tag, 2);
    put(3, 2);
    put(1, 4);
    put(value, 4);
  }
  put(0, 4);
  return bytes;
}

TiffPage page_with(const std::vector<std::array<uint16_t, 2>>& tags) {
  const std::vector<uint8_t> file = tiff_with(tags);
  const auto pages = read_tiff_pages(tiff_bytes(file), 10);
  EXPECT_EQ(pages.size(), 1U);
  return pages.empty() ? TiffPage() : pages.front();
}

TEST(MediaPictures, FfmpegGetsOnlyTheKindsOfTiffThatItShowsRightly) {
  EXPECT_TRUE(page_with({{258, 8}, {262, 2}, {277, 3}}).for_ffmpeg);
  EXPECT_TRUE(page_with({{258, 16}, {262, 2}, {277, 3}, {339, 1}}).for_ffmpeg);
  EXPECT_TRUE(page_with({{322, 128}, {50706, 1}}).for_ffmpeg);  // DNG
  EXPECT_FALSE(page_with({{322, 128}}).for_ffmpeg);             // tiles
  EXPECT_FALSE(page_with({{258, 16}, {339, 3}}).for_ffmpeg);    // half floats
  EXPECT_FALSE(page_with({{274, 6}}).for_ffmpeg);               // turned
  EXPECT_FALSE(page_with({{262, 2}, {277, 4}, {338, 0}}).for_ffmpeg);
  EXPECT_TRUE(read_tiff_pages(tiff_bytes({}), 10).empty());
}

TEST(MediaPictures, OnlyTiffSamplesThatSayThatTheyAreOpacityAreIt) {
  EXPECT_FALSE(page_with({{262, 2}, {277, 4}, {338, 0}}).alpha) << "infrared";
  EXPECT_EQ(page_with({{262, 2}, {277, 4}, {338, 2}}).alpha, 3);
  EXPECT_TRUE(page_with({{254, 4}, {262, 4}}).mask);
  EXPECT_TRUE(page_with({{254, 1}}).reduced);
}

// A picture of Part 15 as a codestream, uniformly in that colour.
std::vector<uint8_t> part_15(const PixelColour& colour) {
  constexpr int kSide = 64;
  std::vector<uint8_t> pixels;
  for (int i = 0; i < kSide * kSide; ++i) {
    for (const int channel : {colour[2], colour[1], colour[0], 255}) {
      pixels.push_back(static_cast<uint8_t>(channel));
    }
  }
  std::vector<uint8_t> bytes(size_t{1} << 18);
  const auto written =
      codecs::make_j2k_encoder(codecs::CodecId::kHtj2k)
          ->encode(packed_view(codecs::PixelFormat::kBgra, kSide, kSide, pixels.data()), 0, 0,
                   kSide, kSide, {.lossless = true}, bytes);
  EXPECT_TRUE(written);
  bytes.resize(written ? written->front() : 0);
  return bytes;
}

TEST(MediaPictures, HighThroughputPicturesAreDecodedHere) {
  constexpr PixelColour kOrangeRed = {230, 70, 20};
  constexpr PixelColour kTeal = {20, 120, 130};
  const TempFolder folder;
  put_bytes(folder.file("f.001.j2c"), part_15(kOrangeRed));
  put_bytes(folder.file("f.002.j2c"), part_15(kTeal));
  const std::string film =
      make_clip(folder, "film.mkv", "-f image2 -i '" + folder.file("f.%03d.j2c") + "' -c copy");
  for (const std::string& name : {folder.file("f.%03d.j2c"), film}) {
    const auto source = open_numbered(name);
    ASSERT_TRUE(source) << name;
    const Picture first = next_picture(*source);
    const Picture second = next_picture(*source);
    expect_near(colour_at(first, 5, 60), kOrangeRed, 0, name);
    expect_near(colour_at(second, 5, 60), kTeal, 0, name);
    EXPECT_EQ(second.pts_ns / 1'000'000, 40) << name;
    EXPECT_TRUE(play(*source).numbers.empty());
    ASSERT_TRUE(source->seek(0));
    expect_near(colour_at(next_picture(*source), 5, 60), kOrangeRed, 0, name);
  }
}

TEST(MediaPictures, SignedHighThroughputPicturesAreTold) {
  const TempFolder folder;
  std::vector<uint8_t> bytes = part_15({230, 70, 20});
  constexpr size_t kComponentDepth = 2 + 2 + 38;
  for (size_t i = 0; i < 3; ++i) bytes[kComponentDepth + 3 * i] |= 0x80;
  put_bytes(folder.file("f.001.j2c"), bytes);
  put_bytes(folder.file("f.002.j2c"), bytes);
  const auto source = open_numbered(folder.file("f.%03d.j2c"));
  ASSERT_TRUE(source);
  expect_near(colour_at(next_picture(*source), 5, 60), {230, 70, 20}, 0, "half the range added");
  next_picture(*source);
  EXPECT_THAT(source->take_complaint().value_or(""), HasSubstr("has signed samples"));
  EXPECT_FALSE(source->take_complaint());
}

TEST(MediaPictures, HighThroughputPicturesThatCannotBeDecodedAreRefused) {
  const TempFolder folder;
  std::vector<uint8_t> bytes = part_15({1, 2, 3});
  constexpr size_t kComponentDepth = 2 + 2 + 38;  // in SIZ, minus one
  bytes[kComponentDepth] = 11;
  put_bytes(folder.file("deep.j2c"), bytes);
  EXPECT_THAT(open_error(folder.file("deep.j2c")),
              HasSubstr("a codestream that has components of different depths"));
  const std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + 30);
  EXPECT_FALSE(codecs::needs_part_15(cut));
}

}  // namespace
}  // namespace sail
