// Commands that change a window: move, resize, place, fit, raise, lower, lock, maximise, close.
#include <fmt/core.h>

#include "ui/console/commands.h"
#include "ui/console/value_texts.h"

namespace ui {
namespace {

// What the options of one command are parsed into. Shared by the parser and the action.
struct WindowArguments {
  int window = 0;
  std::vector<int> windows;
  int x = 0;
  int y = 0;
  bool by = false;
  std::string size;
  std::string tile;
  std::string partition;
  bool fill = false;
  bool share = false;
  bool off = false;
  std::vector<std::string> places;
};

Command window_command(const Command& app, const std::string& name, const std::string& help,
                       const std::shared_ptr<WindowArguments>& arguments) {
  const Command command = app.command(name, help).group("Windows");
  add_window_option(command, arguments->window);
  return command;
}

// For any number of windows, all in one step.
void add_for_windows(const Command& app, Context& context, const std::string& verb,
                     const std::string& help) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = app.command(verb, help).group("Windows");
  command.option("window", arguments->windows, "Numbers of windows (see `vitrail ls`)")
      .required()
      .positive();
  command.runs([&context, arguments, verb] {
    if (arguments->windows.size() == 1) {
      return context.perform(verb, {{"window", arguments->windows[0]}});
    }
    return context.perform(verb, {{"windows", arguments->windows}});
  });
}

void add_switch(const Command& app, Context& context, const std::string& verb,
                const std::string& help, const std::string& off_help) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = window_command(app, verb, help, arguments);
  command.flag("--off", arguments->off, off_help);
  command.runs([&context, arguments, verb] {
    return context.perform(verb, {{"window", arguments->window}, {"on", !arguments->off}});
  });
}

void add_move(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = window_command(app, "move", "Put a window's top left at X Y", arguments);
  command.option("x", arguments->x, "Wall pixels from the left").required();
  command.option("y", arguments->y, "Wall pixels from the top").required();
  command.flag("--by", arguments->by, "X and Y are steps from where it stands");
  command.runs([&context, arguments] {
    const char* x = arguments->by ? "dx" : "x";
    const char* y = arguments->by ? "dy" : "y";
    return context.perform("move",
                           {{"window", arguments->window}, {x, arguments->x}, {y, arguments->y}});
  });
}

// "WIDTHxHEIGHT", "WIDTH" or "xHEIGHT" into the verb's parameters; the side left out follows the
// window's aspect.
bool read_size(const std::string& text, sail::Json& params) {
  const size_t cross = text.find('x');
  const std::string width = text.substr(0, cross);
  const std::string height = cross == std::string::npos ? "" : text.substr(cross + 1);
  if (width.empty() && height.empty()) return false;
  for (const auto& [name, digits] : {std::pair{"width", width}, std::pair{"height", height}}) {
    if (digits.empty()) continue;
    if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) {
      return false;
    }
    params[name] = std::stoi(digits);
  }
  return true;
}

void add_resize(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = window_command(
      app, "resize", "Give a window a size: 1920x1080, or 1920 or x1080 to keep its aspect",
      arguments);
  command.option("size", arguments->size, "Wall pixels").required().check([](auto& text) {
    sail::Json unused;
    return read_size(text, unused) ? "" : "must be WIDTHxHEIGHT, WIDTH or xHEIGHT";
  });
  command.runs([&context, arguments] {
    sail::Json params = {{"window", arguments->window}};
    read_size(arguments->size, params);
    return context.perform("resize", params);
  });
}

// "WINDOW X,Y,WIDTHxHEIGHT …" as the verb's list; false when the words are none.
bool read_places(const std::vector<std::string>& words, sail::Json& windows) {
  windows = sail::Json::array();
  if (words.empty() || words.size() % 2 != 0) return false;
  for (size_t i = 0; i < words.size(); i += 2) {
    const std::string& number = words[i];
    sail::Json rect;
    constexpr size_t kMostDigits = 9;
    if (number.empty() || number.size() > kMostDigits ||
        number.find_first_not_of("0123456789") != std::string::npos ||
        !read_rect(words[i + 1], rect)) {
      return false;
    }
    windows.push_back({{"window", std::stoi(number)}, {"rect", rect}});
  }
  return true;
}

void add_place(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command =
      app.command("place",
                  "Put windows where they shall be, all in one swap: WINDOW X,Y,WIDTHxHEIGHT …")
          .group("Windows");
  command.option("window", arguments->places, "Numbers of windows, each with its place behind it")
      .required();
  command.runs([&context, arguments]() -> int {
    sail::Json windows;
    if (!read_places(arguments->places, windows)) {
      context.report({sail::ErrorCode::kInvalidParams,
                      "place takes a window's number and X,Y,WIDTHxHEIGHT, any number of times"});
      return kUsage;
    }
    return context.perform("place", {{"windows", windows}});
  });
}

void add_fit(const Command& app, Context& context) {
  const auto arguments = std::make_shared<WindowArguments>();
  const Command command = window_command(
      app, "fit", "Make a window as large as the wall, a tile or a partition allows", arguments);
  const Option tile =
      command.option("tile", arguments->tile, "Name of a tile; without one: the whole wall");
  command.option("--partition", arguments->partition, "In this partition instead").excludes(tile);
  const Option fill =
      command.flag("--fill", arguments->fill, "Fill it exactly instead of keeping the aspect");
  command.flag("--share", arguments->share, "Beside what stands in the partition, not over it")
      .excludes(fill);
  command.runs([&context, arguments] {
    sail::Json params = {{"window", arguments->window}};
    if (!arguments->tile.empty()) params["tile"] = arguments->tile;
    if (!arguments->partition.empty()) params["partition"] = arguments->partition;
    if (arguments->fill) params["fill"] = true;
    if (arguments->share) params["share"] = true;
    return context.perform("fit", params);
  });
}

}  // namespace

void add_window_commands(const Command& app, Context& context) {
  add_move(app, context);
  add_resize(app, context);
  add_place(app, context);
  add_fit(app, context);
  add_switch(app, context, "maximise", "Show a window over the whole wall, its aspect kept",
             "Back to where it was");
  add_for_windows(app, context, "raise", "Put windows in front of all others");
  add_for_windows(app, context, "lower", "Put windows behind all others");
  add_switch(app, context, "lock", "Keep a window where it is: nobody moves or closes it",
             "Free it again");
  add_for_windows(app, context, "close", "Close windows and end their players");
}

}  // namespace ui
