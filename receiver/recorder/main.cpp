// vitrail-recorder: records what a wall shows, into a file or as a live stream.

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "receiver/display/window_system.h"
#include "receiver/receiver.h"
#include "receiver/recorder/destination.h"
#include "receiver/recorder/film_sampler.h"
#include "receiver/recorder/film_thread.h"
#include "receiver/recorder/whep_server.h"
#include "receiver/signal_thread.h"
#include "receiver/sound/sound_mixer.h"
#include "sail/core/address/address.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/base/secret.h"
#include "sail/core/base/worker_pool.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/webrtc/offer_door.h"

namespace {

constexpr const char* kAbout = R"(Record what a Vitrail wall shows.

Record all of the wall or a part of it into a file, or stream it live to a media server, a network
address, an HLS folder or a camera device: windows, labels and users' pointers as the tiles show
them. The wall does not wait for the recorder. If the wall plays sound, the recording has the sound
of its windows, at the volume that the users set.)";

constexpr const char* kNotes = R"(Destination:
  FILE.mkv, FILE.mp4, FILE.webm or any other file name extension that FFmpeg supports. An existing
  file is overwritten. The file stays playable even if the disk is full or the recorder is killed.

  Live, with H.264 (to RTMP always with sound, as services require it):
    rtmp://HOST/APP/KEY, rtmps://…, rtsp://HOST/PATH   a media server or service
    srt://HOST:PORT, udp://…, rtp://…, tcp://…         MPEG-TS
    FILE.m3u8             HLS: the last 12 s, as pieces of 2 s beside the file; older ones are
                          deleted; any web server can serve the folder
    v4l2:/dev/videoN      a loopback camera (v4l2loopback) for video conferences
    http://HOST:PORT/whep, https://…                   browsers (WHEP)

  Browsers connect to this program: they open the link that it prints, which has a key. With
  --until the link and its sessions end at that time, also of a later recording; `vitrail key show
  --role watch --name window-3 --until TIME` prints more keys. --revoked names links that end
  before. If this program has the wall's own key, all keys that may view the wall open the page,
  too. Players of WHEP (a draft of the IETF) use the address and the key as bearer token. HOST is
  the address on which this program listens, 127.0.0.1 for this machine only; others need https://
  and --certificate. Up to 20 viewers watch the same H.264 (Baseline profile, at most 10 Mbit/s)
  with Opus sound, encrypted, at UDP ports that the system chooses. Needs GStreamer's plugins
  "good", "bad" and "nice".

  If a live destination does not answer, the recorder tries again with growing pauses. If a server
  refuses the stream at the first try, the recorder ends. Pictures that cannot be sent in time are
  dropped before they are encoded; the log reports them every 10 s. Passwords in the URL, and keys
  of RTMP and SRT (streamid), are not shown in logs and lists of processes.

  A live picture leaves the recorder one to two pictures' times after the wall has shown it, plus
  the time to encode it. Players add most of the latency: HLS at least 6 s.

End:
  The recording ends after --seconds, with Ctrl-C or SIGTERM, or with the wall (`vitrail down`).
  While the manager is away, the streams and the recording continue.

  exit code 0: the recording is complete
            1: nothing could be written or sent, no such window, or no manager
            2: wrong command line, also a wrong URL

Environment:
  VITRAIL_MANAGER   the manager's address when --manager is not given
  VITRAIL_KEY_FILE  file with a key that may view the wall (`vitrail key show --role viewer`),
                    if the manager requires one

Examples:
  vitrail record talk.mkv
  vitrail record film.mp4 --window 3 --seconds 60
  vitrail record part.mkv --rect 0,0,1920,1080 --fps 60 --codec ffv1
  vitrail record rtmp://a.rtmp.youtube.com/live2/KEY --size 1920x1080
  vitrail record /srv/www/wall.m3u8 --window 3
  vitrail cast srt://conference:9000 --size 1920x1080
  vitrail cast http://127.0.0.1:7491/whep --size 1280x720
  vitrail cast https://0.0.0.0:7491/whep --certificate wall.pem --certificate-key wall.key \
    --window 3 --until 18:00
  vitrail cast v4l2:/dev/video9 --size 1280x720)";

