// The commands tour and playlist: windows that go through many sources.
#include <fmt/core.h>

#include <memory>
#include <tuple>

#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

constexpr int64_t kTourStartMs = 60000;  // Until the first sources have a picture.

struct TourArguments {
  std::string name;
  std::vector<std::string> sources;
  std::string cells = "1x1";
  std::string every = "10s";
  std::string area;
};

// "10s", "10" or "1:30".
std::optional<double> tour_seconds(const std::string& text) {
  return read_seconds(text.ends_with('s') ? text.substr(0, text.size() - 1) : text);
}

std::string tour_head(const sail::Json& tour) {
  const std::string held = true_member(tour, "held") ? ", held" : "";
  if (!true_member(tour, "playlist")) {
    return fmt::format("{}: {} sources, every {} s{}", text_member(tour, "name"),
                       text_of(tour, "sources"), text_of(tour, "every_s"), held);
  }
  return fmt::format("{}: item {} of {}{}{}{}", text_member(tour, "name"), text_of(tour, "item"),
                     text_of(tour, "sources"), true_member(tour, "loop") ? ", loop" : "",
                     true_member(tour, "shuffle") ? ", shuffled" : "", held);
}

std::string tour_text(const sail::Json& tour) {
  std::string text = tour_head(tour);
  std::vector<std::vector<std::string>> rows = {{"WINDOW", "PLACE", "SHOWS", "NEXT", "PINNED"}};
  for (const sail::Json& cell : member(tour, "cells")) {
    rows.push_back({text_of(cell, "window"), rect_text(member(cell, "rect")),
                    text_of(cell, "source"), text_of(cell, "next"),
                    true_member(cell, "pinned") ? "yes" : ""});
  }
  text += '\n' + table(rows);
  const sail::Json failed = member(tour, "failed");
  for (const sail::Json& source : failed) {
    text += fmt::format("\nskipped: '{}': {}", text_member(source, "title"),
                        text_member(source, "why"));
  }
  const int64_t more = number_member(tour, "dead") - static_cast<int64_t>(failed.size());
  if (more > 0) text += fmt::format("\nskipped: {} more", more);
  return text;
}

std::string tours_text(const sail::Json& result) {
  std::string text;
  for (const sail::Json& tour : member(result, "tours")) {
    text += (text.empty() ? "" : "\n\n") + tour_text(tour);
  }
  return text.empty() ? "no tours: `vitrail tour start NAME SOURCE…` starts one" : text;
}

// Adds "rect" or "area".
void add_area(sail::Json& params, const std::string& area) {
  const bool is_rect = read_rect(area, params["rect"]);
  if (!is_rect) params.erase("rect");
  if (!is_rect && !area.empty()) params["area"] = area;
}

std::string turn_time_mistake(const std::string& text) {
  const auto seconds = tour_seconds(text);
  return seconds && *seconds >= 1 ? "" : "must be a time of at least 1 s, such as 10s or 1:30";
}

int start_tour(Context& context, const TourArguments& arguments) {
  std::vector<std::string> sources;
  for (const std::string& word : arguments.sources) sources.push_back(source_for_manager(word));
  const auto cells = read_size(arguments.cells);
  sail::Json params = {{"name", arguments.name},
                       {"sources", sources},
                       {"columns", cells->first},
                       {"rows", cells->second},
                       {"every_s", *tour_seconds(arguments.every)}};
  add_area(params, arguments.area);
  return context.perform("tour_start", params, tour_text, kTourStartMs);
}

void add_tour_start(const Command& tour, Context& context,
                    const std::shared_ptr<TourArguments>& arguments) {
  const Command start = tour.command(
      "start", "Show sources in turn, each opened before its turn, on top of other windows");
  add_name_option(start, "tour", arguments->name);
  start
      .option("sources", arguments->sources,
              "Sources from `vitrail source ls`, patterns such as 'url/*', files or URLs")
      .required();
  start.option("--cells", arguments->cells, "Columns and rows of windows, such as 3x3")
      .form("COLUMNSxROWS")
      .shows_default()
      .check([](const std::string& text) {
        const auto cells = read_size(text);
        return cells && cells->first > 0 && cells->second > 0 ? "" : "must be COLUMNSxROWS";
      });
  start.option("--every", arguments->every, "Time between turns: 10s, 10 or 1:30; at least 1 s")
      .shows_default()
      .check(turn_time_mistake);
  start.option("--area", arguments->area,
               "Tile, partition or X,Y,WIDTHxHEIGHT for the cells; default: the whole wall");
  start.runs([&context, arguments] { return start_tour(context, *arguments); });
}

