// Commands for players: pause, resume, seek, rate, loop, volume, mute, page, next, prev,
// speaker-notes, subtitles, sound-track, codec, and the master volume.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "sail/core/text/limits.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/playback.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

struct ControlArguments {
  std::vector<std::string> windows;  // for commands without another argument
  std::string window;
  double value = 0;
  std::string word;
};

// A command with a window and further arguments.
Command control_command(const Command& app, const std::string& verb, const std::string& help,
                        ControlArguments& arguments) {
  const Command command = app.command(verb, help).group("Players");
  add_window_option(command, arguments.window, Several::kYes);
  return command;
}

using Fill = std::function<void(const ControlArguments&, sail::Json& params)>;

void performs(Command command, Context& context, const std::string& verb,
              const std::shared_ptr<ControlArguments>& arguments, const Fill& fill) {
  command.runs([&context, verb, arguments, fill] {
    return context.for_windows({arguments->window}, [&](int64_t window) {
      sail::Json params = {{"window", window}, {"action", verb}};
      fill(*arguments, params);
      return context.perform("control", params);
    });
  });
}

void add_plain(const Command& app, Context& context, const std::string& verb,
               const std::string& help) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = app.command(verb, help).group("Players");
  add_windows_option(command, arguments->windows);
  command.runs([&context, verb, arguments] {
    return context.for_windows(arguments->windows, [&](int64_t window) {
      return context.perform("control", {{"window", window}, {"action", verb}});
    });
  });
}

// The window's object in the answer of "list". Empty optional: the error has been reported.
std::optional<sail::Json> listed_window(Context& context, int64_t window) {
  const auto state = context.call_for_all_windows("list");
  if (!state) return std::nullopt;
  for (const sail::Json& one : member(*state, "windows")) {
    if (number_member(one, "window") == window) return std::make_optional(one);
  }
  context.report({sail::ErrorCode::kNotFound,
                  fmt::format("there is no window {}: `vitrail ls` lists them", window)});
  return std::nullopt;
}

int seek(Context& context, int64_t window, const FilmPlace& place) {
  sail::Json listed;
  int64_t wall_now_ns = 0;
  if (place.from != FilmPlace::From::kStart) {
    auto found = listed_window(context, window);
    const auto clock = found ? context.call("clock", sail::Json::object()) : std::nullopt;
    if (!clock) return context.failure();
    listed = *std::move(found);
    wall_now_ns = number_member(*clock, "wall_ns");
  }
  const auto seconds = seconds_of(place, listed, wall_now_ns);
  if (!seconds) return context.report(seconds.error());
  return context.perform("control", {{"window", window}, {"action", "seek"}, {"value", *seconds}});
}

void add_seek(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      control_command(app, "seek", "Seek to a position in the film", *arguments);
  command.option("value", arguments->word, fmt::format("Position: {}", kFilmPlaceForms))
      .required()
      .check([](const std::string& text) {
        return read_film_place(text) ? "" : fmt::format("must be {}", kFilmPlaceForms);
      });
  command.runs([&context, arguments] {
    return context.for_windows({arguments->window}, [&](int64_t window) {
      return seek(context, window, *read_film_place(arguments->word));
    });
  });
}

void add_rate(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = control_command(app, "rate", "Set the playback speed", *arguments);
  command.option("value", arguments->value, "Playback speed, 0.05 to 16 (1: normal)")
      .required()
      .between(sail::kMinRate, sail::kMaxRate);
  performs(command, context, "rate", arguments,
           [](const auto& given, sail::Json& params) { params["value"] = given.value; });
}

void add_codec(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      control_command(app, "codec", "Change the codec of a player's stream", *arguments);
  command
      .option("codec", arguments->word,
              "Codec as for bplay --codec, except carried: dxt1, dxt5ycocg:fast, htj2k:500mbit, "
              "...; auto: the player chooses")
      .required()
      .check([](const std::string& text) -> std::string {
        if (text == sail::kCarriedIfPossible) return "";
        const auto spec = sail::parse_codec_spec(text);
        return spec ? "" : spec.error().message;
      });
  performs(command, context, "codec", arguments,
           [](const auto& given, sail::Json& params) { params["codec"] = given.word; });
}

