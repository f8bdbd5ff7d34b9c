#include "sail/apps/server/catalogue/film_probe.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;
using sail::Result;
using testing::HasSubstr;

class FilmProbeTest : public testing::Test {
 protected:
  using Names = std::vector<std::string>;

  FilmProbeTest() { fs::create_directory(folder_.file("films")); }

  // Replaces vitrail-poster by a shell script, with the films as arguments, which does what an
  // exploited demuxer could do.
  void stand_in(const std::string& script) {
    program_ = folder_.file("poster");
    folder_.write("poster", "#!/bin/sh\nshift 2\n" + script);
    fs::permissions(program_, fs::perms::owner_all);
  }
  Result<void> inspect(const Names& titles) {
    FilmProbe probe(Library::open(folder_.file("films")).value(), program_,
                    [](const std::string& path) { return open_stored(path); });
    return probe.inspect(titles, [this](const std::string& title, Result<FilmFacts> facts) {
      EXPECT_TRUE(facts_.emplace(title, std::move(facts)).second) << title << " twice";
    });
  }
  const Result<FilmFacts>& facts(const std::string& title) { return facts_.at(title); }
  Names tried() {
    std::ifstream file(folder_.file("tried"));
    return {std::istream_iterator<std::string>(file), {}};
  }

  const sail::TempFolder folder_;
  std::string program_ = POSTER_PROGRAM;
  std::map<std::string, Result<FilmFacts>> facts_;
};

constexpr const char* kTell = R"sh(
    echo "${film##*/}" >> "${0%/*}/tried"
    echo '{"size":[64,48],"codec":"h264","duration_ns":5,"fps":25,"playable":false}'
)sh";