// Adds the commands that control a running tour or playlist.
void add_turn_commands(const Command& to, const std::string& what, Context& context,
                       std::string& name) {
  const Command stop = to.command("stop", fmt::format("End a {}; its windows stay", what));
  add_name_option(stop, what, name);
  stop.runs([&context, &name] { return context.perform("tour_stop", {{"name", name}}); });
  for (const auto& [word, help] :
       {std::pair("hold", "Keep the present pictures"), std::pair("go", "Continue after a hold"),
        std::pair("next", "Show the next sources now"),
        std::pair("previous", "Show the previous sources again")}) {
    const Command command = to.command(word, help);
    add_name_option(command, what, name);
    command.runs([&context, &name, action = std::string(word)] {
      return context.perform("tour_control", {{"name", name}, {"action", action}});
    });
  }
}

// --- playlists

struct PlaylistArguments {
  std::string name;
  std::vector<std::string> items;
  std::string seconds;
  int item = 1;
  int to = 1;
  std::string window;
  std::string area;
  bool loop = false;
  bool shuffle = false;
  int start_at = 1;
};

std::string playlist_text(const sail::Json& playlist) {
  std::vector<std::vector<std::string>> rows = {{"ITEM", "TITLE", "SECONDS"}};
  for (const sail::Json& item : member(playlist, "items")) {
    rows.push_back({std::to_string(rows.size()), text_of(item, "title"), text_of(item, "seconds")});
  }
  return rows.size() > 1 ? table(rows) : "the playlist is empty: `vitrail playlist add` adds items";
}

std::string playlists_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"PLAYLIST", "ITEMS", "PLAYS ITEM", "WINDOW"}};
  for (const sail::Json& playlist : member(result, "playlists")) {
    const sail::Json plays = member(playlist, "plays");
    const sail::Json cells = member(plays, "cells");
    const std::string item = text_of(plays, "item");
    rows.push_back({text_of(playlist, "name"), text_of(playlist, "items"),
                    item + (true_member(plays, "held") ? " (held)" : ""),
                    cells.empty() ? "" : text_of(cells[0], "window")});
  }
  return rows.size() > 1 ? table(rows)
                         : "no playlists: `vitrail playlist save NAME ITEM…` saves one";
}

int save_items(Context& context, const char* verb, const PlaylistArguments& arguments) {
  sail::Json items = sail::Json::array();
  for (const std::string& word : arguments.items) {
    items.push_back({{"source", source_for_manager(word)}});
    if (!arguments.seconds.empty()) items.back()["seconds"] = *tour_seconds(arguments.seconds);
  }
  return context.perform(verb, {{"name", arguments.name}, {"items", items}}, playlist_text);
}

int play_playlist(Context& context, const PlaylistArguments& arguments) {
  sail::Json params = {{"name", arguments.name}};
  if (!arguments.window.empty()) {
    const auto window = context.window(arguments.window);
    if (!window) return context.failure();
    params["window"] = *window;
  }
  add_area(params, arguments.area);
  if (arguments.loop) params["loop"] = true;
  if (arguments.shuffle) params["shuffle"] = true;
  if (arguments.start_at > 1) params["start_at"] = arguments.start_at;
  if (!arguments.seconds.empty()) params["seconds"] = *tour_seconds(arguments.seconds);
  return context.perform("playlist_play", params, tour_text, kTourStartMs);
}

using PlaylistShared = std::shared_ptr<PlaylistArguments>;

