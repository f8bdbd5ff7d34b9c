#include "sail/apps/play/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/apps/play/film_opening.h"

namespace sail {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::variant<BplayOptions, CommandLineAnswer> parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "bplay");
  return parse_bplay_options(static_cast<int>(arguments.size()), arguments.data());
}

BplayOptions good(const std::vector<const char*>& arguments) {
  auto parsed = parse(arguments);
  if (const auto* answer = std::get_if<CommandLineAnswer>(&parsed)) {
    ADD_FAILURE() << answer->text;
    return {};
  }
  return std::get<BplayOptions>(parsed);
}

std::string refused(const std::vector<const char*>& arguments) {
  auto parsed = parse(arguments);
  const auto* answer = std::get_if<CommandLineAnswer>(&parsed);
  if (!answer) return "it was taken";
  EXPECT_EQ(answer->exit_code, 2);
  return answer->text;
}

TEST(BplayOptions, Plain) {
  const BplayOptions options = good({"a.mp4", "test:", "b.png"});
  EXPECT_THAT(options.films, ElementsAre("a.mp4", "test:", "b.png"));
  EXPECT_FALSE(options.place || options.fps || options.raw);
  EXPECT_EQ(options.rate, 1);
  EXPECT_EQ(options.codec, "dxt1");
  EXPECT_FALSE(options.codec_given);
  EXPECT_EQ(options.transport, TransportOptions{});
}

TEST(BplayOptions, HowPicturesTravel) {
  const BplayOptions options =
      good({"--transport", "udp", "--delay-ms", "250", "--mtu", "9000", "film.mp4"});
  EXPECT_EQ(options.transport, (TransportOptions{Transport::kUdp, 250, 9000}));
  EXPECT_EQ(good({"--transport", "tcp", "--delay-ms", "0", "film.mp4"}).transport,
            (TransportOptions{.transport = Transport::kTcp, .delay_ms = 0}));
  EXPECT_THAT(refused({"--transport", "quic", "x.mp4"}), HasSubstr("\"quic\" is not tcp|udp"));
  EXPECT_THAT(refused({"--delay-ms", "2001", "x.mp4"}), HasSubstr("--delay-ms"));
  EXPECT_THAT(refused({"--delay-ms=-1", "x.mp4"}), HasSubstr("--delay-ms"));
  EXPECT_THAT(refused({"--mtu", "575", "x.mp4"}), HasSubstr("--mtu"));
  EXPECT_THAT(refused({"--mtu", "9217", "x.mp4"}), HasSubstr("--mtu"));
}

TEST(BplayOptions, WhereSoundIsHeard) {
  EXPECT_EQ(good({"film.mp4"}).sound, SoundWish::kAsCanBe);
  EXPECT_EQ(good({"--sound", "wall", "film.mp4"}).sound, SoundWish::kWall);
  EXPECT_EQ(good({"--sound", "here", "film.mp4"}).sound, SoundWish::kHere);
  EXPECT_EQ(good({"--sound", "off", "film.mp4"}).sound, SoundWish::kOff);
  EXPECT_THAT(refused({"--sound", "loud", "film.mp4"}), HasSubstr("--sound"));
}

TEST(BplayOptions, WhichSoundTrackAndHowInterlacedFilms) {
  EXPECT_EQ(good({"film.mp4"}).sound_track, std::nullopt);
  EXPECT_EQ(good({"--sound-track", "2", "film.mp4"}).sound_track, 2);
  EXPECT_EQ(good({"--sound-track", "all", "film.mp4"}).sound_track, kAllSoundTracks);
  for (const char* track : {"0", "100", "1x", "-1", ""}) {
    EXPECT_THAT(refused({"--sound-track", track, "film.mp4"}), HasSubstr("--sound-track"));
  }
  EXPECT_THAT(refused({"--sound-track=1", "--sound-from=alsa:hw:1", "film.mp4"}),
              HasSubstr("--sound-track"));
  EXPECT_EQ(good({"film.mp4"}).deinterlacing, Deinterlacing::kAuto);
  EXPECT_EQ(good({"--deinterlace", "frame", "film.mp4"}).deinterlacing, Deinterlacing::kFrame);
  EXPECT_THAT(refused({"--deinterlace", "yes", "film.mp4"}), HasSubstr("--deinterlace"));
  EXPECT_EQ(good({"film.mp4"}).missing, MissingAction::kHold);
  EXPECT_EQ(good({"--missing", "stop", "scans"}).missing, MissingAction::kStop);
  EXPECT_THAT(refused({"--missing", "white", "scans"}), HasSubstr("--missing"));
  EXPECT_THAT(refused({"--missing", "black", "server://h/f"}), HasSubstr("--missing"));
}

TEST(BplayOptions, Subtitles) {
  EXPECT_FALSE(good({"film.mp4"}).subtitles);
  EXPECT_EQ(good({"--subtitles", "off", "film.mp4"}).subtitles, SubtitleChoice());
  EXPECT_EQ(good({"--subtitles=2", "film.mp4"}).subtitles->track, 2U);
  EXPECT_EQ(good({"--subtitles=film.srt", "film.mp4"}).subtitles->file, "film.srt");
  EXPECT_THAT(refused({"--subtitles=0", "film.mp4"}), HasSubstr("--subtitles"));
}

TEST(BplayOptions, AFallbackIsForAWindowOfItsOwn) {
  EXPECT_EQ(good({"udp://h:1", "--fallback", "card"}).fallback, "card");
  for (const char* other : {"--group=panels", "--part=1/2"}) {
    EXPECT_THAT(refused({"udp://h:1", "--fallback=card", other}), HasSubstr("--fallback"));
  }
  EXPECT_THAT(refused({"server://h/film", "--fallback=card"}), HasSubstr("--fallback"));
  EXPECT_THAT(refused({"udp://h:1", "--fallback=server://h/film"}), HasSubstr("--fallback"));
}

