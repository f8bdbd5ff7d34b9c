// The command camera: finds ONVIF cameras, saves them as sources, and moves them.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include "sail/core/base/private_file.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"

namespace ui {
namespace {

constexpr int64_t kCameraTimeoutMs = 60'000;  // a camera answers some requests within seconds each

struct CameraArguments {
  std::string name;
  std::string device;
  std::string interface;
  std::string profile;
  std::string login;
  std::string password_file;
  std::string camera;
  std::string move;
  double speed = 0.5;
  double seconds = 0.5;
  bool plain_login = false;
};

// The device as a URL with the login, in which the manager hides the password.
sail::Result<std::string> device_with_login(const CameraArguments& arguments) {
  if (arguments.login.empty()) return arguments.device;
  std::string password;
  if (!arguments.password_file.empty()) {
    constexpr size_t kLongestPassword = 256;
    auto text = sail::read_file(arguments.password_file, kLongestPassword);
    if (!text) return text.error();
    password = text->substr(0, text->find_last_not_of("\r\n") + 1);
  }
  constexpr std::string_view kBehindScheme = "://";
  const size_t at = arguments.device.find(kBehindScheme);
  const bool has_scheme = at != std::string::npos;
  const std::string scheme =
      has_scheme ? arguments.device.substr(0, at + kBehindScheme.size()) : "http://";
  return fmt::format(
      "{}{}:{}@{}", scheme, sail::percent_encoded(arguments.login, sail::is_unreserved),
      sail::percent_encoded(password, sail::is_unreserved),
      has_scheme ? arguments.device.substr(at + kBehindScheme.size()) : arguments.device);
}

std::string notes_text(const sail::Json& result) {
  std::string text;
  for (const sail::Json& note : member(result, "notes")) {
    if (note.is_string()) text += fmt::format("\nnote: {}", note.get<std::string>());
  }
  return text;
}

std::string found_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"CAMERA", "NAME", "MODEL"}};
  for (const sail::Json& camera : member(result, "cameras")) {
    rows.push_back({text_of(camera, "device"), text_of(camera, "name"), text_of(camera, "model")});
  }
  if (rows.size() > 1) return table(rows);
  return "no camera answers; those of other networks and those without discovery are asked by "
         "their address: `vitrail camera profiles HOST`";
}

std::string profiles_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {
      {"PROFILE", "NAME", "CODEC", "SIZE", "FPS", "MOVES", "ADDRESS"}};
  for (const sail::Json& profile : member(result, "profiles")) {
    const sail::Json size = member(profile, "size");
    const bool has_size = size.is_array() && size.size() == 2;
    rows.push_back({text_of(profile, "profile"), text_of(profile, "name"),
                    text_of(profile, "codec"),
                    has_size ? fmt::format("{}×{}", size[0].dump(), size[1].dump()) : "–",
                    text_of(profile, "fps"), true_member(profile, "moves") ? "yes" : "no",
                    text_of(profile, "url")});
  }
  return text_member(result, "name") + '\n' + table(rows) + notes_text(result);
}

std::string saved_text(const sail::Json& result) {
  return fmt::format("saved '{}' ({}); `vitrail play '{}'` shows it{}",
                     text_member(result, "title"), text_member(result, "shows"),
                     text_member(result, "source"), notes_text(result));
}

std::string presets_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"PRESET", "NAME"}};
  for (const sail::Json& preset : member(result, "presets")) {
    rows.push_back({text_of(preset, "preset"), text_of(preset, "name")});
  }
  return rows.size() > 1 ? table(rows) : "the camera has no presets";
}

// The number of a window, or the name of a saved camera.
sail::Json camera_named(const std::string& name) {
  constexpr size_t kMostDigits = 9;
  const bool is_window = !name.empty() && name.size() <= kMostDigits &&
                         name.find_first_not_of("0123456789") == std::string::npos;
  return is_window ? sail::Json{{"window", std::stoi(name)}} : sail::Json{{"source", name}};
}

bool is_direction(std::string_view word) {
  constexpr std::array<std::string_view, 8> kWords = {"left", "right", "up",   "down",
                                                      "in",   "out",   "stop", "home"};
  return std::ranges::find(kWords, word) != kWords.end();
}