struct Arguments {
  std::string to;
  std::string manager;
  std::string codec;
  std::optional<sail::Rect> rect;
  std::optional<sail::Size> size;
  int window = 0;
  double fps = 30;
  double seconds = 0;
  int threads = sail::WorkerPool::default_threads() + 1;
  bool live = false;
  std::string certificate;  // for https://; empty: none
  std::string certificate_key;
  std::string until;    // when the link for http:// and https:// ends; empty: with the recording
  std::string revoked;  // file; empty: none
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

// Parses whole numbers separated by one of the characters in `between`.
std::optional<std::vector<int>> numbers(const std::string& text, const std::string& between) {
  std::vector<int> values(1, 0);
  bool digit = false;
  for (const char letter : text) {
    if (letter >= '0' && letter <= '9' && values.back() < sail::kMaxWallSide) {
      values.back() = values.back() * 10 + (letter - '0');
      digit = true;
    } else if (digit && between.find(letter) != std::string::npos) {
      values.push_back(0);
      digit = false;
    } else {
      return std::nullopt;
    }
  }
  return digit ? std::optional(values) : std::nullopt;
}

std::optional<sail::Rect> parse_rect(const std::string& text) {
  const auto sides = numbers(text, ",x");
  if (!sides || sides->size() != 4 || (*sides)[2] == 0 || (*sides)[3] == 0) return std::nullopt;
  return sail::Rect{(*sides)[0], (*sides)[1], (*sides)[2], (*sides)[3]};
}

std::optional<sail::Size> parse_size(const std::string& text) {
  const auto sides = numbers(text, "x");
  if (!sides || sides->size() != 2 || (*sides)[0] < 2 || (*sides)[1] < 2) return std::nullopt;
  if (std::max((*sides)[0], (*sides)[1]) > sail::kMaxTileSide) return std::nullopt;
  return sail::Size{(*sides)[0], (*sides)[1]};
}

void describe(const sail::Command& line, Arguments& arguments) {
  constexpr int kMostWindows = 2'000'000'000;
  constexpr double kLongestS = 1e6;
  line.notes(kNotes);
  line.option("to", arguments.to, "Output file, or live destination").form("FILE|URL").required();
  sail::add_manager_option(line, arguments.manager);
  const sail::Option rect =
      line.option_parsed("--rect", "X,Y,W,H", arguments.rect, parse_rect,
                         "Part of the wall to record, in wall pixels (default: all of it)");
  line.option("--window", arguments.window,
              "Record only the area that this window covers when the recording begins")
      .form("N")
      .between(1, kMostWindows)
      .excludes(rect);
  line.option_parsed("--size", "WxH", arguments.size, parse_size,
                     "Size of the pictures (default: the wall's pixels, halved until no side\n"
                     "exceeds 4096)");
  line.option("--fps", arguments.fps, "Frame rate in frames/s")
      .form("N")
      .between(1.0, 240.0)
      .shows_default();
  line.option("--seconds", arguments.seconds, "Duration in seconds (default: until stopped)")
      .form("S")
      .between(0.1, kLongestS);
  line.option("--codec", arguments.codec,
              "FFmpeg's name of the encoder: libx264, libx264rgb, ffv1 (lossless), libvpx-vp9 …\n"
              "(default: H.264 if the kind of file allows it)")
      .form("NAME");
  line.flag("--live", arguments.live, "Refuse a destination that is a file, not live");
  line.option("--threads", arguments.threads,
              "Number of threads that paint, and of threads that decode")
      .form("N")
      .between(1, 64)
      .shows_default();
  sail::add_certificate_options(line, arguments.certificate, arguments.certificate_key);
  line.option("--until", arguments.until,
              "With http:// or https://: print a link that ends at this time, not one until the "
              "recording ends: +SECONDS, HH:MM, YYYY-MM-DDTHH:MM or @SECONDS since 1970")
      .form("TIME");
  line.option("--revoked", arguments.revoked,
              "With http:// or https://: file of links that open it no more, read again every "
              "second: on each line a link, its key, or the key's name before the colon")
      .form("FILE")
      .existing_file();
  sail::add_log_level_option(line, arguments.log_level);
  line.check([&arguments]() -> std::string {
    const bool live = receiver::is_live(arguments.to);
    if (arguments.live && !live && arguments.to.find("://") == std::string::npos) {
      return fmt::format("\"{}\" is not a live destination: see --help", arguments.to);
    }
    arguments.live = live;
    if (auto mistake = receiver::destination_mistake(arguments.to); !mistake.empty()) {
      return mistake;
    }
    const bool has_links = !arguments.until.empty() || !arguments.revoked.empty();
    if (has_links && !receiver::is_served(arguments.to)) {
      return "--until and --revoked are for http:// and https:// only";
    }
    const bool secure = arguments.to.starts_with("https://");
    return secure == arguments.certificate.empty()
               ? "--certificate is for https:// only, which needs it"
               : "";
  });
}

std::string film_text(const receiver::FilmSampler::Figures& figures) {
  std::string text = fmt::format("{} pictures", figures.pictures - figures.left_out);
  if (figures.left_out == 0) return text;
  return text + fmt::format(", {} skipped: this machine was too slow", figures.left_out);
}

void print_links(const receiver::WhepServer& whep, const std::string& scheme,
                 const std::string& token) {
  const sail::Address listens = whep.address();
  for (const std::string& own : sail::own_addresses(listens.host)) {
    const std::string site =
        fmt::format("{}://{}", scheme, sail::address_text({own, listens.port}));
    fmt::print("page: {}/#key={}\nWHEP: {}{}\n", site, token, site, receiver::kWhepPath);
  }
  fmt::print("token: {}\n", token);
  std::fflush(stdout);
}

// WHAT in the names of links: "wall", "window-3" or "rect-0-0-1920-1080".
std::string shown_part(const Arguments& arguments) {
  if (arguments.window != 0) return fmt::format("window-{}", arguments.window);
  if (!arguments.rect) return "wall";
  const sail::Rect& rect = *arguments.rect;
  return fmt::format("rect-{}-{}-{}-{}", rect.x, rect.y, rect.width, rect.height);
}

// Returns a link's key that ends when --until says.
sail::Result<std::string> link_until(const Arguments& arguments, const sail::WallKey& wall_key) {
  const auto until_ns = sail::parse_start_time(arguments.until, sail::calendar_now_ns());
  if (!until_ns) return sail::about_option("--until", until_ns.error());
  if (wall_key.secret.empty()) {
    return sail::fail(sail::ErrorCode::kUnauthorized,
                      "--until: a link with an end needs the wall's own key, not one for a role");
  }
  const int64_t until_s = *until_ns / sail::kSecondNs;
  if (until_s <= sail::calendar_now_ns() / sail::kSecondNs) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("--until: '{}' has passed", arguments.until));
  }
  return key_text(key_named(
      wall_key, fmt::format("{}/{}/until-{}", sail::kWatchRole, shown_part(arguments), until_s)));
}

