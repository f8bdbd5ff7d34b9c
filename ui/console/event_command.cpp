// The command event: pointer and keys for a window's application.
#include <fmt/core.h>

#include "ui/console/commands.h"
#include "ui/console/input_steps.h"

namespace ui {
namespace {

struct EventArguments {
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

using Steps = std::function<sail::Result<std::vector<sail::Json>>(const EventArguments&)>;

int send(Context& context, const sail::Result<std::vector<sail::Json>>& steps) {
  if (!steps) {
    context.report(steps.error());
    return kUsage;
  }
  for (size_t i = 0; i + 1 < steps->size(); ++i) {
    if (!context.call("input", (*steps)[i])) return context.client ? kFailed : kNoManager;
  }
  return context.perform("input", steps->back());
}

void add_place(CLI::App* command, InputPlace& at, const std::string& suffix = "") {
  command->add_option("x" + suffix, at.x, "Wall pixels from the left")->required();
  command->add_option("y" + suffix, at.y, "Wall pixels from the top")->required();
}

void add_button(CLI::App* command, EventArguments& arguments) {
  command->add_option("--button", arguments.button, "left, middle or right")
      ->check(CLI::IsMember({"left", "middle", "right"}))
      ->capture_default_str();
}

}  // namespace

void add_event_command(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<EventArguments>();
  CLI::App* event = app.add_subcommand(
      "event", "Send pointer and keys to a window's application, as people at the wall do");
  event->group("People");
  add_window_option(*event, arguments->window);
  event->require_subcommand(1);
  const auto add = [&](const char* word, const char* help, const Steps& steps) {
    CLI::App* command = event->add_subcommand(word, help);
    command->callback([&context, &action, arguments, steps] {
      action = [&context, arguments, steps] { return send(context, steps(*arguments)); };
    });
    return command;
  };

  CLI::App* key = add("key", "Press and release a key: Escape, a, Control+Shift+ArrowLeft",
                      [](const auto& given) { return key_steps(given.window, given.text); });
  key->add_option("key", arguments->text, "Its name, as browsers name keys")->required();
  CLI::App* type = add("type", "Type a text",
                       [](const auto& given) { return text_steps(given.window, given.text); });
  type->add_option("text", arguments->text, "The text")->required();

  CLI::App* click = add("click", "Press and release a button there", [](const auto& given) {
    return click_steps(given.window, given.at, given.button_number(), given.twice ? 2 : 1);
  });
  add_place(click, arguments->at);
  add_button(click, *arguments);
  click->add_flag("--double", arguments->twice, "Twice");

  CLI::App* drag = add("drag", "Press there, move, release", [](const auto& given) {
    return drag_steps(given.window, given.at, given.to, given.button_number());
  });
  add_place(drag, arguments->at);
  add_place(drag, arguments->to, "_to");
  add_button(drag, *arguments);

  CLI::App* move = add("move", "Move the pointer there",
                       [](const auto& given) { return move_steps(given.window, given.at); });
  add_place(move, arguments->at);

  CLI::App* wheel = add("wheel", "Turn the wheel there", [](const auto& given) {
    return wheel_steps(given.window, given.at, given.dx, given.dy);
  });
  add_place(wheel, arguments->at);
  wheel->add_option("dy", arguments->dy, "Notches downwards")->required();
  wheel->add_option("dx", arguments->dx, "Notches to the right");

  CLI::App* pinch = add("pinch", "Spread or close two fingers there", [](const auto& given) {
    return pinch_steps(given.window, given.at, given.scale);
  });
  add_place(pinch, arguments->at);
  pinch->add_option("scale", arguments->scale, "Factor: more than 1 spreads")
      ->required()
      ->check(CLI::PositiveNumber);
}

}  // namespace ui
