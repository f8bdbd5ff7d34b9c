// Commands that change a window: move, resize, fit, raise, lower, close, arrange.
#include <fmt/core.h>

#include "ui/console/commands.h"

namespace ui {
namespace {

// What the options of one command are parsed into. Shared by the parser and the action.
struct WindowArguments {
  int window = 0;
  int x = 0;
  int y = 0;
  bool by = false;
  std::string size;
  std::string tile;
};

// The manager answers every one of these with the window as it is now.
int act(Context& context, std::string_view verb, const sail::Json& params) {
  const auto result = context.call(verb, params);
  if (!result) return context.client ? kFailed : kNoManager;
  return context.done(*result, "");
}

CLI::App* window_command(CLI::App& app, const std::string& name, const std::string& help,
                         const std::shared_ptr<WindowArguments>& arguments) {
  CLI::App* command = app.add_subcommand(name, help);
  command->group("Windows");
  command->add_option("window", arguments->window, "Number of the window (see `vitrail ls`)")
      ->required()
      ->check(CLI::PositiveNumber);
  return command;
}

void add_simple(CLI::App& app, Context& context, Action& action, const std::string& verb,
                const std::string& help) {
  const auto arguments = std::make_shared<WindowArguments>();
  window_command(app, verb, help, arguments)->callback([&context, &action, arguments, verb] {
    action = [&context, arguments, verb] {
      return act(context, verb, {{"window", arguments->window}});
    };
  });
}

void add_move(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<WindowArguments>();
  CLI::App* command = window_command(app, "move", "Put a window's top left at X Y", arguments);
  command->add_option("x", arguments->x, "Wall pixels from the left")->required();
  command->add_option("y", arguments->y, "Wall pixels from the top")->required();
  command->add_flag("--by", arguments->by, "X and Y are steps from where it stands");
  command->callback([&context, &action, arguments] {
    action = [&context, arguments] {
      const char* x = arguments->by ? "dx" : "x";
      const char* y = arguments->by ? "dy" : "y";
      return act(context, "move",
                 {{"window", arguments->window}, {x, arguments->x}, {y, arguments->y}});
    };
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

void add_resize(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<WindowArguments>();
  CLI::App* command = window_command(
      app, "resize", "Give a window a size: 1920x1080, or 1920 or x1080 to keep its aspect",
      arguments);
  command->add_option("size", arguments->size, "Wall pixels")->required()->check([](auto& text) {
    sail::Json unused;
    return read_size(text, unused) ? "" : "must be WIDTHxHEIGHT, WIDTH or xHEIGHT";
  });
  command->callback([&context, &action, arguments] {
    action = [&context, arguments] {
      sail::Json params = {{"window", arguments->window}};
      read_size(arguments->size, params);
      return act(context, "resize", params);
    };
  });
}

void add_fit(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<WindowArguments>();
  CLI::App* command = window_command(
      app, "fit", "Make a window as large as the wall, or a tile, allows with its aspect kept",
      arguments);
  command->add_option("tile", arguments->tile, "Name of a tile; without one: the whole wall");
  command->callback([&context, &action, arguments] {
    action = [&context, arguments] {
      sail::Json params = {{"window", arguments->window}};
      if (!arguments->tile.empty()) params["tile"] = arguments->tile;
      return act(context, "fit", params);
    };
  });
}

}  // namespace

void add_window_commands(CLI::App& app, Context& context, Action& action) {
  add_move(app, context, action);
  add_resize(app, context, action);
  add_fit(app, context, action);
  add_simple(app, context, action, "raise", "Put a window in front of all others");
  add_simple(app, context, action, "lower", "Put a window behind all others");
  add_simple(app, context, action, "close", "Close a window and end its player");

  CLI::App* arrange = app.add_subcommand("arrange", "Lay all windows out side by side");
  arrange->group("Windows");
  arrange->callback([&context, &action] {
    action = [&context] { return act(context, "arrange", sail::Json::object()); };
  });
}

}  // namespace ui
