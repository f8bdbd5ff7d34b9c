// Commands that show the wall's state: ls, why, stats, watch, snapshot.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/wall_picture.h"
#include "ui/console/stats_csv.h"
#include "ui/console/stats_tables.h"

namespace ui {
namespace {

int list(Context& context) {
  const auto state = context.call_for_all_windows("list");
  if (!state) return context.failure();
  return context.done(*state, wall_text(*state));
}

struct StatsArguments {
  std::vector<std::string> windows;
  double every_s = 1;
  int count = 0;
  std::string csv;  // --csv; empty: no file
  std::string file;
};

int stats(Context& context, const StatsArguments& arguments) {
  if (arguments.windows.empty()) {
    const auto result = context.call_for_all_windows("stats");
    return result ? context.done(*result, stats_text(*result)) : context.failure();
  }
  return context.for_windows(arguments.windows, [&](int64_t window) {
    return context.perform("stats", {{"window", window}}, stats_text);
  });
}

// Statistics that `watch` polls, prints and writes to CSV.
struct View {
  std::optional<sail::Json> (*ask)(Context&);
  std::string (*text)(const sail::Json&);
  std::string (*csv_heading)();
  std::vector<std::string> (*csv_rows)(const sail::Json&, int64_t unix_time_ms);
};

constexpr View kStreamView{[](Context& context) { return context.call_for_all_windows("stats"); },
                           stats_text, csv_heading, csv_rows};
constexpr View kClockView{
    [](Context& context) { return context.call("clocks", sail::Json::object()); }, clocks_text,
    clock_csv_heading, clock_csv_rows};

int why(Context& context, const StatsArguments& arguments) {
  if (arguments.windows.empty()) return context.perform("why", sail::Json::object(), health_text);
  return context.for_windows(arguments.windows, [&](int64_t window) {
    return context.perform("why", {{"window", window}}, [](const sail::Json& answer) {
      return why_text({{"window", member(answer, "window")},
                       {"title", member(answer, "title")},
                       {"health", answer}});
    });
  });
}

int64_t unix_time_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// On a terminal the table is redrawn in place; otherwise, and as JSON, the outputs follow each
// other.
int watch(Context& context, const StatsArguments& arguments, const View& view) {
  std::optional<StatsCsv> csv;
  if (!arguments.csv.empty()) {
    auto opened = StatsCsv::open(arguments.csv, view.csv_heading());
    if (!opened) return context.report(opened.error());
    csv.emplace(std::move(*opened));
  }
  const bool redraw = !context.json && isatty(STDOUT_FILENO) == 1;
  for (int i = 0; arguments.count == 0 || i < arguments.count; ++i) {
    if (i > 0) {
      const auto lost = context.client->wait(static_cast<int64_t>(arguments.every_s * 1000));
      if (lost) return context.report(*lost);
    }
    const auto result = view.ask(context);
    if (!result) return context.failure();
    if (csv) {
      const auto added = csv->add(view.csv_rows(*result, unix_time_ms()));
      if (!added) return context.report(added.error());
    }
    constexpr const char* kHomeAndClear = "\033[H\033[2J";
    if (redraw) fmt::print("{}", kHomeAndClear);
    context.done(*result, view.text(*result));
    std::fflush(stdout);
  }
  return kDone;
}

int snapshot(Context& context, const StatsArguments& arguments) {
  sail::RpcClient* client = context.connection();
  if (client == nullptr) return kNoManager;
  const auto tiles = take_tile_pictures(*client);
  if (!tiles) return context.report(tiles.error());
  const WallPicture picture = wall_picture(*tiles);
  const auto written = write_picture(picture, arguments.file);
  if (!written) return context.report(written.error());
  const int done =
      context.done(picture_json(picture, arguments.file), picture_text(picture, arguments.file));
  return picture.missing.empty() ? done : kFailed;
}

void add_snapshot_command(const Command& app, Context& context,
                          const std::shared_ptr<StatsArguments>& arguments) {
  const Command command = app.command("snapshot",
                                      "Save a picture of the whole wall at one instant; "
                                      "exit 1 and name the tiles that are missing")
                              .group("Looking");
  command.option("file", arguments->file, fmt::format("File to write: {}", kPictureExtensions))
      .required()
      .check([](const std::string& text) {
        return picture_kind(text) ? "" : fmt::format("must end with {}", kPictureExtensions);
      });
  command.runs([&context, arguments] { return snapshot(context, *arguments); });
}

}  // namespace

void add_view_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<StatsArguments>();
  const auto run = [&context, arguments](int (*work)(Context&, const StatsArguments&)) {
    return [&context, arguments, work] { return work(context, *arguments); };
  };

  const auto add_watch = [&context, arguments](const Command& command, const char* and_what,
                                               const View& view) {
    command.option("--every", arguments->every_s, "Seconds between samples")
        .between(0.1, 3600.0)
        .shows_default();
    command.option("--count", arguments->count, "Stop after N samples (0: never)").not_negative();
    command
        .option("--csv", arguments->csv,
                fmt::format("Also append the statistics to this file: one row per sample{}; the "
                            "first line names the columns with their units",
                            and_what))
        .form("FILE");
    command.runs([&context, arguments, &view] { return watch(context, *arguments, view); });
  };

  const Command ls =
      app.command("ls", "List the windows, tiles and receivers").alias("list").group("Looking");
  ls.runs([&context] { return list(context); });

  const Command why_command =
      app.command("why", "Show whether all is well; for a window its bottleneck and what to do")
          .group("Looking");
  why_command.option("window", arguments->windows, "Only these windows, by number or title");
  why_command.runs(run(why));

  const Command stats_command =
      app.command("stats",
                  "Show rates, latency and losses of streams, links to receivers, and receivers")
          .group("Looking");
  stats_command.option("window", arguments->windows, "Only these windows, by number or title");
  stats_command.runs(run(stats));
  stats_command.command("clock", "Show the clock error bounds of receivers and applications")
      .runs([&context] { return context.perform("clocks", sail::Json::object(), clocks_text); });
  stats_command
      .command("memory", "Show the memory of the manager, of applications and of receivers")
      .runs([&context] { return context.perform("memory", sail::Json::object(), memory_text); });

  const Command watch_command =
      app.command("watch", "Repeat `stats` until Ctrl-C; --csv saves the statistics")
          .group("Looking");
  add_watch(watch_command, ", stream and receiver", kStreamView);
  add_watch(watch_command.command("clock", "Repeat `stats clock` until Ctrl-C"), " and clock",
            kClockView);

  add_snapshot_command(app, context, arguments);
}

}  // namespace ui
