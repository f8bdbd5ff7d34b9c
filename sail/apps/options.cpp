#include "sail/apps/options.h"

#include <CLI/CLI.hpp>
#include <sstream>

#include "sail/apps/server_film.h"
#include "sail/apps/test_source.h"
#include "sail/command_line/command_line.h"
#include "sail/media/player.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/limits.h"
#include "sail/wire/packets.h"

namespace sail {
namespace {

constexpr int kUsageError = 2;
constexpr int kMaxThreads = 256;
constexpr double kLongestTime = 1e8;  // seconds: three years
constexpr double kMostFrames = 1e15;

const char* const kFooter = R"(What it plays:
  any film, picture or URL that FFmpeg reads; test:[WxH[@FPS]], a test card;
  .vmov films; pictures in files of their own, by a pattern (name.%05d.j2c) or
  their folder;
  server://HOST[:PORT]/TITLE, a film that a vitrail-server plays from its storage;
  .m3u, .m3u8 and .txt files, lists with one name a line; several of these, one
  after another.

Keys while it plays in a terminal:
  space pause   left/right 5 s back/on   +/- rate   q quit
The same from anywhere: vitrail pause, seek, rate, close.

Pointer, keys and fingers over the window, where people at the wall have them:
  click or space pause   wheel, up/down volume   l loop
  bottom strip (drag), left/right, Home seek

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
  ffmpeg -i film.mkv -f rawvideo -pix_fmt nv12 - |
    bplay --raw 1920x1080@25:nv12 -)";

// A value of one of the small languages, checked while the line is parsed.
template <typename Value, typename Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, std::optional<Value>& target,
                        const std::string& form, const std::string& help, Parse parse) {
  return app
      .add_option_function<std::string>(
          name,
          [&target, parse, name, form](const std::string& text) {
            target = parse(text);
            if (!target) throw CLI::ValidationError(name, "\"" + text + "\" is not " + form);
          },
          help)
      ->type_name(form);
}

// A range that the help tells in words.
CLI::Validator between(double least, double most) {
  return CLI::Range(least, most).description("");
}

void add_transport_options(CLI::App& app, TransportOptions& options) {
  add_parsed(app, "--transport", options.transport, "tcp|udp",
             "how pictures travel: udp for long or lossy networks, where it mends what it can and "
             "waits for nothing; else as the wall's file says",
             parse_transport);
  app.add_option(
         "--delay-ms", options.delay_ms,
         "from submission to the wall, 0 to 2000: pictures that are there sooner are kept "
         "till then, which evens out what the network does not; 0: shown at once. Else over "
         "udp what the links need, over tcp none")
      ->check(between(0, kMaxDelayMs))
      ->type_name("MS");
  app.add_option("--mtu", options.mtu,
                 "over udp: the largest packet that the network carries, bytes, 576 to 9216; else "
                 "as the wall's file says")
      ->check(between(kMinMtu, kMaxMtu))
      ->type_name("BYTES");
}

std::optional<std::string> find_mistake(const BplayOptions& options) {
  for (const std::string& film : options.films) {
    if (is_test_url(film) && !parse_test_url(film)) {
      return "\"" + film + "\" is not test:[WxH[@FPS]] with sides of at most 16384";
    }
    if (!is_server_url(film)) continue;
    if (!parse_server_url(film)) return "\"" + film + "\" is not server://HOST[:PORT]/TITLE";
    if (options.frames > 0) return "--frames counts pictures of bplay's own, not of a server's";
  }
  const bool input = options.films.size() == 1 && options.films.front() == "-";
  if (options.raw && !input) return "--raw reads standard input: give - as the only film";
  if (!options.raw && input) return "frames on standard input need --raw WxH@FPS:PIXFMT";
  return std::nullopt;
}

}  // namespace

