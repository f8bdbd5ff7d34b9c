#include "sail/apps/play/options.h"

#include "sail/apps/play/server_film.h"
#include "sail/apps/play/test_source.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_sound.h"
#include "sail/media/film/player.h"

namespace sail {
namespace {

constexpr double kLongestTime = 1e8;  // seconds: three years
constexpr double kMostFrames = 1e15;

const char* const kNotes = R"(What it plays:
  any film, picture or URL that FFmpeg reads; test:[WxH[@FPS]], a test card;
  .vmov films; pictures in files of their own, by a pattern (name.%05d.j2c) or
  their folder;
  server://HOST[:PORT]/TITLE, a film that a vitrail-server plays from its storage;
  .m3u, .m3u8 and .txt files, lists with one name a line; several of these, one
  after another.
  A film of JPEG 2000 goes as it is stored unless another codec is named; 10 and
  12 bits stay in htj2k and j2k.

Keys while it plays in a terminal:
  space pause   left/right 5 s back/on   +/- rate   q quit
The same from anywhere: vitrail pause, seek, rate, close.

Pointer, keys and fingers over the window, where people at the wall have them:
  click or space pause   wheel, up/down volume   l loop
  bottom strip (drag), left/right, Home seek

Live sources (udp, srt, rtsp, rtmp, HTTP, cameras):
  One that falls silent keeps its window, which says so; bplay connects to it
  again until it is back, and shows --fallback meanwhile. With --fallback it
  also waits for one that is not there yet.

How it ends:
  A film ends at its end, or stays there with --hold and begins again with
  space or vitrail resume; a single still stays until its window is closed (q,
  Ctrl-C, vitrail close).
  What is damaged is played as far as it can be decoded, with a word about it.
  exit code 0: something was shown, or somebody closed it
            1: nothing could be played, or there is no manager
            2: the command line is wrong

Examples:
  bplay film.mp4 --place 0,0,3840x2160
  bplay --loop --title Visitors welcome.mp4 map.png
  bplay test:3840x2160@30
  bplay --loop server://storage/visitors/welcome.vmov
  bplay film.mp4 --transport udp --delay-ms 250
  bplay left.vmov --place 0,0 --group panels --start-at 20:00
  bplay film.mp4 --part 2/4
  ffmpeg -i film.mkv -f yuv4mpegpipe - | bplay -
  ffmpeg -i film.mkv -f rawvideo -pix_fmt nv12 - |
    bplay --raw 1920x1080@25:nv12 -
  bplay v4l2:/dev/video0 --sound-from alsa:plughw:1
  bplay x11::1)";

// Checks all options together. Returns an error message, or empty.
std::string find_mistake(const BplayOptions& options) {
  for (const std::string& film : options.films) {
    if (is_test_url(film) && !parse_test_url(film)) {
      return "\"" + film + "\" is not test:[WxH[@FPS]] with sides of at most 16384";
    }
    if (is_sound_device(film)) {
      return film + " has no picture: give it to one that has, by --sound-from";
    }
    if (!is_server_url(film)) continue;
    if (!parse_server_url(film)) return "\"" + film + "\" is not server://HOST[:PORT]/TITLE";
    if (options.part) return "--part is for films that bplay reads itself";
    if (!options.group.empty() || options.start_at_ns) {
      return "--group and --start-at are for films that bplay reads itself";
    }
    if (!options.sound_from.empty()) return "--sound-from is for films that bplay reads itself";
    if (!options.fallback.empty()) return "--fallback is for films that bplay reads itself";
    if (options.frames > 0) return "--frames counts pictures of bplay's own, not of a server's";
  }
  if (!options.fallback.empty() && (!options.group.empty() || options.part)) {
    return "--fallback is for a window of its own, without --group and --part";
  }
  if (is_server_url(options.fallback)) return "--fallback is a film that bplay reads itself";
  if (!options.group.empty() && (options.films.size() > 1 || options.fps || options.raw)) {
    return "--group plays one film at its own times";
  }
  if (options.part && (options.films.size() > 1 || options.fps || options.raw)) {
    return "--part plays one film at its own times";
  }
  if (!options.sound_from.empty() && !is_sound_device(options.sound_from)) {
    return "--sound-from takes alsa:DEVICE";
  }
  if (options.start_at_ns && options.fps) return "--start-at needs the film's own times";
  const bool input = options.films.size() == 1 && options.films.front() == kStandardInput;
  if (options.raw && !input) return "--raw reads standard input: give - as the only film";
  return "";
}

std::optional<BplayOptions::Part> parse_part(const std::string& text) {
  int number = 0;
  int ranks = 0;
  int end = 0;
  const bool read = std::sscanf(text.c_str(), "%3d/%3d%n", &number, &ranks, &end) == 2;
  if (!read || end != static_cast<int>(text.size())) return std::nullopt;
  if (ranks < 1 || ranks > kMaxRanks || number < 1 || number > ranks) return std::nullopt;
  return BplayOptions::Part{number - 1, ranks};
}

}  // namespace

