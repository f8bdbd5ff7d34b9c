#include "sail/media/film/film_shard.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "sail/media/vmov/vmov_reader.h"
#include "tests/unit/sail/apps/play/clips.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr const char* kMoving = "-f lavfi -i testsrc2=s=96x64:r=25 -frames:v 60 ";

ConvertOptions shard_options(ConvertOptions options, uint32_t number, uint32_t count) {
  options.output += fmt::format(".{}", number);
  options.shard = ShardChoice{number, count};
  return options;
}

// Returns the error message; empty: success.
std::string join_files(const std::string& output, std::vector<std::string> shards) {
  const auto film = join_shards(
      {.output = output, .shards = std::move(shards), .interrupted = {}, .progress = {}});
  return film ? "" : film.error().message;
}

// Converts as a whole and by shards, and compares the bytes.
void expect_joined_is_whole(ConvertOptions options, uint32_t count) {
  const std::string joined = options.output + ".joined";
  ASSERT_EQ(convert(options), "");
  std::vector<std::string> shards;
  for (uint32_t number = count; number >= 1; --number) {
    const ConvertOptions shard = shard_options(options, number, count);
    ASSERT_EQ(convert(shard), "") << number << " of " << count;
    shards.push_back(shard.output);
  }
  ASSERT_EQ(join_files(joined, shards), "");
  EXPECT_TRUE(bytes_of(joined) == bytes_of(options.output)) << count << " shards";
  for (const std::string& name : shards) std::filesystem::remove(name);
  std::filesystem::remove(joined);
  std::filesystem::remove(options.output);
}

TEST(FilmShard, NamesAreChecked) {
  EXPECT_EQ(parse_shard("1/2"), (ShardChoice{1, 2}));
  EXPECT_EQ(parse_shard("1000/1000"), (ShardChoice{1000, 1000}));
  for (const char* wrong : {"", "1", "/", "0/2", "3/2", "1/1", "1/1001", "-1/2", "1/2/3", "a/b",
                            "1/ 2", "1/99999999999"}) {
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
  }
}

// Ten pictures of different lengths; three of them are keys.
std::vector<PictureTime> ten_pictures() {
  std::vector<PictureTime> pictures;
  for (int64_t n = 0; n < 10; ++n) pictures.push_back({100 * n * n, n == 0 || n == 3 || n == 5});
  return pictures;
}

TEST(FilmShard, PicturesAreDividedByTheirNumbers) {
  const auto pictures = ten_pictures();
  for (uint32_t count = 2; count <= 10; ++count) {
    size_t next = 0;
    for (uint32_t number = 1; number <= count; ++number) {
      const auto plan = plan_shard({number, count}, pictures, {});
      ASSERT_TRUE(plan) << plan.error().message;
      EXPECT_EQ(plan->shard.frames, 10U);
      EXPECT_EQ(plan->clip.from_ns.has_value(), number > 1);
      EXPECT_EQ(plan->clip.to_ns.has_value(), number < count);
      for (; next < 10 * number / count; ++next) {
        EXPECT_GE(pictures[next].pts_ns, plan->clip.from_ns.value_or(0));
        EXPECT_LT(pictures[next].pts_ns, plan->clip.to_ns.value_or(INT64_MAX));
      }
    }
    EXPECT_EQ(next, 10U);
  }
}

TEST(FilmShard, DecodingBeginsWithTheSecondKeyPictureBefore) {
  const auto pictures = ten_pictures();
  EXPECT_EQ(plan_shard({2, 5}, pictures, {})->clip.start_ns, 0);    // picture 2
  EXPECT_EQ(plan_shard({2, 2}, pictures, {})->clip.start_ns, 0);    // picture 5, itself a key
  EXPECT_EQ(plan_shard({4, 5}, pictures, {})->clip.start_ns, 900);  // picture 6
}

TEST(FilmShard, OnlyPicturesOfTheRangeAreDivided) {
  const auto pictures = ten_pictures();
  // From picture 2, which is shown at 500, to picture 7.
  const auto plan = plan_shard({2, 2}, pictures, {.from_ns = 500, .to_ns = 6400});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->shard.frames, 6U);
  EXPECT_GT(*plan->clip.from_ns, pictures[4].pts_ns);
  EXPECT_LE(*plan->clip.from_ns, pictures[5].pts_ns);
  const auto refused = plan_shard({1, 7}, pictures, {.from_ns = 500, .to_ns = 6400});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the part has too few pictures (6) for 7 shards: choose fewer");
}

