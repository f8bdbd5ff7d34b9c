// Commands that change windows: move, resize, place, fit, swap, raise, lower, lock, maximise,
// close.
#include <fmt/core.h>

#include <optional>

#include "sail/core/text/limits.h"
#include "ui/client/commands.h"
#include "ui/client/value_texts.h"

namespace ui {
namespace {

// Parsed options of one command, shared by the parser and the action.
struct WindowArguments {
  std::string window;
  std::string other;
  std::vector<std::string> windows;
  std::optional<int> x;
  std::optional<int> y;
  bool by = false;
  std::string to;
  std::string size;
  std::string tile;
  std::string partition;
  bool fill = false;
  bool stretch = false;
  bool share = false;
  std::vector<std::string> places;
};

// A command with a window and further arguments.
Command window_command(const Command& app, const std::string& name, const std::string& help,
                       const std::shared_ptr<WindowArguments>& arguments) {
  const Command command = app.command(name, help).group("Windows");
  add_window_option(command, arguments->window, Several::kYes);
  return command;
}

// A command for any number of windows, which calls the verb once for all of them.
void add_for_windows(const Command& app, Context& context, const std::string& verb,
                     const std::string& help) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = app.command(verb, help).group("Windows");
  add_windows_option(command, arguments->windows);
  command.runs([&context, arguments, verb]() -> int {
    const auto windows = context.windows(arguments->windows);
    if (!windows) return context.failure();
    if (windows->empty()) return context.done({{"windows", *windows}}, "");
    if (windows->size() == 1) return context.perform(verb, {{"window", windows->front()}});
    return context.perform(verb, {{"windows", *windows}});
  });
}

void add_switched(const Command& app, Context& context, const std::string& verb,
                  const std::string& help, const std::string& off_help) {
  const auto to = std::make_shared<WindowsSwitch>();
  const Command command = app.command(verb, help).group("Windows");
  add_windows_switch(command, *to, off_help);
  command.runs([&context, to, verb] {
    return context.for_windows(to->windows(), [&](int64_t window) {
      return context.perform(verb, {{"window", window}, {"on", to->on()}});
    });
  });
}

void add_move(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = window_command(
      app, "move", "Move a window's top left corner to X Y, or the window to another wall",
      arguments);
  constexpr int kMost = sail::kMaxWindowOffset;
  command.option("x", arguments->x, "Wall pixels from the left").limited(-kMost, kMost);
  command.option("y", arguments->y, "Wall pixels from the top").limited(-kMost, kMost);
  command.flag("--by", arguments->by, "Move by X and Y from the current position");
  add_to_wall_option(command, arguments->to);
  command.check([arguments]() -> std::string {
    if (arguments->to.empty()) {
      return arguments->x && arguments->y ? "" : "x and y are required, or --to WALL";
    }
    return arguments->x || arguments->by ? "--to excludes x, y and --by" : "";
  });
  command.runs([&context, arguments] {
    if (!arguments->to.empty()) {
      return copy_windows(context, {arguments->window}, arguments->to, true);
    }
    const char* x = arguments->by ? "dx" : "x";
    const char* y = arguments->by ? "dy" : "y";
    return context.for_windows({arguments->window}, [&](int64_t window) {
      return context.perform("move", {{"window", window}, {x, *arguments->x}, {y, *arguments->y}});
    });
  });
}

void add_resize(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = window_command(
      app, "resize", "Resize a window: 1920x1080, or 1920 or x1080 to keep its aspect ratio",
      arguments);
  command.option("size", arguments->size, "Size in wall pixels").required().check([](auto& text) {
    return read_size(text)
               ? ""
               : "must be WIDTHxHEIGHT, WIDTH or xHEIGHT, such as 1920x1080, at most 65536";
  });
  command.runs([&context, arguments] {
    return context.for_windows({arguments->window}, [&](int64_t window) {
      const auto [width, height] = *read_size(arguments->size);
      sail::Json params = {{"window", window}};
      if (width > 0) params["width"] = width;
      if (height > 0) params["height"] = height;
      return context.perform("resize", params);
    });
  });
}

// Parses "WINDOW X,Y,WIDTHxHEIGHT …" into names and rectangles. Returns false for other words.
bool read_places(const std::vector<std::string>& words, std::vector<std::string>& names,
                 std::vector<sail::Json>& rects) {
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    names.push_back(words[i]);
    if (!read_rect(words[i + 1], rects.emplace_back())) return false;
  }
  return words.size() % 2 == 0;
}

