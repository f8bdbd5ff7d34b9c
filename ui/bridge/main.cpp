// vitrail-bridge: shows windows of one wall on another wall.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "receiver/signal_thread.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "ui/bridge/bridge.h"
#include "ui/bridge/near_controls.h"
#include "ui/client/answers.h"
#include "ui/client/named_windows.h"
#include "ui/client/value_texts.h"
#include "ui/client/wall_connection.h"

namespace {

const char* const kNotes =
    R"(WINDOW is a number, a title, or numbers joined with commas, as `vitrail ls` lists them on this wall
(--manager). Each window opens on the other wall with the same title, size and codec. Its frames are
received once and sent on as they are, compressed: the bridge decodes nothing. It gets them whole,
also if the window is covered here, so films that are sent in the size of their windows are sent in
full size meanwhile.

A window that is closed or hidden here is closed there, and opens there again when it is shown. A
window whose size or codec changes keeps its place there. What `vitrail replace` opens is another
window, which only `all` includes. If the other wall does not keep up, frames are dropped: the newest
one counts.

If a connection is lost, the bridge tries again until it succeeds, and says so. Windows on the other
wall keep the last picture while this wall is away. While the other wall is away, this wall is not
affected.

`wall` and --rect show this wall, or a part of it, as one window there: all that the tiles show, also
labels and pointers. Such a picture is decoded, painted and encoded again; windows are not. It has the
sound of its windows as this wall plays it. Input there goes to the window at that place here.

Sound is passed on if this wall plays sound ("audio" in its wall file). Each wall has its own
volumes. People of the other wall pause, seek and point in the windows if the key of this wall has
that right; the rights of this wall hold for each window (`vitrail rights`).

Not passed on: labels, blanking, freezing, rotation and crop; windows of parallel applications;
windows that are themselves shown by a bridge, so that no window comes back to its own wall.

Keys:
  this wall:      VITRAIL_KEY_FILE; the right to view is enough for pictures and sound (`vitrail key
                  show --role viewer`), `operator` lets people of the other wall control the windows
  the other wall: --key-file; the right to show (`vitrail key show --role application` there).
                  Without --key-file as for this wall.
  Both walls need a key, or neither.

End:
  The bridge ends with Ctrl-C or SIGTERM, with this wall (`vitrail down`), or when people have closed
  all windows that were named on the other wall. Then it prints how many frames were received, sent
  and dropped. A named window that is closed here does not end the bridge.

  exit code 0: as above
            1: a wall or its key is wrong, or there is no such window
            2: wrong command line

Examples:
  vitrail bridge wall-b.example.org 3
  vitrail bridge wall-b.example.org:7440 "Site plan" 5 --key-file wall-b.key
  vitrail bridge 10.0.0.7 all
  vitrail bridge 10.0.0.7 --rect 0,0,1920x1080)";

struct Arguments {
  std::string other;
  std::vector<std::string> windows;
  std::optional<sail::Rect> rect;
  std::string codec;
  std::string manager;
  std::string key_file;
  uint16_t data_port = 0;
  uint16_t announce_port = 0;
  bool json = false;
  sail::LogLevel log_level = sail::LogLevel::kInfo;
};

std::optional<sail::Rect> parse_rect(const std::string& text) {
  sail::Json rect;
  if (!ui::read_rect(text, rect)) return std::nullopt;
  return sail::Rect{rect[0], rect[1], rect[2], rect[3]};
}

bool names(const Arguments& arguments, const char* word) {
  return std::ranges::find(arguments.windows, word) != arguments.windows.end();
}

bool shows_region(const Arguments& arguments) {
  return arguments.rect || names(arguments, "wall");
}