std::variant<BplayOptions, CommandLineAnswer> parse_bplay_options(int count,
                                                                  const char* const* arguments) {
  BplayOptions options;
  CommandLine line("bplay", "Plays films, pictures and test cards in a window on a Vitrail wall.");
  line.notes(kNotes);
  line.option("films", options.films, "what to play").form("FILE|URL|DEVICE|test:|-").required();
  const ShellLine shell = add_shell_options(line, options, true);
  line.flag("--loop", options.loop, "begin again at the end");
  line.option("--volume", options.volume, "of a film's sound, 0 to 1")
      .limited(0.0, 1.0)
      .form("N")
      .shows_default();
  std::string sound;
  line.option("--sound", sound,
              "where the sound of films in local files is heard, at their normal speed: from the "
              "wall's loudspeakers, from this machine's (here), or not at all; else from the "
              "wall's where it has some")
      .one_of({"wall", "here", "off"})
      .form("WHERE");
  line.option("--sound-from", options.sound_from,
              "what a microphone or another input of a sound card hears (ALSA), instead of the "
              "film's own sound")
      .form("alsa:DEVICE");
  line.option("--fps", options.fps,
              "pictures a second, instead of the film's own times; 0: as fast as the wall takes "
              "them, none dropped")
      .limited(0.0, kMaxFps)
      .form("N");
  line.option("--start", options.start_s, "begin at this second of the (first) film")
      .limited(0.0, kLongestTime)
      .form("SECONDS");
  line.option("--rate", options.rate, "times the normal speed, 0.05 to 16")
      .limited(kMinRate, kMaxRate)
      .form("N");
  line.flag("--paused", options.paused, "show the first picture and wait");
  line.flag("--hold", options.hold, "keep the last picture of a film until the window is closed");
  line.option("--fallback", options.fallback,
              "what is shown while a live source sends nothing: a film, a picture, another source, "
              "or card, a test card; else its last picture stays, dimmed")
      .form("FILE|URL|card");
  line.flag("--best-effort", options.best_effort,
            "of a film server: as well as its storage can, instead of being refused when that has "
            "promised too much");
  line.option("--still", options.still_s, "how long a still of a list is shown")
      .limited(0.1, kLongestTime)
      .form("SECONDS")
      .shows_default();
  line.option("--frames", options.frames, "stop after so many pictures; 0: no limit")
      .limited(0.0, kMostFrames)
      .form("N");
  add_group_options(line, options.group, options.start_at_ns);
  line.option_parsed(
      "--part", "K/N", options.part, parse_part,
      "only the K-th of N bands of the film: N players show it in one window, each on a machine of "
      "its own, in the group that --group names, else in one named like the film");
  std::string absent;
  line.option("--absent", absent,
              "what is seen when another of these players is gone or stands still: nothing new, "
              "what it showed last, or black beside those that go on")
      .one_of({"wait", "last", "dark"})
      .shows_default("wait");
  line.option_parsed(
      "--raw", "WxH@FPS:PIXFMT", options.raw, parse_raw_format,
      "standard input has bare frames, and no container (y4m, nut, Matroska, MPEG-TS, ...) that "
      "tells what they are; PIXFMT: rgba, bgra, rgb, nv12, i420, nv16, i422; for "
      "htj2k and j2k also i444, yuv420p10, yuv422p10, yuv444p10, yuv422p12, yuv444p12, rgb48 "
      "(little-endian)");
  bool verbose = false;
  line.flag("--verbose", verbose, "FFmpeg's words, too").excludes(shell.quiet);

  line.check([&options] { return find_mistake(options); });

  if (const auto answer = line.read(count, arguments)) return *answer;
  options.codec_given = shell.codec.given();
  options.absent = kAbsentParts.find(absent).value_or(AbsentPart::kWait);
  if (sound == "wall") options.sound = SoundWish::kWall;
  if (sound == "here") options.sound = SoundWish::kHere;
  if (sound == "off") options.sound = SoundWish::kOff;
  if (verbose) options.log_level = LogLevel::kDebug;
  return options;
}

}  // namespace sail