TEST_F(FilmProbeTest, KnowsFilmsOfAllKindsAndWhatIsNone) {
  test::write_test_film(folder_.file("films/a.vmov"), {.size = {64, 64}, .frames = 5});
  test::write_test_cards(folder_.file("films/c.mkv"), {.size = {64, 48}, .frames = 25},
                         "-c:v mpeg4");
  test::write_test_cards(folder_.file("films/c2.mkv"), {.size = {64, 48}, .frames = 25},
                         "-c:v jpeg2000 -pix_fmt yuv444p");
  folder_.write("films/text.mp4", "no film at all");
  folder_.write("films/empty.mp4", "");
  folder_.write("films/false.vmov", "no film at all");
  ASSERT_TRUE(
      inspect({"a.vmov", "c.mkv", "c2.mkv", "text.mp4", "empty.mp4", "false.vmov", "none.mp4"}));
  const FilmFacts stored = facts("a.vmov").value();
  EXPECT_EQ(stored.size, (sail::Size{64, 64}));
  EXPECT_EQ(stored.codec, "dxt1");
  EXPECT_EQ(stored.duration_ns, 200'000'000);
  EXPECT_EQ(stored.fps, 25);
  EXPECT_TRUE(stored.playable);
  const FilmFacts decoded = facts("c.mkv").value();
  EXPECT_EQ(decoded.size, (sail::Size{64, 48}));
  EXPECT_EQ(decoded.codec, "mpeg4");
  EXPECT_EQ(decoded.duration_ns, 1'000'000'000);
  EXPECT_EQ(decoded.fps, 25);
  EXPECT_FALSE(decoded.playable);
  EXPECT_TRUE(facts("c2.mkv").value().playable);
  for (const char* none : {"text.mp4", "empty.mp4", "false.vmov", "none.mp4"}) {
    EXPECT_FALSE(facts(none)) << none;
  }
}

// A clip of H.264 that states HDR10 and interlacing, with two sound tracks and subtitles.
void write_described_film(const sail::TempFolder& folder, const std::string& file) {
  folder.write("words.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n");
  const std::string command =
      "ffmpeg -nostdin -loglevel error -y -f lavfi -i testsrc2=s=64x48:r=25:d=1 "
      "-f lavfi -i sine=d=1 -i '" +
      folder.file("words.srt") +
      "' -map 0 -map 1 -map 1 -map 2 -vf setfield=tff -c:v libx264 -flags +ildct+ilme "
      "-pix_fmt yuv420p -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc "
      "-c:a:0 flac -c:a:1 ac3 -ac:a:1 6 -c:s srt "
      "-metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -metadata:s:a:1 title=Ton "
      "-metadata:s:s:0 language=fra -disposition:a:0 default -disposition:a:1 0 "
      "-disposition:s:0 forced '" +
      file + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

TEST_F(FilmProbeTest, TellsColorsFieldsAndTracks) {
  using enum sail::TrackKind;
  write_described_film(folder_, folder_.file("films/a.mkv"));
  test::write_test_cards(folder_.file("films/b.mkv"), {.size = {64, 48}, .frames = 25},
                         "-c:v mpeg4");
  ASSERT_TRUE(inspect({"a.mkv", "b.mkv"}));
  const sail::FilmDescription film = facts("a.mkv").value().description;
  EXPECT_EQ(film.colors, "HDR10");
  EXPECT_TRUE(film.interlaced);
  const std::vector<sail::ListedTrack> wanted = {
      {.format = "flac", .language = "eng", .channels = 1, .by_default = true},
      {.number = 2, .format = "ac3", .language = "deu", .title = "Ton", .channels = 6},
      {.kind = kSubtitles, .format = "subrip", .language = "fra", .forced = true}};
  EXPECT_EQ(film.tracks, wanted);
  EXPECT_EQ(facts("b.mkv").value().description, sail::FilmDescription());
}

TEST_F(FilmProbeTest, PicturesThatAreMissingOrEmptyAreCounted) {
  const std::string folder = folder_.file("films/seq");
  fs::create_directory(folder);
  const std::string command =
      "ffmpeg -nostdin -loglevel error -f lavfi -i testsrc2=s=64x48 -frames:v 10 -c:v jpeg2000 "
      "-format j2k -pix_fmt yuv444p '" +
      folder + "/f.%03d.j2k'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  ASSERT_TRUE(inspect({"seq"}));
  EXPECT_EQ(facts("seq").value().description.remark, "");
  fs::remove(folder + "/f.004.j2k");
  for (const char* last : {"/f.009.j2k", "/f.010.j2k"}) fs::resize_file(folder + last, 0);
  facts_.clear();
  ASSERT_TRUE(inspect({"seq"}));
  EXPECT_EQ(facts("seq").value().description.remark, "3 of 10 pictures are missing or empty");
}

TEST_F(FilmProbeTest, AtMost64TracksAreTold) {
  folder_.write("films/a.mp4", "film");
  const auto tell = [this](int tracks) {
    std::string list;
    for (int i = 1; i <= tracks; ++i) {
      list += fmt::format(R"({}{{"kind":"sound","number":{},"format":"aac","title":"{}"}})",
                          i == 1 ? "" : ",", std::min(i, 64), std::string(64, 'x'));
    }
    facts_.clear();
    stand_in(R"(echo '{"size":[64,48],"codec":"h264","duration_ns":5,"fps":25,"tracks":[)" + list +
             "]}'");
    return inspect({"a.mp4"});
  };
  ASSERT_TRUE(tell(64));
  EXPECT_EQ(facts("a.mp4").value().description.tracks.size(), 64U);
  EXPECT_FALSE(tell(65)) << "no film of ours says so";
}

// Otherwise a film server's users could make it access its network and other files.
TEST_F(FilmProbeTest, AListOfOtherFilesOrOfAddressesIsNoFilm) {
  test::write_test_cards(folder_.file("films/c.mkv"), {.size = {64, 48}, .frames = 25},
                         "-c:v mpeg4");
  test::write_test_cards(folder_.file("films/c.ts"), {.size = {64, 48}, .frames = 25},
                         "-c:v mpeg2video");
  folder_.write("films/a.mp4", "ffconcat version 1.0\nfile c.mkv\n");
  folder_.write("films/b.ts", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1\nc.ts\n");
  folder_.write("films/d.ts",
                "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1\nhttp://127.0.0.1:9/x.ts\n");
  ASSERT_TRUE(inspect({"c.mkv", "c.ts", "a.mp4", "b.ts", "d.ts"}));
  EXPECT_TRUE(facts("c.mkv") && facts("c.ts"));
  for (const char* list : {"a.mp4", "b.ts", "d.ts"}) EXPECT_FALSE(facts(list)) << list;
}

TEST_F(FilmProbeTest, OneThatKillsTheProgramIsUnreadableAndNoOther) {
  Names titles;
  for (int i = 0; i < 600; ++i) {
    titles.push_back(fmt::format("{:03}.mp4", i));
    folder_.write("films/" + titles.back(), "film");
  }
  stand_in(R"sh(for film; do
      case $film in
        */000.mp4) kill -SEGV $$ ;;
        */070.mp4) printf '{"size":[64,'; kill -ABRT $$ ;;
        */071.mp4) echo '{"unreadable":"it takes too long"}'; exit 0 ;;
        */149.mp4) echo '{"unplayable":"it is none"}'; continue ;;
      esac
  )sh" + std::string(kTell) +
           "done");
  ASSERT_TRUE(inspect(titles));
  ASSERT_EQ(facts_.size(), 600U);
  EXPECT_EQ(facts("000.mp4")->unreadable, "vitrail-poster was killed by signal 11");
  EXPECT_EQ(facts("070.mp4")->unreadable, "vitrail-poster was killed by signal 6");
  EXPECT_EQ(facts("071.mp4")->unreadable, "it takes too long");
  EXPECT_EQ(facts("149.mp4").error().message, "it is none");
  EXPECT_EQ(tried().size(), 596U) << "each once";
  for (const std::string& title : titles) {
    const bool read = title != "000.mp4" && title != "070.mp4" && title != "071.mp4";
    if (!read || title == "149.mp4") continue;
    EXPECT_EQ(facts(title).value().codec, "h264") << title;
  }
}

TEST_F(FilmProbeTest, NobodyIsBlamedForAProgramThatCannotLook) {
  folder_.write("films/a.mp4", "film");
  program_ = folder_.file("nothing");
  EXPECT_EQ(inspect({"a.mp4"}).error().code, ErrorCode::kNotFound);
  stand_in("exit 1");
  EXPECT_THAT(inspect({"a.mp4"}).error().message, HasSubstr("status 1"));
  stand_in("echo '{\"size\":[64]}'");
  EXPECT_FALSE(inspect({"a.mp4"}));
  EXPECT_TRUE(facts_.empty());
  stand_in("head -c 100000 /dev/zero");
  EXPECT_TRUE(inspect({"a.mp4"}));
  EXPECT_FALSE(facts("a.mp4")->unreadable.empty()) << "without end it is the film's doing";
}

TEST_F(FilmProbeTest, StopsInTheMiddle) {
  folder_.write("films/a.mp4", "film");
  stand_in("mkfifo \"$0.wait\"; read never < \"$0.wait\"");
  FilmProbe probe(Library::open(folder_.file("films")).value(), program_,
                  [](const std::string& path) { return open_stored(path); });
  auto looked = std::async(std::launch::async, [&] {
    return probe.inspect({"a.mp4"},
                         [](const auto&, const auto&) { ADD_FAILURE() << "it is stopped"; });
  });
  while (!fs::exists(program_ + ".wait")) std::this_thread::yield();
  probe.stop();
  EXPECT_TRUE(looked.get());
}

}  // namespace
}  // namespace server
