// The commands play, replace, note, clock and qr.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "sail/core/command_line/shared_options.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/transport.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/playback.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"
#include "ui/console/page_addresses.h"

namespace ui {
namespace {

struct PlayArguments {
  std::vector<std::string> media;
  std::string window;  // the window to replace
  std::string place;
  std::string at;
  std::string volume;
  double rate = 0;  // 0: not given
  bool source = false;
  bool in_turn = false;
  bool loop = false;
  std::string at_end;
  std::string on;
  double fps = 0;
  std::string start;
  std::string deinterlace;
  std::string codec;
  std::string missing;
  std::string sound_track;
  std::string fallback;
  std::string subtitles;
  std::string group;
  std::optional<int64_t> start_at_ns;
  sail::TransportOptions transport{};
};

// Makes file names absolute, because the manager may start the player in another folder. Leaves
// URLs, drawn media (such as test cards) and full paths on another host unchanged.
sail::Result<std::string> full_name(const std::string& media, bool elsewhere) {
  if (elsewhere && media.starts_with('/')) return media;
  if (sail::is_drawn(media) || sail::is_written(media)) return media;
  if (media.find("://") != std::string::npos) return media;
  std::error_code error;
  const auto path = std::filesystem::canonical(media, error);
  if (error) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("{}: {}", media, error.message()));
  }
  return path.string();
}

// Returns the id of the source with this id or exact title; empty if there is none.
std::string source_named(Context& context, const std::string& name) {
  sail::RpcClient* client = context.connection();
  if (client == nullptr) return "";
  // The search covers titles only; ids are searched in the whole list.
  for (const sail::Json& params :
       {sail::Json{{"search", name}, {"count", 500}}, sail::Json{{"count", 500}}}) {
    const auto found = client->call("sources", params);
    if (!found) return "";
    for (const sail::Json& source : member(*found, "sources")) {
      std::string id = text_member(source, "source");
      if (id == name || text_member(source, "title") == name) return id;
    }
  }
  return "";
}

// Parameters for one window: a file, URL or test card as "media", or a source of the wall's
// library.
sail::Result<sail::Json> content(Context& context, const PlayArguments& arguments,
                                 const std::string& media) {
  if (arguments.source) return sail::Json{{"source", media}};
  const auto name = full_name(media, !arguments.on.empty());
  if (name) return sail::Json{{"media", {*name}}};
  const std::string source = arguments.in_turn ? "" : source_named(context, media);
  if (!source.empty()) return sail::Json{{"source", source}};
  return name.error();
}

// Parameters for each window to open.
sail::Result<std::vector<sail::Json>> contents(Context& context, const PlayArguments& arguments) {
  if (arguments.source && arguments.in_turn && arguments.media.size() > 1) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "--in-turn cannot be combined with --source");
  }
  std::vector<sail::Json> windows;
  for (const std::string& media : arguments.media) {
    auto params = content(context, arguments, media);
    if (!params) return params.error();
    if (arguments.in_turn && !windows.empty()) {
      windows.front()["media"].push_back((*params)["media"][0]);
    } else {
      windows.push_back(std::move(*params));
    }
  }
  if (windows.size() > 1 && !arguments.place.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "--place needs a single window: add --in-turn to play all media in one");
  }
  return windows;
}

// Asks the manager for places side by side for windows that open together.
sail::Result<void> find_places(Context& context, const PlayArguments& arguments,
                               std::vector<sail::Json>& windows) {
  const sail::Json usual = {1920, 1080};
  sail::Json params = {{"sizes", std::vector<sail::Json>(windows.size(), usual)}};
  if (!arguments.at.empty()) read_point(arguments.at, params["at"]);
  sail::RpcClient* client = context.connection();
  if (client == nullptr) return sail::fail(sail::ErrorCode::kUnavailable, "");
  const auto found = client->call("find_places", params);
  if (!found) return found.error();
  const sail::Json& places = member(*found, "places");
  for (size_t i = 0; i < windows.size() && i < places.size(); ++i) {
    windows[i].update(member(places[i], "play"));
  }
  return {};
}