// Empty: neither "auto", "off" nor the number of a track.
std::optional<int> read_track(const std::string& text) {
  if (text == "auto") return sail::kForcedSubtitleTrack;
  if (text == "off") return sail::kNoSubtitleTrack;
  int track = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, track);
  const bool good =
      read.ec == std::errc() && read.ptr == end && track >= 1 && track <= sail::kMaxSubtitleTrack;
  return good ? std::optional(track) : std::nullopt;
}

void add_subtitles(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      control_command(app, "subtitles", "Show a subtitle track of a film, or none", *arguments);
  command
      .option("track", arguments->word,
              "Track number, from 1, as for bplay --subtitles; auto: only the forced ones; or off")
      .required()
      .form("auto|off|N")
      .check([](const std::string& text) {
        return read_track(text) ? "" : "must be auto, off or a track number, 1 to 64";
      });
  performs(command, context, "subtitles", arguments, [](const auto& given, sail::Json& params) {
    params["value"] = *read_track(given.word);
  });
}

void add_sound_track(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      control_command(app, "sound-track", "Play another sound track of a film", *arguments);
  command
      .option("track", arguments->word,
              "Track number, from 1; all: all mono tracks as one programme")
      .required()
      .form("N|all")
      .check([](const std::string& text) {
        return sail::parse_sound_track(text) ? "" : "must be all or a track number, 1 to 99";
      });
  performs(command, context, "sound_track", arguments, [](const auto& given, sail::Json& params) {
    params["value"] = *sail::parse_sound_track(given.word);
  });
}

void add_loop(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const auto to = std::make_shared<Switch>();
  const Command command = control_command(app, "loop", "Play a film in a loop", *arguments);
  add_switch(command, *to, "Play the film only once");
  performs(command, context, "loop", arguments,
           [to](const auto& /*given*/, sail::Json& params) { params["value"] = to->on() ? 1 : 0; });
}

// --- pages

void add_page(const Command& app, Context& context) {
  struct Arguments {
    std::string window;
    int page = 1;
  };
  const auto arguments = std::make_shared<Arguments>();
  const Command command = app.command("page", "Show a page of a document").group("Players");
  add_window_option(command, arguments->window, Several::kYes);
  command.option("page", arguments->page, "Page number, from 1")
      .required()
      .between(1, sail::kMaxPages);
  command.runs([&context, arguments] {
    return context.for_windows({arguments->window}, [&](int64_t window) {
      return context.perform("control",
                             {{"window", window}, {"action", "page"}, {"value", arguments->page}});
    });
  });
}

// Turns `by` pages from the page that the window reports.
int turn_page(Context& context, int64_t window, int64_t by) {
  const auto one = listed_window(context, window);
  if (!one) return context.failure();
  const sail::Json playback = member(*one, "playback");
  const int64_t page = number_member(playback, "page");
  if (page == 0) {
    return context.report(
        {sail::ErrorCode::kConflict,
         fmt::format(
             "window {} has no pages: its content is not a document, or still being prepared",
             window)});
  }
  const int64_t pages = number_member(playback, "pages");
  const int64_t wanted = std::clamp<int64_t>(page + by, 1, std::max<int64_t>(pages, 1));
  return context.perform("control", {{"window", window}, {"action", "page"}, {"value", wanted}});
}

void add_turn(const Command& app, Context& context, const std::string& name,
              const std::string& help, int64_t by) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = app.command(name, help).group("Players");
  add_windows_option(command, arguments->windows);
  command.runs([&context, arguments, by] {
    return context.for_windows(arguments->windows,
                               [&](int64_t window) { return turn_page(context, window, by); });
  });
}

std::string speaker_notes_text(const sail::Json& result) {
  std::string text;
  int page = 0;
  for (const sail::Json& one : member(result, "pages")) {
    ++page;
    const std::string notes = text_member(one, "notes");
    const bool is_cut = true_member(one, "cut");
    if (notes.empty() && !is_cut) continue;
    text += fmt::format("{}page {}: {}\n{}{}\n", text.empty() ? "" : "\n", page,
                        text_member(one, "title"), notes, is_cut ? "…" : "");
  }
  if (text.empty()) return "the window shows nothing with speaker's notes";
  text.pop_back();
  return text;
}