TEST(FilmShard, ShardsAreJoinedToTheFilmOfOneRun) {
  const TempFolder folder;
  const std::string x264 = std::string(kMoving) + "-c:v libx264 ";
  struct EncodedFilm {
    const char* name;
    std::string arguments;
  };
  const EncodedFilm films[] = {
      {"one_key.mp4", x264 + "-g 250 -bf 3"},
      {"open.mp4", x264 + "-g 12 -bf 3 -x264-params open-gop=1:scenecut=0"},
      {"open.ts", x264 + "-g 12 -bf 3 -x264-params open-gop=1:scenecut=0"},
      {"gaps.mkv", x264 + "-g 12 -bf 3 -vf \"select='lt(n,20)+not(mod(n,7))'\""},
      {"fields.mkv", std::string(kMoving) + "-vf tinterlace=interleave_top -flags +ildct+ilme "
                                            "-c:v mpeg2video -bf 2 -g 9 -q:v 2"},
  };
  for (const EncodedFilm& film : films) {
    const std::string input = make_clip(folder, film.name, film.arguments);
    for (const uint32_t count : {2U, 5U}) {
      expect_joined_is_whole(options_for(input, folder.file("film.vmov")), count);
      if (HasFailure()) FAIL() << film.name;
    }
  }
}

TEST(FilmShard, OptionsAreThoseOfTheWhole) {
  const TempFolder folder;
  const std::string input =
      make_clip(folder, "film.mp4", std::string(kMoving) + "-c:v libx264 -g 12 -bf 3");
  ConvertOptions options = options_for(input, folder.file("film.vmov"), "dxt5ycocg+zstd");
  options.size = Size{70, 50};
  options.range = {.from_ns = 10 * kFrameTime + 1, .to_ns = 41 * kFrameTime};
  expect_joined_is_whole(options, 3);
  expect_joined_is_whole(options_for(input, folder.file("film.vmov"), "htj2k:2bpp"), 3);
}

TEST(FilmShard, NumberedPicturesMayBeMissing) {
  const TempFolder folder;
  make_clip(folder, "p%03d.png", "-f lavfi -i testsrc2=s=64x48 -frames:v 20 -start_number 0");
  std::filesystem::remove(folder.file("p003.png"));
  folder.write("p010.png", "not a picture");
  ConvertOptions options = options_for(folder.file("p%03d.png"), folder.file("film.vmov"));
  expect_joined_is_whole(options, 2);  // the first of the second half is damaged
  options.missing = MissingAction::kBlack;
  expect_joined_is_whole(options, 2);
}

TEST(FilmShard, NumberedPicturesMayBeNamedInAnyWay) {
  const TempFolder folder;
  make_clip(folder, "p%03d.png", "-f lavfi -i testsrc2=s=64x48 -frames:v 4 -start_number 0");
  const std::string straight = folder.file("p%03d.png");
  const std::string around = (folder.path() / "." / "p%03d.png").string();
  const ConvertOptions first = shard_options(options_for(straight, folder.file("s")), 1, 2);
  const ConvertOptions second = shard_options(options_for(around, folder.file("s")), 2, 2);
  ASSERT_EQ(convert(first), "");
  ASSERT_EQ(convert(second), "");
  EXPECT_EQ(join_files(folder.file("film.vmov"), {first.output, second.output}), "");
}

TEST(FilmShard, AnInterruptedShardIsResumed) {
  const TempFolder folder;
  const std::string input =
      make_clip(folder, "film.mp4", std::string(kMoving) + "-c:v libx264 -g 12 -bf 3");
  const ConvertOptions whole = options_for(input, folder.file("film.vmov"));
  const ConvertOptions second = shard_options(whole, 2, 3);
  ASSERT_EQ(convert(second), "");
  const auto bytes = bytes_of(second.output);
  std::filesystem::remove(second.output);
  put_bytes(vmov_part_name(second.output),
            {bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(bytes.size() / 2)});
  ConvertOptions other = shard_options(whole, 3, 3);
  other.output = second.output;
  EXPECT_THAT(convert(other), HasSubstr("belongs to another film or other options"));
  auto converter = FilmConverter::open(second);
  ASSERT_TRUE(converter) << converter.error().message;
  EXPECT_GT((*converter)->progress().kept, 0U);
  converter->reset();
  ASSERT_EQ(convert(second), "");
  EXPECT_TRUE(bytes_of(second.output) == bytes);
}