std::variant<BplayOptions, BplayAnswer> parse_bplay_options(int count,
                                                            const char* const* arguments) {
  BplayOptions options;
  CLI::App app("Plays films, pictures and test cards in a window on a Vitrail wall.", "bplay");
  app.set_version_flag("--version", "bplay " VITRAIL_VERSION);
  app.footer(kFooter);
  app.add_option("films", options.films, "what to play")->type_name("FILE|URL|test:|-")->required();
  app.add_option("--manager", options.manager,
                 "the wall's manager; else $VITRAIL_MANAGER, else 127.0.0.1:7440")
      ->type_name("HOST:PORT");
  app.add_option("--title", options.title, "of the window; else the film's name");
  add_parsed(app, "--place", options.place, "X,Y[,WxH]",
             "where the window goes, wall pixels; else the manager chooses. Before a minus sign "
             "write --place=-10,20",
             parse_place);
  app.add_flag("--loop", options.loop, "begin again at the end");
  app.add_option("--volume", options.volume, "of a film's sound, 0 to 1")
      ->check(between(0.0, 1.0))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--no-sound", options.no_sound,
               "leave this machine's loudspeakers alone; else the sound of films in local files is "
               "played at their normal speed");
  app.add_option("--fps", options.fps,
                 "pictures a second, instead of the film's own times; 0: as fast as the wall takes "
                 "them, none dropped")
      ->check(between(0.0, kMaxFps))
      ->type_name("N");
  app.add_option("--start", options.start_s, "begin at this second of the (first) film")
      ->check(between(0.0, kLongestTime))
      ->type_name("SECONDS");
  app.add_option("--rate", options.rate, "times the normal speed, 0.05 to 16")
      ->check(between(kMinRate, kMaxRate))
      ->type_name("N");
  app.add_flag("--paused", options.paused, "show the first picture and wait");
  app.add_flag("--hold", options.hold,
               "keep the last picture of a film until the window is closed");
  app.add_option("--still", options.still_s, "how long a still of a list is shown")
      ->check(between(0.1, kLongestTime))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--frames", options.frames, "stop after so many pictures; 0: no limit")
      ->check(between(0.0, kMostFrames))
      ->type_name("N");
  auto* codec_option =
      app.add_option("--codec", options.codec,
                     "dxt1, dxt5 (with alpha) or dxt5ycocg (twice the bytes, finer colours), then "
                     ":fast, :good or :high; htj2k or j2k (JPEG 2000; 10 and 12 bits stay), then "
                     "the rate: :500mbit, :2bpp or :lossless; raw. DXT and raw take +lz4 or +zstd "
                     "for thin links. A film of JPEG 2000 goes as it is stored unless another "
                     "codec is named")
          ->check(CLI::Validator(
              [](const std::string& text) {
                const auto codec = parse_codec_spec(text);
                return codec ? std::string() : codec.error().message;
              },
              ""))
          ->type_name("CODEC")
          ->capture_default_str();
  add_parsed(
      app, "--raw", options.raw, "WxH@FPS:PIXFMT",
      "bare frames on standard input; PIXFMT: rgba, bgra, rgb, nv12, i420, nv16, i422; for "
      "htj2k and j2k also i444, yuv420p10, yuv422p10, yuv444p10, yuv422p12, yuv444p12, rgb48 "
      "(little-endian)",
      parse_raw_format);
  add_transport_options(app, options.transport);
  app.add_option("--threads", options.threads, "for decoding and for encoding; 0: one a core")
      ->check(between(0, kMaxThreads))
      ->type_name("N");
  bool quiet = false;
  bool verbose = false;
  auto* quiet_flag = app.add_flag("--quiet", quiet, "only errors, no status line");
  app.add_flag("--verbose", verbose, "FFmpeg's words, too")->excludes(quiet_flag);

  finish_command_line(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream text;
    const int code = app.exit(error, text, text);
    return BplayAnswer{code == 0 ? 0 : kUsageError, text.str()};
  }
  options.codec_given = codec_option->count() > 0;
  if (quiet) options.log_level = LogLevel::kError;
  if (verbose) options.log_level = LogLevel::kDebug;
  if (const auto mistake = find_mistake(options)) {
    return BplayAnswer{kUsageError, "bplay: " + *mistake + "\nTry bplay --help.\n"};
  }
  return options;
}

}  // namespace sail