void add_playlist_save(const Command& playlist, Context& context, const PlaylistShared& arguments) {
  for (const auto& [word, verb, help] :
       {std::tuple("save", "playlist_save",
                   "Save a playlist; replaces a playlist of the same name"),
        std::tuple("add", "playlist_add", "Add items at the end")}) {
    const Command save = playlist.command(word, help);
    add_name_option(save, "playlist", arguments->name);
    save.option("items", arguments->items,
                "Sources from `vitrail source ls`, patterns such as 'url/*', files or URLs")
        .required();
    save.option("--seconds", arguments->seconds,
                "How long each of these items is shown: 10s, 10 or 1:30; default: films until "
                "their end, others as `vitrail playlist play` says")
        .check(turn_time_mistake);
    save.runs([&context, arguments, saves = std::string(verb)] {
      return save_items(context, saves.c_str(), *arguments);
    });
  }
}

void add_playlist_changes(const Command& playlist, Context& context,
                          const PlaylistShared& arguments) {
  constexpr int kMostItems = 1000;
  const Command remove = playlist.command("remove", "Remove an item").alias("rm");
  add_name_option(remove, "playlist", arguments->name);
  remove.option("item", arguments->item, "Number of the item, from 1")
      .required()
      .between(1, kMostItems);
  remove.runs([&context, arguments] {
    return context.perform("playlist_remove",
                           {{"name", arguments->name}, {"item", arguments->item}}, playlist_text);
  });
  const Command move = playlist.command("move", "Move an item to another position");
  add_name_option(move, "playlist", arguments->name);
  move.option("item", arguments->item, "Number of the item, from 1")
      .required()
      .between(1, kMostItems);
  move.option("to", arguments->to, "New number of the item").required().between(1, kMostItems);
  move.runs([&context, arguments] {
    return context.perform(
        "playlist_move",
        {{"name", arguments->name}, {"item", arguments->item}, {"to", arguments->to}},
        playlist_text);
  });
  const Command erase =
      playlist.command("delete", "Delete a playlist; if it is playing, it continues to its end");
  add_name_option(erase, "playlist", arguments->name);
  erase.runs([&context, arguments] {
    return context.perform("playlist_delete", {{"name", arguments->name}}, playlists_text);
  });
}

void add_playlist_play(const Command& playlist, Context& context, const PlaylistShared& arguments) {
  const Command play = playlist.command(
      "play", "Show the items in turn, each opened before its turn; a film until its end");
  add_name_option(play, "playlist", arguments->name);
  const auto window =
      play.option("--window", arguments->window, "Play in place of this window (number or title)");
  play.option("--area", arguments->area,
              "Tile, partition or X,Y,WIDTHxHEIGHT; default: where the playlist already plays, or "
              "the whole wall")
      .excludes(window);
  play.flag("--loop", arguments->loop, "Begin again after the last item");
  const auto start_at =
      play.option("--start-at", arguments->start_at, "Begin with this item").between(1, 1000);
  play.flag("--shuffle", arguments->shuffle, "In random order, each item once per round")
      .excludes(start_at);
  play.option("--seconds", arguments->seconds,
              "How long items without an end are shown: 10s, 10 or 1:30; default: 10s")
      .check(turn_time_mistake);
  play.runs([&context, arguments] { return play_playlist(context, *arguments); });
}

}  // namespace

void add_playlist_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<PlaylistArguments>();
  const Command playlist = app.command("playlist", "Keep lists of media, and play them in a window")
                               .group("Arranging")
                               .needs_command();
  add_playlist_save(playlist, context, arguments);
  add_playlist_changes(playlist, context, arguments);
  playlist.command("ls", "List the playlists, and what they play").alias("list").runs([&context] {
    return context.perform("playlist_list", sail::Json::object(), playlists_text);
  });
  const Command show = playlist.command("show", "List the items of a playlist");
  add_name_option(show, "playlist", arguments->name);
  show.runs([&context, arguments] {
    return context.perform("playlist_get", {{"name", arguments->name}}, playlist_text);
  });
  add_playlist_play(playlist, context, arguments);
  add_turn_commands(playlist, "playlist", context, arguments->name);
}

void add_tour_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<TourArguments>();
  const Command tour = app.command("tour", "Let windows go through many sources, such as cameras")
                           .group("Arranging")
                           .needs_command();
  add_tour_start(tour, context, arguments);
  add_turn_commands(tour, "tour", context, arguments->name);
  tour.command("ls", "List the tours, what their windows show, and sources that are skipped")
      .alias("list")
      .runs([&context] { return context.perform("tour_list", sail::Json::object(), tours_text); });
}

}  // namespace ui
