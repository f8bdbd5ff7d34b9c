#include "sail/apps/play/options.h"

#include "sail/apps/play/server_film.h"
#include "sail/apps/play/test_card.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"
#include "sail/media/film/player.h"

namespace sail {
namespace {

constexpr double kLongestTime = 1e8;  // seconds: three years
constexpr double kMostFrames = 1e15;

const char* const kNotes = R"(Content:
  any film, picture or URL that FFmpeg reads; test:[WxH[@FPS]], a test card;
  .vmov films; numbered picture files, given as a pattern (name.%05d.j2c) or a
  folder; the folder of a DCP or IMF package, or a composition playlist in it;
  server://HOST[:PORT]/TITLE, a film that a vitrail-server plays from its storage;
  .m3u, .m3u8 and .txt playlists, one name per line; several of these in
  sequence.
  A JPEG 2000 film is sent as stored unless --codec selects another codec; 10
  and 12 bits are kept with htj2k and j2k. With --codec carried, films and live
  sources in H.264, H.265, AV1, VP9 or MJPEG are not decoded here; films that
  need subtitles, other colours, deinterlacing or turning are refused.

Keys in the terminal during playback:
  space pause   left/right 5 s back/forward   +/- speed   q quit
From anywhere else: vitrail pause, seek, rate, close.

Pointer, keys and touch over the window at the wall:
  click or space pause   wheel, up/down volume   l loop
  bottom strip (drag), left/right, Home seek

Live sources (udp, srt, rtsp, rtmp, HTTP, cameras):
  When a source stops sending, its window stays and says so; bplay reconnects
  until the source is back, and shows --fallback meanwhile. With --fallback,
  bplay also waits for a source that does not exist yet.

When the program ends:
  At the end of the film. With --hold the last frame stays, and space or vitrail
  resume restarts the film. A single still picture stays until its window is
  closed (q, Ctrl-C, vitrail close).
  A damaged film is played as far as it can be decoded, with a warning.
  exit code 0: something was shown, or a user closed the window
            1: nothing could be played, --missing stop, or no manager
            2: the command line is wrong
            75: the film server is too busy for the film; --best-effort helps

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

std::string mistake_of_carried(const BplayOptions& options) {
  if (options.codec != kCarried) return "";
  if (options.raw) return "--codec carried excludes --raw";
  if (options.part) return "--codec carried excludes --part";
  if (!options.fallback.empty()) return "--codec carried excludes --fallback";
  for (const std::string& film : options.films) {
    if (is_server_url(film)) return "--codec carried does not work with films of a film server";
  }
  return "";
}

// Checks all options together. Returns an error message, or empty.
std::string find_mistake(const BplayOptions& options) {
  if (auto mistake = mistake_of_carried(options); !mistake.empty()) return mistake;
  for (const std::string& film : options.films) {
    if (is_test_url(film) && !parse_test_url(film)) {
      return "\"" + film + "\" must be test:[WxH[@FPS]] with sides of at most 16384";
    }
    if (is_sound_device(film)) {
      return film + " has no picture: use --sound-from to add its sound to a film";
    }
    if (!is_server_url(film)) continue;
    if (!parse_server_url(film)) return "\"" + film + "\" is not server://HOST[:PORT]/TITLE";
    if (options.part) return "--part does not work with films of a film server";
    if (!options.group.empty() || options.start_at_ns) {
      return "--group and --start-at do not work with films of a film server";
    }
    if (!options.sound_from.empty())
      return "--sound-from does not work with films of a film server";
    if (options.sound_track) return "--sound-track does not work with films of a film server";
    if (!options.fallback.empty()) return "--fallback does not work with films of a film server";
    if (options.missing != MissingAction::kHold) {
      return "--missing does not work with films of a film server";
    }
    if (options.frames > 0) return "--frames does not work with films of a film server";
  }
  if (!options.fallback.empty() && (!options.group.empty() || options.part)) {
    return "--fallback excludes --group and --part";
  }
  if (is_server_url(options.fallback)) return "--fallback cannot be a film of a film server";
  if (!options.group.empty() && (options.films.size() > 1 || options.fps || options.raw)) {
    return "--group allows one film only, without --fps and --raw";
  }
  if (options.part && (options.films.size() > 1 || options.fps || options.raw)) {
    return "--part allows one film only, without --fps and --raw";
  }
  if (!options.sound_from.empty() && options.sound_track) {
    return "--sound-from excludes --sound-track";
  }
  if (!options.sound_from.empty() && !is_sound_device(options.sound_from)) {
    return "--sound-from must be alsa:DEVICE";
  }
  if (options.start_at_ns && options.fps) return "--start-at excludes --fps";
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

// Options whose words parse_bplay_options() translates.
struct BplayWords {
  std::string sound;
  std::string absent;
  std::string deinterlacing;
  std::string missing;
};

void add_sound_options(CommandLine& line, BplayOptions& options, BplayWords& words) {
  line.option("--volume", options.volume, "sound volume, 0 to 1")
      .limited(0.0, 1.0)
      .form("N")
      .shows_default();
  line.option("--sound", words.sound,
              "loudspeakers for the sound of local files at normal speed: the wall's, this "
              "machine's (here) or none (off); default: the wall's if it has any")
      .one_of({"wall", "here", "off"})
      .form("WHERE");
  line.option_parsed("--sound-track", "N|all", options.sound_track, parse_sound_track,
                     "play sound track N of the film, from 1, or all its mono tracks as one "
                     "programme; default: the film's own choice. bplay lists the tracks of a film");
  line.option("--sound-from", options.sound_from,
              "play the sound of a microphone or another ALSA input instead of the film's")
      .form("alsa:DEVICE");
}

void add_timing_options(CommandLine& line, BplayOptions& options) {
  line.option("--fps", options.fps,
              "frame rate in frames/s instead of the film's own timing; 0: as fast as the wall "
              "accepts, without drops")
      .limited(0.0, kMaxFps)
      .form("N");
  line.option("--start", options.start_s, "start position in the (first) film, in seconds")
      .limited(0.0, kLongestTime)
      .form("SECONDS");
  line.option("--rate", options.rate, "playback speed as a factor, 0.05 to 16")
      .limited(kMinRate, kMaxRate)
      .form("N");
  line.option_parsed(
      "--subtitles", "auto|off|N|FILE", options.subtitles, parse_subtitle_choice,
      "subtitles to draw into the pictures: track N of the film or of the files beside "
      "it (FILM.en.srt), a text file, none (off), or only the forced track of the "
      "sound's language (auto, the default)");
  line.flag("--paused", options.paused, "show the first frame and wait");
  line.flag("--hold", options.hold, "keep a film's last frame until the window is closed");
  line.option("--fallback", options.fallback,
              "content to show while a live source sends nothing: a film, a picture, another "
              "source or card, a test card; default: the last frame, dimmed")
      .form("FILE|URL|card");
  line.flag("--best-effort", options.best_effort,
            "for a film server: play even without enough reserved storage bandwidth, possibly with "
            "skipped frames");
  line.option("--still", options.still_s,
              "how long to show each still picture of a list, in seconds")
      .limited(0.1, kLongestTime)
      .form("SECONDS")
      .shows_default();
  line.option("--frames", options.frames, "stop after N frames; 0: no limit")
      .limited(0.0, kMostFrames)
      .form("N");
}

void add_part_options(CommandLine& line, BplayOptions& options, BplayWords& words) {
  add_group_options(line, options.group, options.start_at_ns);
  line.option_parsed("--part", "K/N", options.part, parse_part,
                     "play only band K of N of the film: N players on different machines fill one "
                     "window, in the group of --group, or in a group named after the film");
  line.option("--absent", words.absent,
              "what to show when another of these players is missing or stalled: all players wait "
              "(wait), its last frame (last), or black in its band (dark)")
      .one_of({"wait", "last", "dark"})
      .shows_default("wait");
}

}  // namespace

std::variant<BplayOptions, CommandLineAnswer> parse_bplay_options(int count,
                                                                  const char* const* arguments) {
  BplayOptions options;
  BplayWords words;
  CommandLine line("bplay", "Play films, pictures and test cards in a window on a Vitrail wall.");
  line.notes(kNotes);
  line.option("films", options.films, "films, pictures and live sources to play")
      .form("FILE|URL|DEVICE|test:|-")
      .required();
  const ShellLine shell = add_shell_options(line, options, true);
  line.flag("--loop", options.loop, "restart at the end");
  add_sound_options(line, options, words);
  add_timing_options(line, options);
  add_part_options(line, options, words);
  line.option_parsed(
      "--raw", "WxH@FPS:PIXFMT", options.raw, parse_raw_format,
      "standard input has raw frames without a container (y4m, nut, Matroska, MPEG-TS, ...) that "
      "describes them; PIXFMT: rgba, bgra, rgb, nv12, i420, nv16, i422; for htj2k and j2k also "
      "i444, yuv420p10, yuv422p10, yuv444p10, yuv422p12, yuv444p12, rgb48 (little-endian)");
  line.option("--deinterlace", words.deinterlacing,
              "how to show interlaced films: one picture for each frame (frame) or field (field), "
              "or unchanged (off); auto: field up to 1920x1080 and 30 frames/s, else frame")
      .one_of({"auto", "off", "frame", "field"})
      .shows_default("auto");
  line.option("--missing", words.missing,
              "what numbered files show where one is missing, empty or damaged: the picture before "
              "(hold), black, or nothing: the film ends there with an error (stop)")
      .one_of({"hold", "black", "stop"})
      .shows_default("hold");
  bool verbose = false;
  line.flag("--verbose", verbose, "also print FFmpeg's messages").excludes(shell.quiet);

  line.check([&options, &words] {
    options.missing = kMissingActions.find(words.missing).value_or(MissingAction::kHold);
    return find_mistake(options);
  });

  if (const auto answer = line.read(count, arguments)) return *answer;
  options.codec_given = shell.codec.given();
  options.absent = kAbsentParts.find(words.absent).value_or(AbsentPart::kWait);
  options.deinterlacing = kDeinterlacings.find(words.deinterlacing).value_or(Deinterlacing::kAuto);
  if (words.sound == "wall") options.sound = SoundWish::kWall;
  if (words.sound == "here") options.sound = SoundWish::kHere;
  if (words.sound == "off") options.sound = SoundWish::kOff;
  if (verbose) options.log_level = LogLevel::kDebug;
  return options;
}

}  // namespace sail
