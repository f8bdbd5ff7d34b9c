// Commands for what plays: play, pause, resume, seek, rate.
#include <fmt/core.h>

#include <filesystem>

#include "sail/wire/limits.h"
#include "sail/wire/packets.h"
#include "sail/wire/transport_options.h"
#include "ui/answers.h"
#include "ui/console/commands.h"

namespace ui {
namespace {

struct PlayArguments {
  std::vector<std::string> media;
  std::string place;
  bool loop = false;
  double fps = 0;
  double start_s = 0;
  sail::TransportOptions transport{};
};

// The manager starts the player, perhaps in another folder: a file gets its full path; "test:" and
// URLs stay as they are.
sail::Result<std::string> full_name(const std::string& media) {
  if (media.starts_with("test:") || media.find("://") != std::string::npos) return media;
  std::error_code error;
  const auto path = std::filesystem::canonical(media, error);
  if (error) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("{}: {}", media, error.message()));
  }
  return path.string();
}

// "X,Y,WxH" as the verb's [x, y, width, height].
bool read_place(const std::string& text, sail::Json& place) {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%d,%d,%dx%d%n", &x, &y, &width, &height, &used) != 4 ||
      used != static_cast<int>(text.size())) {
    return false;
  }
  place = {x, y, width, height};
  return true;
}

void add_transport_options(CLI::App& command, sail::TransportOptions& options) {
  command
      .add_option_function<std::string>(
          "--transport",
          [&options](const std::string& name) { options.transport = sail::parse_transport(name); },
          "How pictures travel, tcp or udp, instead of the wall's choice")
      ->check(CLI::IsMember({"tcp", "udp"}));
  command
      .add_option("--delay-ms", options.delay_ms,
                  "From submission to the wall; pictures there sooner are kept till then. 0: none")
      ->check(CLI::Range(0, sail::kMaxDelayMs));
  command.add_option("--mtu", options.mtu, "Largest packet of the network, bytes (udp)")
      ->check(CLI::Range(sail::kMinMtu, sail::kMaxMtu));
}

int play(Context& context, const PlayArguments& arguments) {
  sail::Json params = {{"media", sail::Json::array()}};
  for (const std::string& media : arguments.media) {
    const auto name = full_name(media);
    if (!name) return context.report(name.error());
    params["media"].push_back(*name);
  }
  if (!arguments.place.empty()) read_place(arguments.place, params["place"]);
  if (arguments.loop) params["loop"] = true;
  if (arguments.fps > 0) params["fps"] = arguments.fps;
  if (arguments.start_s > 0) params["start"] = arguments.start_s;
  add_to(params, arguments.transport);
  constexpr int64_t kPlayTimeoutMs = 15000;  // the manager itself waits 10 s for the player
  const auto result = context.call("play", params, kPlayTimeoutMs);
  if (!result) return context.client ? kFailed : kNoManager;
  return context.done(*result, fmt::format("window {}", number_member(*result, "window")));
}

struct ControlArguments {
  int window = 0;
  double value = 0;
  std::string codec;
};

void add_control(CLI::App& app, Context& context, Action& action, const std::string& verb,
                 const std::string& help, const std::string& value_help) {
  const auto arguments = std::make_shared<ControlArguments>();
  CLI::App* command = app.add_subcommand(verb, help);
  command->group("Players");
  command->add_option("window", arguments->window, "Number of the window (see `vitrail ls`)")
      ->required()
      ->check(CLI::PositiveNumber);
  const bool is_codec = verb == "codec";
  const bool has_value = !value_help.empty() && !is_codec;
  if (has_value) command->add_option("value", arguments->value, value_help)->required();
  if (is_codec) command->add_option("codec", arguments->codec, value_help)->required();
  command->callback([&context, &action, arguments, verb, has_value, is_codec] {
    action = [&context, arguments, verb, has_value, is_codec]() -> int {
      sail::Json params = {{"window", arguments->window}, {"action", verb}};
      if (has_value) params["value"] = arguments->value;
      if (is_codec) params["codec"] = arguments->codec;
      const auto result = context.call("control", params);
      if (!result) return context.client ? kFailed : kNoManager;
      return context.done(*result, "");
    };
  });
}

}  // namespace

void add_player_commands(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<PlayArguments>();
  CLI::App* command = app.add_subcommand(
      "play", "Play films, pictures or a test card (test:) in a new window, one after the other");
  command->group("Players");
  command->add_option("media", arguments->media, "Files, URLs, or test:WxH@FPS")->required();
  command->add_option("--place", arguments->place, "Where: X,Y,WIDTHxHEIGHT in wall pixels")
      ->check([](auto& text) {
        sail::Json unused;
        return read_place(text, unused) ? "" : "must be X,Y,WIDTHxHEIGHT";
      });
  command->add_flag("--loop", arguments->loop, "Begin again at the end");
  command->add_option("--fps", arguments->fps, "Frames a second instead of the file's own pace")
      ->check(CLI::Range(0.01, 1000.0));
  command->add_option("--start", arguments->start_s, "Begin at this second")
      ->check(CLI::NonNegativeNumber);
  add_transport_options(*command, arguments->transport);
  command->callback([&context, &action, arguments] {
    action = [&context, arguments] { return play(context, *arguments); };
  });

  add_control(app, context, action, "pause", "Hold a player's picture", "");
  add_control(app, context, action, "resume", "Go on playing", "");
  add_control(app, context, action, "seek", "Go to a second of the film", "Seconds from the start");
  add_control(app, context, action, "rate", "Set the speed of a player", "Times the normal speed");
  add_control(app, context, action, "codec", "Have a player send in another codec",
              "As bplay --codec takes it: dxt1, dxt5ycocg:fast, htj2k:500mbit, ...");
}

}  // namespace ui
