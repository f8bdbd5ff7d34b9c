// The command wall new: writes a wall file from options, from answers, or from the displays found.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "sail/core/base/environment.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/wall.h"
#include "ui/client/commands.h"
#include "ui/console/start/wall_plan.h"

namespace ui {
namespace {

struct NewWallArguments {
  std::string file = "wall.json";
  std::string name;
  std::optional<int> columns;
  std::optional<int> rows;
  std::string resolution;
  std::string mullion;
  std::optional<double> pixel_pitch_mm;
  std::vector<std::string> hosts;
  bool detect = false;
  bool replace = false;
};

// Rejects names that ssh would read as an option or that need quoting.
bool is_host(const std::string& host) {
  return !host.empty() && host.front() != '-' &&
         host.find_first_of(" \t\n'\"\\;&|<>$`") == std::string::npos;
}

// Returns the output of the display tools on that host. ssh runs in batch mode, without prompts.
sail::Result<std::string> query_displays(const std::string& host) {
  constexpr size_t kMostBytes = 1 << 20;
  std::vector<std::string> line = {"sh", "-c", kFindDisplays};
  if (!is_here(host)) {
    line = sail::split_words(sail::environment("VITRAIL_SSH"));
    if (line.empty()) line = {"ssh"};
    line.insert(line.end(), {"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "--", host,
                             kFindDisplays});
  }
  sail::Loop loop;
  sail::Result<std::string> printed =
      sail::fail(sail::ErrorCode::kIo, "no output from the display tools");
  const auto child = sail::Process::spawn_for_output(
      loop, line, {}, kMostBytes, [&](int64_t status, int signal, std::string_view output) {
        if (status == 0 && signal == 0) {
          printed = std::string(output);
        } else {
          printed = sail::fail(
              sail::ErrorCode::kUnavailable,
              fmt::format("cannot detect the displays of {}: see the error from ssh above", host));
        }
        loop.stop();
      });
  if (!child) return child.error();
  loop.run();
  return printed;
}

sail::Result<WallPlan> detected(const WallPlan& plan) {
  std::vector<HostDisplays> hosts;
  for (const std::string& host : plan.hosts.empty() ? std::vector<std::string>{""} : plan.hosts) {
    const auto printed = query_displays(host);
    if (!printed) return printed.error();
    hosts.push_back({host, found_displays(*printed)});
    for (const FoundDisplay& display : hosts.back().found.displays) {
      const std::string width =
          display.width_mm > 0 ? fmt::format(", {:.0f} mm wide", display.width_mm) : "";
      fmt::print(stderr, "{}: {} {}×{}{} (by {})\n", is_here(host) ? "this host" : host,
                 display.name, display.resolution.width, display.resolution.height, width,
                 hosts.back().found.by);
    }
  }
  return plan_for(hosts, plan);
}

// Asks for a value that was not given as an option. An empty answer keeps the default.
void ask(const char* question, bool given, std::string& value) {
  if (given) return;
  fmt::print(stderr, "{} [{}]: ", question, value);
  std::string answer;
  if (std::getline(std::cin, answer) && !answer.empty()) value = answer;
}

bool ask_number(const char* question, bool given, auto& value) {
  std::string text = fmt::format("{}", value);
  ask(question, given, text);
  std::istringstream in(text);
  return (in >> value) && in.eof();
}

sail::Result<void> ask_people(const NewWallArguments& given, WallPlan& plan) {
  ask("Name of the wall", !given.name.empty(), plan.name);
  if (!ask_number("Displays side by side", given.columns.has_value(), plan.columns) ||
      !ask_number("Displays one above another", given.rows.has_value(), plan.rows)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "the number of displays must be a whole number");
  }
  ask("Resolution of a display in pixels", !given.resolution.empty(), plan.resolution);
  ask("Gaps between the pictures of neighbours, across and down, in pixels or as 5.3x5.3mm",
      !given.mullion.empty(), plan.mullion);
  if (plan.mullion.ends_with("mm") &&
      !ask_number("Pixel pitch in millimetres", given.pixel_pitch_mm.has_value(),
                  plan.pixel_pitch_mm)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "the pixel pitch must be a number of millimetres");
  }
  std::string hosts;
  ask("Hosts that drive the displays, separated by blanks; none: this host", !given.hosts.empty(),
      hosts);
  std::istringstream in(hosts);
  for (std::string host; in >> host;) plan.hosts.push_back(host);
  return {};
}