int move_camera(Context& context, const CameraArguments& arguments) {
  sail::Json params = camera_named(arguments.camera);
  if (!is_direction(arguments.move)) {
    params["preset"] = arguments.move;
  } else {
    constexpr double kMsPerSecond = 1000;
    params["move"] = arguments.move;
    params["speed"] = arguments.speed;
    params["ms"] = std::llround(arguments.seconds * kMsPerSecond);
  }
  return context.perform("camera_move", params, {}, kCameraTimeoutMs);
}

// Calls the verb with the device and its login.
int ask_camera(Context& context, const CameraArguments& arguments, std::string_view verb,
               sail::Json params, const Context::TextOf& text) {
  const auto device = device_with_login(arguments);
  if (!device) return context.report(device.error());
  params["device"] = *device;
  return context.perform(verb, params, text, kCameraTimeoutMs);
}

void add_device_options(const Command& command, const std::shared_ptr<CameraArguments>& arguments) {
  command
      .option("host", arguments->device,
              "HOST, HOST:PORT or http(s)://HOST… of the camera (see `vitrail camera find`)")
      .required();
  const Option login =
      command.option("--login", arguments->login, "User of the camera").form("USER");
  command.option("--password-file", arguments->password_file, "File with the password of --login")
      .form("FILE")
      .needs(login);
}

void add_saving_commands(const Command& camera, Context& context,
                         const std::shared_ptr<CameraArguments>& arguments) {
  const Command find = camera.command(
      "find", "List the ONVIF cameras of the manager's networks (WS-Discovery), or of one HOST");
  find.option("host", arguments->device, "Asks only this HOST or HOST:PORT");
  find.option("--interface", arguments->interface, "Asks by this network interface only")
      .form("NAME");
  find.runs([&context, arguments] {
    sail::Json params = sail::Json::object();
    if (!arguments->device.empty()) params["host"] = arguments->device;
    if (!arguments->interface.empty()) params["interface"] = arguments->interface;
    return context.perform("camera_find", params, found_text, kCameraTimeoutMs);
  });

  const Command profiles =
      camera.command("profiles", "List the profiles (streams) of a camera; saves nothing");
  add_device_options(profiles, arguments);
  profiles.runs([&context, arguments] {
    return ask_camera(context, *arguments, "camera_profiles", sail::Json::object(), profiles_text);
  });

  const Command add =
      camera.command("add", "Save a camera as a source, after its stream has shown a picture");
  add.option("name", arguments->name, "Title of the source").required();
  add_device_options(add, arguments);
  add.option("--profile", arguments->profile, "Token or name of the profile; default: the first")
      .form("PROFILE");
  add.flag("--plain-login", arguments->plain_login,
           "Allow a stream that takes the login only in the clear (Basic)");
  add.runs([&context, arguments] {
    sail::Json params = {{"title", arguments->name}};
    if (arguments->plain_login) params["plain_login"] = true;
    if (!arguments->profile.empty()) params["profile"] = arguments->profile;
    return ask_camera(context, *arguments, "camera_save", params, saved_text);
  });
}

}  // namespace

void add_camera_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<CameraArguments>();
  const Command camera =
      app.command("camera", "Find, save and move ONVIF cameras").group("Sources").needs_command();
  add_saving_commands(camera, context, arguments);

  const char* const about =
      "Number of a window that shows the camera, or title or id of its source";
  const Command move = camera.command("move", "Move a camera (PTZ), or go to a preset");
  move.option("camera", arguments->camera, about).required();
  move.option("move", arguments->move,
              "left, right, up, down, in, out, stop, home, or the token or name of a preset")
      .required();
  move.option("--speed", arguments->speed, "Speed of the movement, from 0.01 to 1")
      .limited(0.01, 1)
      .shows_default();
  move.option("--seconds", arguments->seconds,
              "Duration of the movement in seconds, from 0.1 to 10")
      .limited(0.1, 10)
      .shows_default();
  move.runs([&context, arguments] { return move_camera(context, *arguments); });

  const Command presets = camera.command("presets", "List the presets of a camera");
  presets.option("camera", arguments->camera, about).required();
  presets.runs([&context, arguments] {
    return context.perform("camera_presets", camera_named(arguments->camera), presets_text,
                           kCameraTimeoutMs);
  });
}

}  // namespace ui