void add_how(const PlayArguments& arguments, sail::Json& params) {
  if (!arguments.volume.empty()) params["volume"] = *read_share(arguments.volume);
  if (arguments.rate > 0) params["rate"] = arguments.rate;
  if (arguments.loop) params["at_end"] = "loop";
  if (!arguments.on.empty()) params["on"] = arguments.on;
  if (!arguments.at_end.empty()) params["at_end"] = arguments.at_end;
  if (arguments.fps > 0) params["fps"] = arguments.fps;
  if (!arguments.start.empty()) params["start"] = *read_seconds(arguments.start);
  if (!arguments.deinterlace.empty()) params["deinterlace"] = arguments.deinterlace;
  if (!arguments.codec.empty()) params["codec"] = arguments.codec;
  if (!arguments.missing.empty()) params["missing"] = arguments.missing;
  if (!arguments.sound_track.empty()) params["sound_track"] = arguments.sound_track;
  if (!arguments.fallback.empty()) params["fallback"] = arguments.fallback;
  if (!arguments.subtitles.empty()) params["subtitles"] = arguments.subtitles;
  if (!arguments.group.empty()) params["group"] = arguments.group;
  if (arguments.start_at_ns) {
    params["start_at"] = static_cast<double>(*arguments.start_at_ns) / 1e9;
  }
  write_fields(params, arguments.transport);
}

// Returns a text about what the player waits for, if its window does not open soon; empty: unknown.
std::string awaited(const sail::Json& params) {
  const sail::Json& media = member(params, "media");
  if (!media.is_array() || media.empty()) return "";
  const auto first = media.front().get<std::string>();
  if (!sail::awaits_sender(first)) return "";
  return fmt::format("waiting for a sender at {}: no picture received yet",
                     sail::without_passwords(first));
}

// Calls the verb for a window that will open.
int start_player(Context& context, const char* verb, const sail::Json& params) {
  constexpr int64_t kPlayTimeoutMs = 3'600'000;  // until the player opens its window
  constexpr int64_t kSoonMs = 2000;
  sail::RpcClient* client = context.connection();
  if (client == nullptr) return kNoManager;
  const auto result = [&] {
    sail::Timer notice(client->loop());
    const std::string text = context.json ? "" : awaited(params);
    if (!text.empty()) {
      notice.start(kSoonMs, 0, [&] { fmt::print(stderr, "{}: {}\n", context.program, text); });
    }
    return client->call(verb, params, kPlayTimeoutMs);
  }();
  if (!result) return context.failed(result.error());
  return context.done(*result, fmt::format("window {}", number_member(*result, "window")));
}

int play(Context& context, const PlayArguments& arguments) {
  auto windows = contents(context, arguments);
  if (!windows) return context.report(windows.error());
  if (windows->size() == 1) {
    if (!arguments.place.empty()) read_rect(arguments.place, windows->front()["place"]);
    if (!arguments.at.empty()) read_point(arguments.at, windows->front()["at"]);
  } else if (const auto found = find_places(context, arguments, *windows); !found) {
    return context.client ? context.report(found.error()) : int{kNoManager};
  }
  for (sail::Json& params : *windows) {
    add_how(arguments, params);
    if (const int code = start_player(context, "play", params); code != kDone) return code;
  }
  return kDone;
}

// Replaces the window; several media play one after the other.
int replace(Context& context, PlayArguments arguments) {
  arguments.in_turn = arguments.media.size() > 1;
  auto windows = contents(context, arguments);
  if (!windows) return context.report(windows.error());
  const auto window = context.window(arguments.window);
  if (!window) return context.failure();
  sail::Json& params = windows->front();
  params["window"] = *window;
  add_how(arguments, params);
  return start_player(context, "replace", params);
}

bool names_subtitle_file(const std::string& subtitles) {
  return subtitles != "auto" && subtitles != "off" &&
         subtitles.find_first_not_of("0123456789") != std::string::npos;
}