void add_speaker_notes(const Command& app, Context& context) {
  constexpr int64_t kReadingMs = 60'000;
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      app.command("speaker-notes", "Print the speaker's notes of a presentation (PPTX, ODP)")
          .group("Players");
  add_window_option(command, arguments->window, Several::kNo);
  command.runs([&context, arguments] {
    const auto window = context.window(arguments->window);
    if (!window) return context.failure();
    return context.perform("speaker_notes", {{"window", *window}}, speaker_notes_text, kReadingMs);
  });
}

// --- sound

constexpr const char* kVolumeHelp = "Volume, 0 (silent) to 1, or 0% to 100%";

Option add_volume_option(const Command& command, std::string& volume) {
  return command.option("value", volume, kVolumeHelp).check([](const std::string& text) {
    return read_share(text) ? "" : "must be 0 to 1, or 0% to 100%";
  });
}

// Sets a window's volume, whatever plays in it. Like `mute`, it can be undone.
void add_volume(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = control_command(app, "volume", "Set a window's volume", *arguments);
  add_volume_option(command, arguments->word).required();
  command.runs([&context, arguments] {
    return context.for_windows({arguments->window}, [&](int64_t window) {
      return context.perform("sound",
                             {{"window", window}, {"volume", *read_share(arguments->word)}});
    });
  });
}

// Empty: all other windows were muted.
std::string left_alone_text(const sail::Json& answer) {
  const int64_t count = answer.value("left_alone", int64_t{0});
  if (count == 0) return "";
  return fmt::format("{} of other people may still be heard",
                     count == 1 ? "1 window" : fmt::format("{} windows", count));
}

void add_mute(const Command& app, Context& context) {
  struct Arguments {
    WindowsSwitch to;
    bool others = false;
  };
  const auto given = std::make_shared<Arguments>();
  const Command command = app.command("mute", "Mute windows").group("Players");
  add_windows_switch(command, given->to, "Restore the previous volume");
  command.flag("--others", given->others, "Mute all other windows, and unmute this one");
  command.runs([&context, given] {
    const std::vector<std::string> windows = given->to.windows();
    if (given->others && (windows.size() != 1 || windows.front() == "all" || !given->to.on())) {
      return context.report({sail::ErrorCode::kInvalidParams, "--others needs one window alone"});
    }
    return context.for_windows(windows, [&](int64_t window) {
      sail::Json params = {{"window", window}};
      params[given->others ? "solo" : "muted"] = given->others || given->to.on();
      return context.perform("sound", params, left_alone_text);
    });
  });
}

void add_master_volume(const Command& app, Context& context) {
  struct Arguments {
    std::string volume;
    bool mute = false;
    bool unmute = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  const Command command =
      app.command("master-volume", "Set the master volume, which scales the volume of each window")
          .group("Players");
  const Option volume = add_volume_option(command, arguments->volume);
  const Option mute = command.flag("--mute", arguments->mute, "Mute all windows");
  const Option unmute =
      command.flag("--unmute", arguments->unmute, "Restore the previous volume").excludes(mute);
  command.check([volume, mute, unmute]() -> std::string {
    return volume.given() || mute.given() || unmute.given()
               ? ""
               : "a volume, --mute or --unmute is required";
  });
  command.runs([&context, arguments] {
    sail::Json params = sail::Json::object();
    if (!arguments->volume.empty()) params["volume"] = *read_share(arguments->volume);
    if (arguments->mute || arguments->unmute) params["muted"] = arguments->mute;
    return context.perform("master_volume", params);
  });
}

}  // namespace

void add_player_commands(const Command& app, Context& context) {
  add_plain(app, context, "pause", "Pause playback");
  add_plain(app, context, "resume", "Resume playback; a film at its end starts again");
  add_seek(app, context);
  add_rate(app, context);
  add_loop(app, context);
  add_volume(app, context);
  add_mute(app, context);
  add_master_volume(app, context);
  add_page(app, context);
  add_turn(app, context, "next", "Show the next page of a document", 1);
  add_turn(app, context, "prev", "Show the previous page of a document", -1);
  add_speaker_notes(app, context);
  add_subtitles(app, context);
  add_sound_track(app, context);
  add_codec(app, context);
}

}  // namespace ui