void describe(const sail::Command& line, Arguments& arguments) {
  line.notes(kNotes);
  line.option("other", arguments.other, "The other wall's manager").form("HOST[:PORT]").required();
  line.option("windows", arguments.windows,
              "Windows of this wall; `all`: also those to come; `wall`: the wall as one picture")
      .form("WINDOW|all|wall");
  line.option_parsed("--rect", "X,Y,WIDTHxHEIGHT", arguments.rect, parse_rect,
                     "Show this part of the wall as one picture, in place of windows");
  line.option("--codec", arguments.codec,
              "Codec of the picture of `wall` and --rect, as of `bplay` (default: dxt1)")
      .form("NAME");
  sail::add_manager_option(line, arguments.manager);
  line.option("--key-file", arguments.key_file, "File with a key of the other wall")
      .form("FILE")
      .existing_file();
  line.option("--data-port", arguments.data_port,
              "TCP and UDP port for frames of this wall, for firewalls that need a fixed port; 0:\n"
              "chosen by the system")
      .form("N")
      .shows_default();
  line.option("--announce-port", arguments.announce_port,
              "Port announced to this wall, if different from the data port (behind a NAT or\n"
              "vitrail impair); 0: the data port")
      .form("N")
      .shows_default();
  line.flag("--json", arguments.json, "Print the numbers of frames as JSON");
  sail::add_log_level_option(line, arguments.log_level);
  line.check([&arguments]() -> std::string {
    const bool more_than_wall = names(arguments, "wall") && arguments.windows.size() > 1;
    if (arguments.rect.has_value() == !arguments.windows.empty() || more_than_wall) {
      return "name windows, or `all`, or `wall`, or --rect";
    }
    return arguments.codec.empty() || shows_region(arguments)
               ? ""
               : "--codec is only for `wall` and --rect: windows keep their codec";
  });
}

sail::Error about_wall(const char* which, const std::string& at, const sail::Error& error,
                       const char* advice) {
  return {error.code, fmt::format("{} at {}: {}{}", which, at, error.message, advice)};
}

sail::Result<void> check_window(int64_t number, const sail::Json& windows) {
  for (const sail::Json& window : windows) {
    if (ui::number_member(window, "window") != number) continue;
    if (ui::is_bridged(ui::text_member(window, "owner"))) {
      return sail::fail(sail::ErrorCode::kInvalidParams,
                        fmt::format("window {} is itself shown by a bridge ({}): start a bridge on "
                                    "the wall that it is from",
                                    number, ui::text_member(window, "owner")));
    }
    if (ui::member(window, "parts").empty()) return {};
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("window {} is of a parallel application, which a bridge cannot pass on",
                    number));
  }
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("there is no window {}: see `vitrail ls`", number));
}

sail::Result<std::vector<uint32_t>> chosen_windows(sail::RpcClient& client,
                                                   const Arguments& arguments) {
  std::vector<uint32_t> chosen;
  if (shows_region(arguments) || names(arguments, "all")) return chosen;
  const auto list = ui::call_for_all_windows(client, "list");
  if (!list) return list.error();
  const sail::Json windows = ui::member(*list, "windows");
  const auto named = ui::named_windows(arguments.windows, windows);
  if (!named) return named.error();
  for (const int64_t number : *named) {
    if (auto good = check_window(number, windows); !good) return good.error();
    chosen.push_back(static_cast<uint32_t>(number));
  }
  return chosen;
}

std::string region_title(const std::string& wall, const std::optional<sail::Rect>& rect) {
  const std::string text =
      rect ? fmt::format("{}: {}×{} at {},{}", wall, rect->width, rect->height, rect->x, rect->y)
           : wall;
  return sail::make_plain_text(text, sail::kMaxTitleLength);
}

struct Near {
  ui::NearWall wall;
  std::string name;
};

sail::Result<Near> near_wall(const Arguments& arguments) {
  const auto at = sail::manager_address(arguments.manager);
  if (!at) return sail::about_option("--manager", at.error());
  sail::RpcClientOptions options;
  options.hello.name = ui::kBridgeProgram;
  auto client = ui::connect_to_wall(*at, std::move(options));
  if (!client) return about_wall("this wall", sail::address_text(*at), client.error(), "");
  auto windows = chosen_windows(**client, arguments);
  if (!windows) return windows.error();
  return Near{.wall = {.at = *at,
                       .key = (*client)->key(),
                       .windows = *std::move(windows),
                       .region = arguments.rect,
                       .data_port = arguments.data_port,
                       .announce_port = arguments.announce_port,
                       .may_control = ui::may_control((*client)->welcome())},
              .name = ui::text_member((*client)->welcome(), "wall")};
}