// Converts the fallback and the subtitles to names that the player can open.
sail::Result<void> name_files(PlayArguments& arguments) {
  const auto complete = [&](std::string& file) -> sail::Result<void> {
    auto name = full_name(file, !arguments.on.empty());
    if (!name) return name.error();
    file = *std::move(name);
    return {};
  };
  if (names_subtitle_file(arguments.subtitles)) {
    if (auto named = complete(arguments.subtitles); !named) return named;
  }
  if (arguments.fallback.empty() || arguments.fallback == "card") return {};
  return complete(arguments.fallback);
}

Option with_place_checked(const Option& place) {
  place.check([](auto& text) {
    sail::Json unused;
    return read_rect(text, unused) ? "" : fmt::format("must be {}", kRectForm);
  });
  return place;
}

constexpr const char* kPlaceHelp =
    "Area X,Y,WIDTHxHEIGHT in wall pixels; the picture is fitted into it";

void add_note(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PlayArguments>();
  const auto lines = std::make_shared<std::vector<std::string>>();
  const Command command = app.command("note", "Show a text in a window").group("Players");
  command.option("lines", *lines, "Lines of the text, one argument each").required();
  with_place_checked(command.option("--place", arguments->place, kPlaceHelp));
  command.runs([&context, arguments, lines] {
    arguments->media = {fmt::format("{}{}", sail::kNoteScheme, fmt::join(*lines, "\\n"))};
    return play(context, *arguments);
  });
}

void add_clock(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PlayArguments>();
  const auto zones = std::make_shared<std::vector<std::string>>();
  const Command command =
      app.command("clock", "Show the time of day, one window per time zone").group("Players");
  command.option(
      "zone", *zones,
      "Time zone, such as Europe/Paris; default: the zone of the host that draws the clock");
  with_place_checked(command.option("--place", arguments->place, kPlaceHelp));
  command.runs([&context, arguments, zones] {
    if (zones->empty()) zones->emplace_back();
    for (const std::string& zone : *zones) {
      arguments->media.push_back(fmt::format("{}{}", sail::kClockScheme, zone));
    }
    return play(context, *arguments);
  });
}

// Returns the address of the remote without a key, as everybody in the room reads the wall.
sail::Result<std::string> remote_address(const sail::RpcClient& client) {
  const PageAddresses page = page_addresses(client, {}, "remote/");
  if (page.here.empty() || page.only_here()) {
    return sail::fail(sail::ErrorCode::kConflict,
                      "phones cannot reach the wall's page: start the manager with --page "
                      "0.0.0.0:7480, or name the page's address: vitrail qr TEXT");
  }
  return page.shown().front();
}

void add_qr(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PlayArguments>();
  const auto text = std::make_shared<std::string>();
  const Command command =
      app.command("qr", "Show a QR code in a window, such as the address of the remote control")
          .group("Players");
  command.option("text", *text, "Text of the code; default: address of the remote control");
  with_place_checked(command.option("--place", arguments->place, kPlaceHelp));
  command.runs([&context, arguments, text]() -> int {
    if (text->empty()) {
      const sail::RpcClient* client = context.connection();
      if (client == nullptr) return kNoManager;
      const auto address = remote_address(*client);
      if (!address) return context.report(address.error());
      *text = *address;
    }
    arguments->media = {fmt::format("{}{}", sail::kQrScheme, *text)};
    return play(context, *arguments);
  });
}

// Options about where and when media are played.
void add_playing_options(const Command& command, const std::shared_ptr<PlayArguments>& arguments) {
  command
      .option("media", arguments->media,
              "Files, URLs, test:WxH@FPS, or sources from `vitrail source ls`")
      .required();
  command.flag("--source", arguments->source, "Treat all arguments as source ids");
  command.option("--volume", arguments->volume, "Volume, 0 to 1, or 0% to 100%")
      .check([](const std::string& text) {
        return read_share(text) ? "" : "must be 0 to 1, or 0% to 100%";
      });
  command.option("--rate", arguments->rate, "Playback speed, 0.05 to 16 (1: normal)")
      .between(sail::kMinRate, sail::kMaxRate);
  const Option loop =
      command.flag("--loop", arguments->loop, "Play in a loop, same as --at-end loop");
  command
      .option("--at-end", arguments->at_end,
              "At the end hold the last picture, loop or close; default: the wall's setting")
      .excludes(loop)
      .one_of({"hold", "loop", "close"});
  command
      .option("--on", arguments->on,
              "Node of the wall file whose host plays the media; files are read there")
      .form("NODE");
  command.option("--fps", arguments->fps, "Frame rate in frames/s; default: the file's own")
      .between(0.01, 1000.0);
  command.option("--start", arguments->start, "Start position: seconds, 1:30 or 1:02:03")
      .check([](const std::string& text) {
        return read_seconds(text) ? ""
                                  : "must be seconds, M:SS or H:MM:SS, such as 90, 1:30 or 1:02:03";
      });
}