// Null: the destination is not served to viewers.
sail::Result<std::unique_ptr<receiver::WhepServer>> serve(const Arguments& arguments,
                                                          const sail::Address& manager,
                                                          const sail::Log& log) {
  std::unique_ptr<receiver::WhepServer> none;
  if (!receiver::is_served(arguments.to)) return none;
  const sail::Address listen = receiver::served_address(arguments.to);
  const auto certificate =
      sail::certificate_for(listen, {arguments.certificate, arguments.certificate_key});
  if (!certificate) return certificate.error();
  auto key = sail::key_for(manager);
  if (!key) return key.error();
  if (!key->name.empty()) key = sail::WallKey();
  const std::string token = sail::random_word();
  receiver::RevokedLinks revoked(arguments.revoked);
  if (auto read = revoked.read(); !read) return sail::about_option("--revoked", read.error());
  auto printed = arguments.until.empty() ? token : link_until(arguments, *key);
  if (!printed) return printed.error();
  auto whep = receiver::WhepServer::start({.listen = listen,
                                           .token = token,
                                           .wall_key = *key,
                                           .shown = shown_part(arguments),
                                           .revoked = std::move(revoked),
                                           .certificate = *certificate},
                                          log);
  if (whep) print_links(**whep, *certificate ? "https" : "http", *printed);
  return whep;
}

sail::Result<void> run(const Arguments& arguments) {
  const auto manager = sail::manager_address(arguments.manager);
  if (!manager) return sail::about_option("--manager", manager.error());
  // Report a file that has reached its size limit as a write error.
  std::signal(SIGXFSZ, SIG_IGN);
  const sigset_t signals = receiver::block_end_signals();
  const sail::Log log("vitrail-recorder", arguments.log_level);
  receiver::SoundFeed sound;
  sound.begin(receiver::kFilmSoundRate, receiver::kFilmSoundChannels);
  const auto viewers = serve(arguments, *manager, log);
  if (!viewers) return viewers.error();
  // The system may have chosen the port.
  const std::string to =
      *viewers ? (*viewers)->url(arguments.certificate.empty() ? "http" : "https") : arguments.to;
  receiver::FilmThread film({.to = to,
                             .codec = arguments.codec,
                             .fps = arguments.fps,
                             .live = arguments.live,
                             .audience = viewers->get()},
                            sound, log);
  auto window_system =
      std::make_unique<receiver::FilmSampler>(film, arguments.fps, arguments.seconds);
  const receiver::FilmSampler& sampler = *window_system;
  sail::Record record{
      .wall_rect = arguments.rect, .size = arguments.size, .secret = sail::random_secret()};
  if (arguments.window != 0) record.window = static_cast<uint32_t>(arguments.window);
  receiver::Receiver receiver(
      {.name = "recorder",
       .manager = *manager,
       .decode_workers = arguments.threads - 1,
       .record = record,
       .film_sound = &sound,
       .decoder_cache = receiver::decoder_cache()},
      receiver::make_cpu_display(std::move(window_system), arguments.threads - 1), log);
  sail::Result<void> ended;
  {
    const receiver::SignalThread signal_thread(signals, receiver);
    ended = receiver.run();
  }
  auto written = film.end();
  if (!ended) return ended;
  const receiver::FilmSampler::Figures figures = sampler.figures();
  if (figures.pictures == 0 && written) {
    return sail::fail(
        sail::ErrorCode::kUnavailable,
        fmt::format("nothing was recorded: no wall was found at {}", sail::address_text(*manager)));
  }
  fmt::print("{}: {:.2f} s, {}\n", sail::without_stream_keys(to),
             static_cast<double>(figures.pictures) / arguments.fps,
             arguments.live ? receiver::figures_text(film.figures()) : film_text(figures));
  return written;
}

}  // namespace

int vitrail_recorder_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-recorder", kAbout);
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
