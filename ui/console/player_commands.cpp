// Commands for what plays: pause, resume, seek, rate, loop, volume, mute, page, codec.
#include <fmt/core.h>

#include "ui/console/commands.h"

namespace ui {
namespace {

struct ControlArguments {
  int window = 0;
  double value = 0;
  std::string word;
};

Command control_command(const Command& app, const std::string& verb, const std::string& help,
                        ControlArguments& arguments) {
  const Command command = app.command(verb, help).group("Players");
  add_window_option(command, arguments.window);
  return command;
}

using Fill = std::function<void(const ControlArguments&, sail::Json& params)>;

void performs(Command command, Context& context, const std::string& verb,
              const std::shared_ptr<ControlArguments>& arguments, const Fill& fill) {
  command.runs([&context, verb, arguments, fill] {
    sail::Json params = {{"window", arguments->window}, {"action", verb}};
    fill(*arguments, params);
    return context.perform("control", params);
  });
}

void add_plain(const Command& app, Context& context, const std::string& verb,
               const std::string& help) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = control_command(app, verb, help, *arguments);
  performs(command, context, verb, arguments, [](const auto&, sail::Json&) {});
}

// The number itself, whose bounds differ.
Option add_number(const Command& app, Context& context, const std::string& verb,
                  const std::string& help, const std::string& value_help) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = control_command(app, verb, help, *arguments);
  performs(command, context, verb, arguments,
           [](const auto& given, sail::Json& params) { params["value"] = given.value; });
  return command.option("value", arguments->value, value_help).required();
}

void add_codec(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      control_command(app, "codec", "Have a player send in another codec", *arguments);
  command
      .option("codec", arguments->word,
              "As bplay --codec takes it: dxt1, dxt5ycocg:fast, htj2k:500mbit, ...")
      .required();
  performs(command, context, "codec", arguments,
           [](const auto& given, sail::Json& params) { params["codec"] = given.word; });
}

void add_loop(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command =
      control_command(app, "loop", "Begin again at the end, or not", *arguments);
  command.option("on", arguments->word, "on or off").required().one_of({"on", "off"});
  performs(command, context, "loop", arguments, [](const auto& given, sail::Json& params) {
    params["value"] = given.word == "on" ? 1 : 0;
  });
}

// How loud a window is, whoever plays it: a step of the history, as `mute` is.
void add_volume(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ControlArguments>();
  const Command command = control_command(app, "volume", "Set how loud a window is", *arguments);
  command.option("value", arguments->value, "0 (silent) to 1").required().between(0.0, 1.0);
  command.runs([&context, arguments] {
    return context.perform("sound", {{"window", arguments->window}, {"volume", arguments->value}});
  });
}

void add_mute(const Command& app, Context& context) {
  struct Arguments {
    int window = 0;
    bool off = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  const Command command = app.command("mute", "Make a window silent").group("Players");
  add_window_option(command, arguments->window);
  command.flag("--off", arguments->off, "As loud as it was");
  command.runs([&context, arguments] {
    return context.perform("sound", {{"window", arguments->window}, {"muted", !arguments->off}});
  });
}

}  // namespace

void add_player_commands(const Command& app, Context& context) {
  add_plain(app, context, "pause", "Hold a player's picture");
  add_plain(app, context, "resume", "Go on playing; a film at its end begins again");
  add_number(app, context, "seek", "Go to a second of the film", "Seconds from the start")
      .not_negative();
  add_number(app, context, "rate", "Set the speed of a player", "Times the normal speed")
      .positive();
  add_loop(app, context);
  add_volume(app, context);
  add_mute(app, context);
  add_number(app, context, "page", "Turn to a page of a document", "From 1").between(1, 1'000'000);
  add_codec(app, context);
}

}  // namespace ui
