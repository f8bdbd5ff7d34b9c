// The commands node setup and node check, on a display node.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "ui/client/commands.h"
#include "ui/console/start/node_setup.h"

namespace ui {
namespace {

struct SetupArguments {
  std::string node;
  std::string options;
  std::string key_file;
  std::string root = "/";
  bool yes = false;
  bool dry_run = false;
};

// Asks for a value that was not given as an option. An empty answer keeps the present value.
// Returns false at the end of the input.
bool ask_for(const char* question, const std::string& present, std::optional<std::string>& value) {
  if (value) return true;
  fmt::print(stderr, "{} [{}]: ", question, present);
  std::string answer;
  if (!std::getline(std::cin, answer)) return false;
  if (!answer.empty()) value = std::move(answer);
  return true;
}

bool ask_all(const NodeSettings& present, bool has_key, NodeSetup& setup) {
  NodeSettings& settings = setup.settings;
  return ask_for("Address of the manager", present.manager.value_or("mdns:"), settings.manager) &&
         ask_for("Name of this node in the wall file", present.node.value_or("the host's name"),
                 settings.node) &&
         ask_for("Options of vitrail-receiver", present.options.value_or(""), settings.options) &&
         (has_key || ask_for("File with the wall's key", "none", setup.key_file));
}

int print_steps(Context& context, const std::vector<SetupStep>& steps) {
  sail::Json json = sail::Json::array();
  std::string text;
  bool missing = false;
  for (const SetupStep& step : steps) {
    json.push_back({{"about", step.about}, {"did", step.did}});
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", step.about, step.did);
    missing |= step.did == "missing";
  }
  context.done({{"steps", json}}, text);
  if (!missing) return kDone;
  return context.report({sail::ErrorCode::kNotFound,
                         "the unit waits for the wall's key: vitrail node setup --key FILE"});
}

std::optional<std::string> if_given(const Option& option, const std::string& value) {
  return option.given() ? std::optional(value) : std::nullopt;
}

int set_up(Context& context, NodeSetup setup, bool asks) {
  if (!context.manager.empty()) setup.settings.manager = context.manager;
  const auto present = read_node_settings(setup.root);
  if (!present) return context.report(present.error());
  if (asks) {
    std::error_code ignored;
    if (!ask_all(*present, std::filesystem::exists(node_key(setup.root), ignored), setup)) {
      return context.report({sail::ErrorCode::kInvalidRequest, "cancelled: nothing is changed"});
    }
  }
  if (const std::string mistake = setting_mistake(setup.settings); !mistake.empty()) {
    return context.usage_error(mistake);
  }
  const auto steps = set_up_node(setup);
  if (!steps) return context.report(steps.error());
  return print_steps(context, *steps);
}

}  // namespace

void add_node_setup_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<SetupArguments>();
  const Command node =
      app.command("node", "Set up and check this host as a display node without a desktop")
          .group("Wall")
          .needs_command();
  const Command setup = node.command(
      "setup",
      "Set up this host as root: /etc/vitrail/receiver.env (with --manager), key, real-time "
      "priority, vitrail-kiosk.service; asks for values not given");
  const Option name = setup
                          .option("--node", arguments->node,
                                  "Name of this node in the wall file; default: the host's name")
                          .form("NODE");
  const Option options =
      setup.option("--options", arguments->options, "Options of vitrail-receiver").form("OPTIONS");
  const Option key =
      setup.option("--key", arguments->key_file, "File with the key of the wall or its receivers")
          .form("FILE")
          .existing_file();
  setup.flag("--yes", arguments->yes, "Ask nothing; keep the values that are not given");
  setup.flag("--dry-run", arguments->dry_run, "Only print what would be done");
  setup.option("--root", arguments->root, "Set up the system in this folder, and start nothing")
      .form("DIR")
      .existing_folder();
  setup.check([arguments]() -> std::string {
    if (!arguments->yes && !arguments->dry_run && isatty(STDIN_FILENO) != 1) {
      return "cannot prompt without a terminal: give --yes or --dry-run";
    }
    if (arguments->root == "/" && !arguments->dry_run && geteuid() != 0) {
      return "only root can set up a node: use sudo, or --dry-run";
    }
    return "";
  });
  setup.runs([&context, arguments, name, options, key] {
    NodeSetup wanted{.root = arguments->root,
                     .settings = {.node = if_given(name, arguments->node),
                                  .options = if_given(options, arguments->options)},
                     .key_file = if_given(key, arguments->key_file),
                     .dry_run = arguments->dry_run};
    return set_up(context, std::move(wanted), !arguments->yes && !arguments->dry_run);
  });
  add_node_check_command(node, context);
}

}  // namespace ui