// The key of the other wall is that of all later connections of this process; the near wall's is
// known.
sail::Result<void> use_key_file(const std::string& file) {
  if (file.empty()) return {};
  if (const auto key = sail::read_key_file(file); !key) {
    return sail::about_option("--key-file", key.error());
  }
  unsetenv("VITRAIL_KEY");
  setenv("VITRAIL_KEY_FILE", file.c_str(), 1);
  return {};
}

sail::Result<sail::Session> far_session(const sail::Address& at, const std::string& near_name,
                                        int encode_threads) {
  const std::string name = sail::make_plain_text(
      fmt::format("{} from {}", ui::kBridgeProgram, near_name), sail::kMaxNameLength);
  const std::string address = sail::address_text(at);
  const sail_session_options options{.name = name.c_str(),
                                     .manager = address.c_str(),
                                     .encode_threads = encode_threads,
                                     .quiet = 1};
  std::string error;
  sail::Session session(options, &error);
  if (session) return session;
  return about_wall("the other wall", address, {sail::ErrorCode::kUnavailable, error},
                    "; its key: --key-file FILE");
}

void report(const ui::BridgeCounts& counts, bool json) {
  const double way_ms = static_cast<double>(counts.way_ns) / 1e6 /
                        static_cast<double>(std::max<uint64_t>(counts.timed, 1));
  if (json) {
    sail::Json line{
        {"received", counts.received}, {"sent", counts.sent}, {"dropped", counts.dropped}};
    if (counts.timed > 0) line["way_ms"] = std::round(10 * way_ms) / 10;
    fmt::print("{}\n", line.dump());
    return;
  }
  fmt::print("{} frames received, {} sent, {} dropped\n", counts.received, counts.sent,
             counts.dropped);
  if (counts.timed > 0) {
    fmt::print("mean time from this wall's application to the bridge: {:.1f} ms\n", way_ms);
  }
}

sail::Result<void> run(const Arguments& arguments) {
  const auto other = sail::parse_address(arguments.other, {"", sail::kDefaultControlPort});
  if (!other) return other.error();
  const auto near = near_wall(arguments);
  if (!near) return near.error();
  if (near->wall.at == *other) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("{} is this wall itself: name another wall", arguments.other));
  }
  if (auto usable = use_key_file(arguments.key_file); !usable) return usable;
  const bool region = shows_region(arguments);
  sigset_t signals{};
  if (region) signals = receiver::block_end_signals();
  auto session = far_session(*other, near->name, region ? 0 : -1);
  if (!session) return session.error();
  const sail::Log log(ui::kBridgeProgram, arguments.log_level);
  log.info("bridge from wall '{}' at {} to the wall at {}", near->name,
           sail::address_text(near->wall.at), sail::address_text(*other));
  if (region) {
    ui::BridgeCounts counts;
    const ui::RegionWindow::Options options{.at = sail::address_text(*other),
                                            .title = region_title(near->name, arguments.rect),
                                            .codec = arguments.codec};
    auto ended = ui::run_region(near->wall, signals, *session, options, counts, log);
    report(counts, arguments.json);
    return ended;
  }
  ui::FarWall far(*std::move(session),
                  {.at = sail::address_text(*other), .windows = near->wall.windows}, log);
  auto ended = ui::run_bridge(near->wall, far, log);
  report(far.counts(), arguments.json);
  return ended;
}

}  // namespace

int vitrail_bridge_main(int argc, char** argv) {
  sail::CommandLine line("vitrail-bridge", "Show windows of one Vitrail wall on another wall.");
  Arguments arguments;
  describe(line, arguments);
  return line.run(argc, argv, [&] { return run(arguments); });
}