TEST(BplayOptions, AFilmsTitleTellsNoSecret) {
  for (const auto& [film, title] :
       {std::pair("/films/a?b.mp4", "a?b.mp4"),
        {"https://h/films/film.mp4?AWSAccessKeyId=x&Signature=y", "film.mp4"},
        {"rtsp://u:p@camera", "u:…@camera"},
        {"-", "standard input"}}) {
    EXPECT_EQ(film_title(film), title);
  }
}

TEST(BplayOptions, ASoundCardGoesWithAPicture) {
  EXPECT_EQ(good({"v4l2:/dev/video0", "--sound-from", "alsa:hw:1"}).sound_from, "alsa:hw:1");
  EXPECT_THAT(refused({"alsa:hw:1"}), HasSubstr("alsa:hw:1 has no picture"));
  EXPECT_THAT(refused({"film.mp4", "--sound-from", "song.mp3"}), HasSubstr("alsa:DEVICE"));
  EXPECT_THAT(refused({"server://depot/film", "--sound-from", "alsa:hw:1"}),
              HasSubstr("--sound-from"));
}

TEST(BplayOptions, Everything) {
  const BplayOptions options =
      good({"--manager", "wall:7440", "--title",   "A film",  "--place=-10,20,640x360",
            "--loop",    "--fps",     "0",         "--start", "1.5",
            "--rate",    "2",         "--paused",  "--codec", "dxt1:fast",
            "--frames",  "7",         "--threads", "3",       "--quiet",
            "--hold",    "--still",   "2",         "film.mp4"});
  EXPECT_EQ(options.manager, "wall:7440");
  EXPECT_EQ(options.title, "A film");
  EXPECT_EQ(options.place, (Rect{-10, 20, 640, 360}));
  EXPECT_EQ(options.fps, 0);
  EXPECT_EQ(options.start_s, 1.5);
  EXPECT_EQ(options.rate, 2);
  EXPECT_EQ(options.codec, "dxt1:fast");
  EXPECT_TRUE(options.codec_given);
  EXPECT_EQ(options.frames, 7U);
  EXPECT_EQ(options.threads, 3);
  EXPECT_EQ(options.still_s, 2);
  EXPECT_EQ(options.log_level, LogLevel::kError);
  EXPECT_TRUE(options.loop && options.paused && options.hold);
}

TEST(BplayOptions, Raw) {
  const BplayOptions options = good({"--raw", "64x48@30:rgb", "-"});
  ASSERT_TRUE(options.raw);
  EXPECT_EQ(options.raw->pixels, SAIL_RGB);
  EXPECT_THAT(options.films, ElementsAre("-"));
}

TEST(BplayOptions, HelpAndVersionAreAnswers) {
  const auto help = std::get<CommandLineAnswer>(parse({"--help"}));
  EXPECT_EQ(help.exit_code, 0);
  for (const char* word : {"--raw", "--hold", "test:[WxH[@FPS]]", "exit code", "Examples"}) {
    EXPECT_THAT(help.text, HasSubstr(word));
  }
  const auto version = std::get<CommandLineAnswer>(parse({"--version"}));
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.text, HasSubstr("bplay 0."));
}

TEST(BplayOptions, MistakesAreNamed) {
  EXPECT_THAT(refused({}), HasSubstr("films"));
  EXPECT_THAT(refused({"--place", "here", "x.mp4"}), HasSubstr("\"here\" is not X,Y[,WxH]"));
  EXPECT_THAT(refused({"--place", "1,2,0x5", "x.mp4"}), HasSubstr("--place"));
  EXPECT_THAT(refused({"--place", "1,2000001", "x.mp4"}), HasSubstr("--place"));
  EXPECT_THAT(refused({"--raw", "64x48:rgb", "-"}), HasSubstr("WxH@FPS:PIXFMT"));
  EXPECT_THAT(refused({"--raw", "64x48@1:rgb", "x.mp4"}), HasSubstr("give -"));
  EXPECT_THAT(refused({"test:huge"}), HasSubstr("test:huge"));
  EXPECT_THAT(refused({"--rate", "0", "x.mp4"}), HasSubstr("--rate"));
  EXPECT_THAT(refused({"--fps", "-1", "x.mp4"}), HasSubstr("--fps"));
  EXPECT_THAT(refused({"--codec", "jpeg", "x.mp4"}), HasSubstr("--codec"));
  EXPECT_THAT(refused({"--codec", "carried", "--part", "1/2", "x.mp4"}), HasSubstr("--part"));
  EXPECT_EQ(good({"--codec", "auto", "--part", "1/2", "x.mp4"}).codec, "auto");
  EXPECT_THAT(refused({"--frames", "-3", "x.mp4"}), HasSubstr("--frames"));
  EXPECT_THAT(refused({"--quiet", "--verbose", "x.mp4"}), HasSubstr("--quiet"));
  EXPECT_THAT(refused({"--nonsense", "x.mp4"}), HasSubstr("nonsense"));
}

TEST(PictureSpec, FitKeepsTheShape) {
  EXPECT_EQ(fit({1920, 1080}, {640, 640}), (Size{640, 360}));
  EXPECT_EQ(fit({100, 400}, {640, 640}), (Size{160, 640}));
  EXPECT_EQ(fit({16384, 1}, {10, 10}), (Size{10, 1}));
}

}  // namespace
}  // namespace sail
