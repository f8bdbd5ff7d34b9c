// The command play.
#include <fmt/core.h>

#include <filesystem>

#include "sail/wire/limits.h"
#include "sail/wire/packets.h"
#include "sail/wire/transport_options.h"
#include "ui/answers.h"
#include "ui/console/commands.h"
#include "ui/console/value_texts.h"

namespace ui {
namespace {

struct PlayArguments {
  std::vector<std::string> media;
  std::string place;
  std::string at;
  double volume = -1;  // less than 0: not given
  double rate = 0;     // 0: not given
  bool source = false;
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

// The id of the source that this is the id or the whole title of; empty when there is none.
std::string source_named(Context& context, const std::string& name) {
  ControlClient* client = context.connection();
  if (client == nullptr) return "";
  // What is searched are titles; ids are found among all.
  for (const sail::Json& params :
       {sail::Json{{"search", name}, {"count", 500}}, sail::Json{{"count", 500}}}) {
    const auto found = client->call("sources", params);
    if (!found) return "";
    for (const sail::Json& source : member(*found, "sources")) {
      std::string id = text_member(source, "source");
      if (id == name || text_member(source, "title") == name) return id;
    }
  }
  return "";
}

// What is to play: files, URLs and test cards by name, or one source of the wall's library.
sail::Result<sail::Json> content(Context& context, const PlayArguments& arguments) {
  if (arguments.source) {
    if (arguments.media.size() != 1) {
      return sail::fail(sail::ErrorCode::kInvalidParams, "--source takes one source");
    }
    return sail::Json{{"source", arguments.media[0]}};
  }
  sail::Json params = {{"media", sail::Json::array()}};
  for (const std::string& media : arguments.media) {
    const auto name = full_name(media);
    if (!name) {
      const bool only = arguments.media.size() == 1;
      const std::string source = only ? source_named(context, media) : "";
      if (!source.empty()) return sail::Json{{"source", source}};
      return tl::make_unexpected(name.error());
    }
    params["media"].push_back(*name);
  }
  return params;
}

int play(Context& context, const PlayArguments& arguments) {
  auto params = content(context, arguments);
  if (!params) return context.report(params.error());
  if (!arguments.place.empty()) read_rect(arguments.place, (*params)["place"]);
  if (!arguments.at.empty()) read_point(arguments.at, (*params)["at"]);
  if (arguments.volume >= 0) (*params)["volume"] = arguments.volume;
  if (arguments.rate > 0) (*params)["rate"] = arguments.rate;
  if (arguments.loop) (*params)["loop"] = true;
  if (arguments.fps > 0) (*params)["fps"] = arguments.fps;
  if (arguments.start_s > 0) (*params)["start"] = arguments.start_s;
  add_to(*params, arguments.transport);
  constexpr int64_t kPlayTimeoutMs = 15000;  // the manager itself waits 10 s for the player
  return context.perform(
      "play", *params,
      [](const sail::Json& result) {
        return fmt::format("window {}", number_member(result, "window"));
      },
      kPlayTimeoutMs);
}

}  // namespace

void add_play_command(CLI::App& app, Context& context, Action& action) {
  const auto arguments = std::make_shared<PlayArguments>();
  CLI::App* command = app.add_subcommand(
      "play", "Play films, pictures or a test card (test:) in a new window, one after the other");
  command->group("Players");
  command
      ->add_option("media", arguments->media,
                   "Files, URLs, test:WxH@FPS, or one source of `vitrail source ls`")
      ->required();
  command->add_flag("--source", arguments->source, "It is the id of a source, nothing else");
  CLI::Option* place =
      command->add_option("--place", arguments->place, "Where: X,Y,WIDTHxHEIGHT in wall pixels");
  place->check([](auto& text) {
    sail::Json unused;
    return read_rect(text, unused) ? "" : "must be X,Y,WIDTHxHEIGHT";
  });
  command->add_option("--at", arguments->at, "Where its middle is: X,Y; its size as fits the wall")
      ->excludes(place)
      ->check([](auto& text) {
        sail::Json unused;
        return read_point(text, unused) ? "" : "must be X,Y";
      });
  command->add_option("--volume", arguments->volume, "Of its sound, 0 to 1")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--rate", arguments->rate, "Times the normal speed, 0.05 to 16")
      ->check(CLI::Range(0.05, 16.0));
  command->add_flag("--loop", arguments->loop, "Begin again at the end");
  command->add_option("--fps", arguments->fps, "Frames a second instead of the file's own pace")
      ->check(CLI::Range(0.01, 1000.0));
  command->add_option("--start", arguments->start_s, "Begin at this second")
      ->check(CLI::NonNegativeNumber);
  add_transport_options(*command, arguments->transport);
  command->callback([&context, &action, arguments] {
    action = [&context, arguments] { return play(context, *arguments); };
  });
}

}  // namespace ui
