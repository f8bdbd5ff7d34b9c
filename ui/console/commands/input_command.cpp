// The command input: sends pointer and key input to a window's application.
#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "ui/client/commands.h"
#include "ui/console/input_steps.h"

namespace ui {
namespace {

struct InputArguments {
  std::string name;  // the window's name
  int window = 0;
  InputPlace at;
  InputPlace to;
  std::string button = "left";
  bool twice = false;
  double dx = 0;
  double dy = 0;
  double scale = 1;
  std::string text;

  int button_number() const { return button == "left" ? 0 : button == "middle" ? 1 : 2; }
};

// Applications need time to start a drag, and ignore a drop that follows at once.
constexpr std::chrono::milliseconds kDragPause{50};

using Steps = std::function<sail::Result<std::vector<sail::Json>>(const InputArguments&)>;

// `pause` is the time between two steps.
int send(Context& context, const sail::Result<std::vector<sail::Json>>& steps,
         std::chrono::milliseconds pause) {
  if (!steps) return context.usage_error(steps.error().message);
  for (size_t i = 0; i + 1 < steps->size(); ++i) {
    if (!context.call("input", (*steps)[i])) return context.failure();
    std::this_thread::sleep_for(pause);
  }
  return context.perform("input", steps->back());
}

// The command `input`, to which each kind of input adds a subcommand.
struct InputCommand {
  Command add(const char* word, const char* help, const Steps& steps,
              std::chrono::milliseconds pause = {}) const {
    const Command added = command.command(word, help);
    added.runs([&context = context, arguments = arguments, steps, pause] {
      const auto window = context.window(arguments->name);
      if (!window) return context.failure();
      arguments->window = static_cast<int>(*window);
      return send(context, steps(*arguments), pause);
    });
    return added;
  }

  Command command;
  Context& context;
  std::shared_ptr<InputArguments> arguments = std::make_shared<InputArguments>();
};

void add_place(Command command, InputPlace& at, const std::string& suffix = "") {
  command.option("x" + suffix, at.x, "Wall pixels from the left").required();
  command.option("y" + suffix, at.y, "Wall pixels from the top").required();
}

void add_button(Command command, InputArguments& arguments) {
  command.option("--button", arguments.button, "Mouse button: left, middle or right")
      .one_of({"left", "middle", "right"})
      .shows_default();
}

void add_key_events(const InputCommand& input) {
  const Command key =
      input.add("key", "Press and release a key: Escape, a, Control+Shift+ArrowLeft",
                [](const auto& given) { return key_steps(given.window, given.text); });
  key.option("key", input.arguments->text, "Key name as in browsers (KeyboardEvent.key)")
      .required();
  const Command type = input.add(
      "type", "Type text", [](const auto& given) { return text_steps(given.window, given.text); });
  type.option("text", input.arguments->text, "Text to type").required();
}

void add_button_events(const InputCommand& input) {
  const Command click =
      input.add("click", "Press and release a button at X Y", [](const auto& given) {
        return click_steps(given.window, given.at, given.button_number(), given.twice ? 2 : 1);
      });
  add_place(click, input.arguments->at);
  add_button(click, *input.arguments);
  click.flag("--double", input.arguments->twice, "Double-click");

  const Command drag = input.add(
      "drag", "Press at X Y, move to X_TO Y_TO and release, at hand speed",
      [](const auto& given) {
        return drag_steps(given.window, given.at, given.to, given.button_number());
      },
      kDragPause);
  add_place(drag, input.arguments->at);
  add_place(drag, input.arguments->to, "_to");
  add_button(drag, *input.arguments);

  const Command move = input.add("move", "Move the pointer to X Y", [](const auto& given) {
    return move_steps(given.window, given.at);
  });
  add_place(move, input.arguments->at);
}

void add_gesture_events(const InputCommand& input) {
  const Command wheel = input.add("wheel", "Turn the wheel at X Y", [](const auto& given) {
    return wheel_steps(given.window, given.at, given.dx, given.dy);
  });
  add_place(wheel, input.arguments->at);
  constexpr double kMostNotches = 10'000;
  wheel.option("dy", input.arguments->dy, "Wheel notches downwards")
      .required()
      .limited(-kMostNotches, kMostNotches);
  wheel.option("dx", input.arguments->dx, "Wheel notches to the right")
      .limited(-kMostNotches, kMostNotches);

  const Command pinch =
      input.add("pinch", "Spread or pinch two fingers at X Y",
                [](const auto& given) { return pinch_steps(given.window, given.at, given.scale); });
  add_place(pinch, input.arguments->at);
  pinch.option("scale", input.arguments->scale, "Scale factor; above 1 spreads the fingers")
      .required()
      .positive();
}

}  // namespace

void add_input_command(const Command& app, Context& context) {
  const InputCommand input{
      app.command("input", "Send pointer and key input to a window's application").group("People"),
      context};
  add_window_option(input.command, input.arguments->name, Several::kNo);
  input.command.needs_command();
  add_key_events(input);
  add_button_events(input);
  add_gesture_events(input);
}

}  // namespace ui
