// Commands for what plays: pause, resume, seek, rate, loop, volume, page, codec.
#include <fmt/core.h>

#include "ui/console/commands.h"

namespace ui {
namespace {

struct ControlArguments {
  int window = 0;
  double value = 0;
  std::string word;
};

CLI::App* control_command(CLI::App& app, const std::string& verb, const std::string& help,
                          ControlArguments& arguments) {
  CLI::App* command = app.add_subcommand(verb, help);
  command->group("Players");
  add_window_option(*command, arguments.window);
  return command;
}

using Fill = std::function<void(const ControlArguments&, sail::Json& params)>;

void performs(CLI::App* command, Context& context, Action& action, const std::string& verb,
              const std::shared_ptr<ControlArguments>& arguments, const Fill& fill) {
  command->callback([&context, &action, verb, arguments, fill] {
    action = [&context, verb, arguments, fill] {
      sail::Json params = {{"window", arguments->window}, {"action", verb}};
      fill(*arguments, params);
      return context.perform("control", params);
    };
  });
}

void add_plain(CLI::App& app, Context& context, Action& action, const std::string& verb,
               const std::string& help) {
  const auto arguments = std::make_shared<ControlArguments>();
  CLI::App* command = control_command(app, verb, help, *arguments);
  performs(command, context, action, verb, arguments, [](const auto&, sail::Json&) {});
}

void add_number(CLI::App& app, Context& context, Action& action, const std::string& verb,
                const std::string& help, const std::string& value_help,
                const CLI::Validator& check) {
  const auto arguments = std::make_shared<ControlArguments>();
  CLI::App* command = control_command(app, verb, help, *arguments);
  command->add_option("value", arguments->value, value_help)->required()->check(check);
  performs(command, context, action, verb, arguments,
           [](const auto& given, sail::Json& params) { params["value"] = given.value; });
}

void add_codec(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<ControlArguments>();
  CLI::App* command =
      control_command(app, "codec", "Have a player send in another codec", *arguments);
  command
      ->add_option("codec", arguments->word,
                   "As bplay --codec takes it: dxt1, dxt5ycocg:fast, htj2k:500mbit, ...")
      ->required();
  performs(command, context, action, "codec", arguments,
           [](const auto& given, sail::Json& params) { params["codec"] = given.word; });
}

void add_loop(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<ControlArguments>();
  CLI::App* command = control_command(app, "loop", "Begin again at the end, or not", *arguments);
  command->add_option("on", arguments->word, "on or off")
      ->required()
      ->check(CLI::IsMember({"on", "off"}));
  performs(command, context, action, "loop", arguments, [](const auto& given, sail::Json& params) {
    params["value"] = given.word == "on" ? 1 : 0;
  });
}

}  // namespace

void add_player_commands(CLI::App& app, Context& context, Action& action) {
  add_plain(app, context, action, "pause", "Hold a player's picture");
  add_plain(app, context, action, "resume", "Go on playing; a film at its end begins again");
  add_number(app, context, action, "seek", "Go to a second of the film", "Seconds from the start",
             CLI::NonNegativeNumber);
  add_number(app, context, action, "rate", "Set the speed of a player", "Times the normal speed",
             CLI::PositiveNumber);
  add_loop(app, context, action);
  add_number(app, context, action, "volume", "Set how loud a player is", "0 (silent) to 1",
             CLI::Range(0.0, 1.0));
  add_number(app, context, action, "page", "Turn to a page of a document", "From 1",
             CLI::Range(1, 1'000'000));
  add_codec(app, context, action);
}

}  // namespace ui
