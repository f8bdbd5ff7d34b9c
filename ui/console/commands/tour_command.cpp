// The command tour: windows that go through many sources.
#include <fmt/core.h>

#include <filesystem>

#include "sail/core/wire/content.h"
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

// The manager may run in another folder, so it gets files of this host by their full paths.
std::string tour_source_name(const std::string& word) {
  std::error_code error;
  const auto path = std::filesystem::canonical(word, error);
  return error || sail::is_drawn(word) ? word : path.string();
}

std::string tour_text(const sail::Json& tour) {
  std::string text = fmt::format("{}: {} sources, every {} s{}", text_member(tour, "name"),
                                 text_of(tour, "sources"), text_of(tour, "every_s"),
                                 true_member(tour, "held") ? ", held" : "");
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

int start_tour(Context& context, const TourArguments& arguments) {
  std::vector<std::string> sources;
  for (const std::string& word : arguments.sources) sources.push_back(tour_source_name(word));
  const auto cells = read_size(arguments.cells);
  sail::Json params = {{"name", arguments.name},
                       {"sources", sources},
                       {"columns", cells->first},
                       {"rows", cells->second},
                       {"every_s", *tour_seconds(arguments.every)}};
  const bool is_rect = read_rect(arguments.area, params["rect"]);
  if (!is_rect) params.erase("rect");
  if (!is_rect && !arguments.area.empty()) params["area"] = arguments.area;
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
      .check([](const std::string& text) {
        const auto seconds = tour_seconds(text);
        return seconds && *seconds >= 1 ? ""
                                        : "must be a time of at least 1 s, such as 10s or 1:30";
      });
  start.option("--area", arguments->area,
               "Tile, partition or X,Y,WIDTHxHEIGHT for the cells; default: the whole wall");
  start.runs([&context, arguments] { return start_tour(context, *arguments); });
}

}  // namespace

void add_tour_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<TourArguments>();
  const Command tour = app.command("tour", "Let windows go through many sources, such as cameras")
                           .group("Arranging")
                           .needs_command();
  add_tour_start(tour, context, arguments);
  const Command stop = tour.command("stop", "End a tour; its windows stay");
  add_name_option(stop, "tour", arguments->name);
  stop.runs([&context, arguments] {
    return context.perform("tour_stop", {{"name", arguments->name}});
  });
  for (const auto& [word, help] :
       {std::pair("hold", "Keep the present pictures"), std::pair("go", "Continue after a hold"),
        std::pair("next", "Show the next sources now"),
        std::pair("previous", "Show the previous sources again")}) {
    const Command command = tour.command(word, help);
    add_name_option(command, "tour", arguments->name);
    command.runs([&context, arguments, action = std::string(word)] {
      return context.perform("tour_control", {{"name", arguments->name}, {"action", action}});
    });
  }
  tour.command("ls", "List the tours, what their windows show, and sources that are skipped")
      .alias("list")
      .runs([&context] { return context.perform("tour_list", sail::Json::object(), tours_text); });
}

}  // namespace ui