TEST(FilmShard, FilmsThatCannotBeDividedAreNamed) {
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "film.mp4", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 3");
  ConvertOptions options = options_for(film, folder.file("film.vmov"));
  options.shard = ShardChoice{1, 4};
  EXPECT_EQ(convert(options), "the part has too few pictures (3) for 4 shards: choose fewer");
  options.input = make_clip(folder, "film.h264", std::string(kMoving) + "-c:v libx264 -bf 3");
  EXPECT_THAT(convert(options),
              HasSubstr("cannot be divided into shards: time stamps are missing"));
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

class FilmShardSet : public testing::Test {
 protected:
  void SetUp() override {
    film_ = make_clip(folder_, "film.mp4", std::string(kMoving) + "-c:v libx264 -g 12");
    for (uint32_t number = 1; number <= 3; ++number) {
      const auto options = shard_options(options_for(film_, folder_.file("s")), number, 3);
      ASSERT_EQ(convert(options), "");
      shards_.push_back(options.output);
    }
  }

  const TempFolder folder_;
  const std::string output_ = folder_.file("joined.vmov");
  std::string film_;
  std::vector<std::string> shards_;
};

TEST_F(FilmShardSet, OnlyAWholeSetIsJoined) {
  const auto& [a, b, c] = std::tie(shards_[0], shards_[1], shards_[2]);
  EXPECT_EQ(join_files(output_, {b}), "of 3 shards, these are missing: 1, 3");
  EXPECT_EQ(join_files(output_, {a, b}), "of 3 shards, these are missing: 3");
  EXPECT_EQ(join_files(output_, {c, a, c, b}), fmt::format("{} and {} are both shard 3/3", c, c));
  EXPECT_EQ(join_files(output_, {}), "no shards are given");
  EXPECT_THAT(join_files(output_, {a, folder_.file("none"), c}), HasSubstr("cannot open"));
  EXPECT_THAT(join_files(output_, {a, film_, c}), HasSubstr("not a .vmov file"));
  EXPECT_THAT(join_files(b, {a, b, c}), HasSubstr("is a shard: choose another name"));
  const ConvertOptions whole = options_for(film_, folder_.file("whole.vmov"));
  ASSERT_EQ(convert(whole), "");
  EXPECT_THAT(join_files(output_, {a, whole.output, c}), HasSubstr("is not a shard"));
  EXPECT_FALSE(std::filesystem::exists(output_));
  EXPECT_FALSE(std::filesystem::exists(vmov_part_name(output_)));
}

TEST_F(FilmShardSet, ShardsOfOtherFilmsOrOptionsAreRefused) {
  const std::string other = make_clip(
      folder_, "other.mp4", "-f lavfi -i testsrc=s=96x64:r=25 -frames:v 60 -c:v libx264 -g 12");
  ConvertOptions of_other = shard_options(options_for(other, folder_.file("other")), 2, 3);
  ConvertOptions finer =
      shard_options(options_for(film_, folder_.file("finer"), "dxt1:high"), 2, 3);
  ConvertOptions quarter = shard_options(options_for(film_, folder_.file("quarter")), 2, 4);
  for (const ConvertOptions& options : {of_other, finer, quarter}) {
    ASSERT_EQ(convert(options), "");
    EXPECT_THAT(join_files(output_, {shards_[0], options.output, shards_[2]}),
                HasSubstr("are not shards of the same film with the same options"));
  }
}

TEST_F(FilmShardSet, NothingIsOverwrittenUnasked) {
  put_bytes(output_, {1, 2, 3});
  EXPECT_THAT(join_files(output_, shards_), HasSubstr("already exists: --force overwrites it"));
  EXPECT_EQ(bytes_of(output_), (std::vector<uint8_t>{1, 2, 3}));
  ASSERT_TRUE(join_shards({.output = output_,
                           .shards = shards_,
                           .overwrite = true,
                           .interrupted = {},
                           .progress = {}}));
  EXPECT_EQ(VmovReader::open(output_)->frame_count(), 60U);
}

TEST_F(FilmShardSet, AShardWithTheNameOfThePartialFileIsKept) {
  const std::string part = vmov_part_name(output_);
  std::filesystem::rename(shards_[1], part);
  shards_[1] = part;
  const auto bytes = bytes_of(part);
  const auto film = join_shards(
      {.output = output_, .shards = shards_, .overwrite = true, .interrupted = {}, .progress = {}});
  ASSERT_FALSE(film);
  EXPECT_THAT(film.error().message, HasSubstr("is a shard: choose another name"));
  EXPECT_TRUE(bytes_of(part) == bytes);
}

TEST_F(FilmShardSet, DamagedShardsAreNamed) {
  const auto bytes = bytes_of(shards_[1]);
  put_bytes(shards_[1], {bytes.begin(), bytes.end() - 40});
  EXPECT_THAT(join_files(output_, shards_), HasSubstr(shards_[1]));
  auto damaged = bytes;
  damaged[bytes.size() / 2] ^= 1;
  put_bytes(shards_[1], damaged);
  EXPECT_THAT(join_files(output_, shards_), HasSubstr(shards_[1]));
  EXPECT_FALSE(std::filesystem::exists(output_));
  // The remains of a failed join are not in the way.
  put_bytes(shards_[1], bytes);
  EXPECT_EQ(join_files(output_, shards_), "");
}

}  // namespace
}  // namespace sail
