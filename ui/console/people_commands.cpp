// Commands for the people at the wall: clients, pointer, overlay.
#include <fmt/core.h>

#include "ui/answers.h"
#include "ui/console/commands.h"
#include "ui/console/tables.h"

namespace ui {
namespace {

std::string clients_text(const sail::Json& state) {
  std::vector<std::vector<std::string>> rows = {{"CLIENT", "NAME", "COLOUR"}};
  for (const sail::Json& client : member(state, "clients")) {
    rows.push_back({text_of(client, "client"), text_of(client, "name"), text_of(client, "colour")});
  }
  return rows.size() > 1 ? table(rows) : "nobody else is there";
}

struct PointerArguments {
  int x = 0;
  int y = 0;
  bool pressed = false;
  bool off = false;
  int pointer = 0;
  double seconds = 3;
};

// A pointer lasts as long as its client is connected: a command of its own stays a while, the
// prompt's and scripts' connection remains.
int point(Context& context, const PointerArguments& arguments) {
  sail::Json params = {{"pointer", arguments.pointer}};
  if (arguments.off) {
    params["hidden"] = true;
  } else {
    params["at"] = {arguments.x, arguments.y};
    params["pressed"] = arguments.pressed;
  }
  const int code = context.perform("pointer", params);
  if (code != kDone || context.interactive || arguments.off || arguments.seconds <= 0) return code;
  const auto lost = context.client->wait(static_cast<int64_t>(arguments.seconds * 1000));
  return lost ? context.report(*lost) : code;
}

void add_pointer(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<PointerArguments>();
  CLI::App* command = app.add_subcommand(
      "pointer", "Point at a place of the wall; --name and --colour say who does");
  command->group("People");
  CLI::Option* x = command->add_option("x", arguments->x, "Wall pixels from the left");
  CLI::Option* y = command->add_option("y", arguments->y, "Wall pixels from the top");
  x->needs(y);
  command->add_flag("--pressed", arguments->pressed, "Show it as pressed");
  CLI::Option* off = command->add_flag("--off", arguments->off, "Take it away");
  command->add_option("--pointer", arguments->pointer, "Which of your pointers")
      ->check(CLI::Range(0, 31))
      ->capture_default_str();
  command
      ->add_option("--seconds", arguments->seconds,
                   "How long it is shown; at the prompt and in scripts until it is taken away")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  command->callback([&context, &action, arguments, y, off] {
    if (y->count() == 0 && off->count() == 0) throw CLI::RequiredError("X and Y, or --off");
    action = [&context, arguments] { return point(context, *arguments); };
  });
}

void add_overlay(CLI::App& app, Context& context, Action& action) {
  const auto on = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("overlay", "Figures of each window and receiver on the wall itself");
  command->group("Looking");
  command->add_option("on", *on, "on or off")->required()->check(CLI::IsMember({"on", "off"}));
  command->callback([&context, &action, on] {
    action = [&context, on] { return context.perform("overlay", {{"on", *on == "on"}}); };
  });
}

}  // namespace

void add_people_commands(CLI::App& app, Context& context, Action& action) {
  for (const char* name : {"clients", "who"}) {
    CLI::App* clients = app.add_subcommand(name, "Who is at the wall: pages, consoles, devices");
    clients->group(std::string(name) == "clients" ? "People" : "");  // the other is its short name
    clients->callback([&context, &action] {
      action = [&context] {
        const auto state = context.call("list", sail::Json::object());
        if (!state) return context.client ? int{kFailed} : int{kNoManager};
        sail::Json result = {{"clients", sail::Json::array()}};
        for (const sail::Json& one : member(*state, "clients")) result["clients"].push_back(one);
        return context.done(result, clients_text(result));
      };
    });
  }
  add_pointer(app, context, action);
  add_overlay(app, context, action);
}

}  // namespace ui