int place(Context& context, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  std::vector<sail::Json> rects;
  if (!read_places(words, names, rects)) {
    return context.usage_error(fmt::format("place needs pairs of a window and {}", kRectForm));
  }
  sail::Json windows = sail::Json::array();
  for (size_t i = 0; i < names.size(); ++i) {
    const auto window = context.window(names[i]);
    if (!window) return context.failure();
    windows.push_back({{"window", *window}, {"rect", rects[i]}});
  }
  return context.perform("place", {{"windows", windows}});
}

void add_place(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command =
      app.command("place", "Move and resize windows, all in one swap: WINDOW X,Y,WIDTHxHEIGHT …")
          .group("Windows");
  command.option("window", arguments->places, "Windows, each followed by its area").required();
  command.runs([&context, arguments] { return place(context, arguments->places); });
}

void add_swap(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command =
      app.command("swap", "Exchange the positions of two windows").group("Windows");
  add_window_option(command, arguments->window, Several::kNo);
  command.option("other", arguments->other, "Number or title of the second window").required();
  command.runs([&context, arguments] {
    const auto window = context.window(arguments->window);
    const auto other = window ? context.window(arguments->other) : std::nullopt;
    if (!other) return context.failure();
    if (other == window) return context.usage_error("swap needs two different windows");
    return context.perform("swap", {{"window", *window}, {"other", *other}});
  });
}

void add_fit(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command =
      window_command(app, "fit", "Fit a window to the wall, a tile or a partition", arguments);
  const Option tile =
      command.option("tile", arguments->tile, "Name of a tile; default: the whole wall");
  command.option("--partition", arguments->partition, "Fit into this partition instead of the wall")
      .excludes(tile);
  const Option fill = command.flag("--fill", arguments->fill,
                                   "Fill the area; crop the picture to the area's aspect ratio");
  const Option stretch = command
                             .flag("--stretch", arguments->stretch,
                                   "Fill the area; distort the picture to the area's aspect ratio")
                             .excludes(fill);
  command
      .flag("--share", arguments->share,
            "Place the window beside the partition's other windows, not over them")
      .excludes(fill)
      .excludes(stretch);
  command.runs([&context, arguments] {
    sail::Json params;
    if (!arguments->tile.empty()) params["tile"] = arguments->tile;
    if (!arguments->partition.empty()) params["partition"] = arguments->partition;
    if (arguments->fill) params["fill"] = true;
    if (arguments->stretch) params["stretch"] = true;
    if (arguments->share) params["share"] = true;
    return context.for_windows({arguments->window}, [&](int64_t window) {
      params["window"] = window;
      return context.perform("fit", params);
    });
  });
}

}  // namespace

void add_window_commands(const Command& app, Context& context) {
  add_move(app, context);
  add_resize(app, context);
  add_place(app, context);
  add_fit(app, context);
  add_swap(app, context);
  add_switched(app, context, "maximise",
               "Enlarge windows to the whole wall, keeping their aspect ratio",
               "Restore the previous position and size");
  add_for_windows(app, context, "raise", "Put windows in front of all others");
  add_for_windows(app, context, "lower", "Put windows behind all others");
  add_switched(app, context, "lock", "Lock windows, so that no client can move or close them",
               "Unlock the windows");
  add_for_windows(app, context, "close", "Close windows and end their players");
}

}  // namespace ui