sail::Result<WallPlan> plan_of(const NewWallArguments& given) {
  WallPlan plan;
  plan.hosts = given.hosts;
  if (given.detect) {
    auto found = detected(plan);
    if (!found) return found;
    plan = *std::move(found);
  }
  if (!given.name.empty()) plan.name = given.name;
  plan.columns = given.columns.value_or(plan.columns);
  plan.rows = given.rows.value_or(plan.rows);
  if (!given.resolution.empty()) plan.resolution = given.resolution;
  if (!given.mullion.empty()) plan.mullion = given.mullion;
  plan.pixel_pitch_mm = given.pixel_pitch_mm.value_or(plan.pixel_pitch_mm);
  if (isatty(STDIN_FILENO) == 1) {
    if (auto asked = ask_people(given, plan); !asked) return asked.error();
  }
  return plan;
}

sail::Result<void> write_wall(const NewWallArguments& given, const sail::Json& file) {
  std::error_code ignored;
  if (!given.replace && std::filesystem::exists(given.file, ignored)) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("{} exists: --replace overwrites the file", given.file));
  }
  std::ofstream out(given.file);
  out << file.dump(2) << '\n';
  if (out.flush()) return {};
  return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot write {}", given.file));
}

// Whether an option describes the wall's displays. If so, options that are missing get their
// defaults when there is no terminal for questions.
bool is_described(const NewWallArguments& given) {
  return given.detect || given.columns || given.rows || !given.resolution.empty();
}

int make_wall(Context& context, const NewWallArguments& given) {
  for (const std::string& host : given.hosts) {
    if (is_host(host)) continue;
    return context.usage_error(fmt::format("'{}' is not a valid host name", host));
  }
  const auto plan = plan_of(given);
  if (!plan) return context.report(plan.error());
  const auto file = wall_file(*plan);
  if (!file) return context.report(file.error());
  if (const auto done = write_wall(given, *file); !done) return context.report(done.error());
  return context.done({{"file", given.file}, {"wall", *file}},
                      fmt::format("{0}: {1}×{2} displays; `vitrail up {0}` starts the wall",
                                  given.file, plan->columns, plan->rows));
}

}  // namespace

void add_new_wall_command(const Command& wall, Context& context) {
  const auto arguments = std::make_shared<NewWallArguments>();
  const Command command =
      wall.command("new", "Write a wall file for equal displays; prompts for values not given");
  command.option("file", arguments->file, "Wall file").shows_default();
  command.option("--wall-name", arguments->name, "Name of the wall").shows_default("wall");
  command.option("--columns", arguments->columns, "Displays side by side")
      .between(1, 256)
      .shows_default("2");
  command.option("--rows", arguments->rows, "Displays one above another")
      .between(1, 256)
      .shows_default("2");
  command.option("--resolution", arguments->resolution, "Resolution of a display in pixels")
      .form("WxH")
      .shows_default("1920x1080");
  command
      .option("--mullion", arguments->mullion,
              "Gaps between the pictures of neighbours, across and down: pixels, or 5.3x5.3mm")
      .form("WxH")
      .shows_default("0x0");
  command.option("--pixel-pitch-mm", arguments->pixel_pitch_mm, "Pixel pitch in millimetres")
      .form("MM");
  command.option(
      "--host", arguments->hosts,
      "Host that drives an equal share of the displays; repeatable; default: this host drives all");
  command.flag("--detect", arguments->detect,
               "Detect the displays of the hosts (by ssh) or of this host, from xrandr, wlr-randr "
               "or the kernel");
  command.flag("--replace", arguments->replace, "Overwrite an existing file");
  command.check([arguments]() -> std::string {
    if (is_described(*arguments) || isatty(STDIN_FILENO) == 1) return "";
    return "cannot prompt without a terminal: give --columns, --rows and --resolution, or --detect";
  });
  command.runs([&context, arguments] { return make_wall(context, *arguments); });
}

}  // namespace ui