// Options about what is made of the media's pictures, sound and subtitles.
void add_content_options(const Command& command, const std::shared_ptr<PlayArguments>& arguments) {
  command
      .option(
          "--deinterlace", arguments->deinterlace,
          "How to show interlaced films: one picture for each frame (frame) or field (field), "
          "or unchanged (off); auto (default): field up to 1920x1080 and 30 frames/s, else frame")
      .one_of({"auto", "off", "frame", "field"});
  command
      .option(
          "--codec", arguments->codec,
          "As for bplay --codec: dxt1 (default), dxt5ycocg:fast, htj2k:500mbit, raw, ...; carried: "
          "the receivers decode films and live sources in H.264, H.265, AV1, VP9 or MJPEG; auto: "
          "the player chooses")
      .check([](const std::string& text) -> std::string {
        const auto checked = sail::check_film_codec(text);
        return checked ? "" : checked.error().message;
      })
      .form("CODEC");
  command
      .option("--missing", arguments->missing,
              "What numbered files show where one is missing, empty or damaged: the picture before "
              "(hold, the default), black, or nothing: the film ends there with an error (stop)")
      .one_of({"hold", "black", "stop"});
  command
      .option("--sound-track", arguments->sound_track,
              "Sound track of a film, from 1, or `all` its mono tracks; default: the film's choice")
      .check([](const std::string& text) {
        return sail::parse_sound_track(text) ? "" : "must be 1 to 99, or all";
      })
      .form("N|all");
  command
      .option(
          "--fallback", arguments->fallback,
          "What to show while a live source sends nothing: a file, a URL, or `card`, a test card")
      .form("FILE|URL|card");
  command
      .option("--subtitles", arguments->subtitles,
              "Subtitles: auto (forced ones, the default), off, a track number, or a text file")
      .form("auto|off|N|FILE");
}

// Adds the options common to play and replace.
void add_play_options(const Command& command, const std::shared_ptr<PlayArguments>& arguments) {
  add_playing_options(command, arguments);
  add_content_options(command, arguments);
  sail::add_group_options(command, arguments->group, arguments->start_at_ns);
  sail::add_transport_options(command, arguments->transport);
}

}  // namespace

void add_play_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PlayArguments>();
  const Command command =
      app.command("play", "Play films, pictures or test cards (test:), each in a new window")
          .group("Players");
  add_play_options(command, arguments);
  command.flag("--in-turn", arguments->in_turn, "Play the media one after the other in one window");
  const Option place = with_place_checked(command.option("--place", arguments->place, kPlaceHelp));
  command
      .option("--at", arguments->at,
              "Centre of the window: X,Y; the size is chosen to fit the wall")
      .excludes(place)
      .check([](auto& text) {
        sail::Json unused;
        return read_point(text, unused) ? "" : "must be X,Y";
      });
  command.runs([&context, arguments] {
    if (auto named = name_files(*arguments); !named) return context.report(named.error());
    return play(context, *arguments);
  });

  const auto instead = std::make_shared<PlayArguments>();
  const Command replaces =
      app.command("replace", "Close a window and play other media in its place").group("Players");
  add_window_option(replaces, instead->window, Several::kNo);
  add_play_options(replaces, instead);
  replaces.runs([&context, instead] {
    if (auto named = name_files(*instead); !named) return context.report(named.error());
    return replace(context, *instead);
  });

  add_note(app, context);
  add_clock(app, context);
  add_qr(app, context);
}

}  // namespace ui
