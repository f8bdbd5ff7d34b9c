#include "ui/client/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "sail/core/address/site_walls.h"
#include "sail/core/auth/password.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"
#include "ui/client/answers.h"
#include "ui/client/named_windows.h"
#include "ui/client/wall_connection.h"

namespace ui {
namespace {

constexpr const char* kAbout = R"(Arranges the windows of a Vitrail wall.

Commands connect to the wall's manager at --manager, $VITRAIL_MANAGER or 127.0.0.1:7440, or to the
standby that replaced it. $VITRAIL_KEY_FILE names the file with the wall's key, if the wall has one.
--wall NAME takes address and key from the file of walls (see `vitrail walls --help`).
Without a command: an interactive prompt.)";

constexpr const char* kNotes =
    R"(Exit codes: 0 done, 1 refused or failed, 2 usage error, 3 no manager reached.
A first wall: vitrail up sail/core/wall/walls/demo.json && vitrail play test:
At the prompt, `help classical` lists the commands of the classical consoles.)";

}  // namespace

// The environment has address and key for everything in this program, and for its children.
std::string Context::choose_wall() {
  if (wall.empty() || wall == chosen_wall_) return "";
  const auto found = sail::site_wall(wall);
  if (!found) return "--wall: " + found.error().message;
  if (!found->key_file.empty()) {
    setenv("VITRAIL_KEY_FILE", found->key_file.c_str(), 1);
    unsetenv("VITRAIL_KEY");
  } else if (!chosen_wall_.empty()) {
    unsetenv("VITRAIL_KEY_FILE");
  }
  unsetenv("VITRAIL_STANDBY");  // of another wall
  manager = sail::address_text(found->manager);
  setenv("VITRAIL_MANAGER", manager.c_str(), 1);
  chosen_wall_ = wall;
  client.reset();
  return "";
}

sail::RpcClient* Context::connection() {
  if (client) return client.get();
  auto address = sail::manager_address(manager);
  if (!address) {
    report(address.error());
    return nullptr;
  }
  std::optional<sail::WallKey> key;
  if (!user.empty()) {
    auto password = ask_password(fmt::format("Password of {}", user));
    if (!password) {
      report(password.error());
      return nullptr;
    }
    key = {std::string(sail::kPersonKey) + user, *std::move(password)};
  }
  auto connected = connect_to_wall(*address, {.hello = person, .key = std::move(key)});
  if (!connected) {
    report(connected.error());
    return nullptr;
  }
  client = std::move(*connected);
  return client.get();
}

std::optional<sail::Json> Context::call(std::string_view verb, const sail::Json& params,
                                        int64_t timeout_ms) {
  sail::RpcClient* connected = connection();
  if (!connected) return std::nullopt;
  return answer(connected->call(verb, params, timeout_ms));
}

std::optional<sail::Json> Context::call_for_all_windows(std::string_view verb) {
  sail::RpcClient* connected = connection();
  if (!connected) return std::nullopt;
  return answer(ui::call_for_all_windows(*connected, verb));
}

template <typename Value>
std::optional<Value> Context::answer(sail::Result<Value> result) {
  if (result) return std::move(*result);
  failed(result.error());
  return std::nullopt;
}

int Context::failed(const sail::Error& error) {
  report(error);
  // A manager also answers kUnavailable, for example about a film server.
  if (client && client->wait(0)) client.reset();
  return failure();
}

int Context::print_answer(const sail::CommandLineAnswer& answer,
                          const std::vector<std::string>& words) {
  // A line with a mistake has not set context.json yet.
  json = json || std::ranges::find(words, "--json") != words.end();
  if (!json || answer.exit_code == 0) return answer.say();
  return usage_error(answer.mistake);
}

int Context::report(const sail::Error& error) const {
  if (json) {
    const sail::Json object = {{"error",
                                {{"code", static_cast<int>(error.code)},
                                 {"name", sail::error_name(error.code)},
                                 {"message", error.message}}}};
    fmt::print(stderr, "{}\n", object.dump());
  } else {
    fmt::print(stderr, "{}: {}\n", program, error.message);
  }
  return error.code == sail::ErrorCode::kUnavailable ? kNoManager : kFailed;
}

int Context::usage_error(const std::string& mistake) const {
  report({sail::ErrorCode::kInvalidParams, mistake});
  return kUsage;
}

int Context::done(const sail::Json& result, std::string_view sentence) {
  last = result;
  if (json) {
    fmt::print("{}\n", result.dump());
  } else if (!sentence.empty()) {
    fmt::print("{}\n", sentence);
  }
  return kDone;
}

int Context::perform(std::string_view verb, const sail::Json& params, const TextOf& text,
                     int64_t timeout_ms) {
  const auto result = call(verb, params, timeout_ms);
  if (!result) return failure();
  return done(*result, text ? text(*result) : "");
}

int Context::perform_restart(std::string_view verb, const sail::Json& params, const TextOf& text,
                             int64_t timeout_ms) {
  const int code = perform(verb, params, text, timeout_ms);
  if (code != kDone) return code;
  const sail::Json failed = member(last, "failed");
  for (const sail::Json& window : failed) {
    if (json) break;  // the answer says so
    fmt::print(stderr, "{}: '{}' did not come back: {}\n", program, text_member(window, "title"),
               text_member(window, "why"));
  }
  return failed.empty() ? kDone : kFailed;
}

std::optional<std::vector<int64_t>> Context::windows(const std::vector<std::string>& names) {
  sail::Json list = sail::Json::array();
  if (!std::ranges::all_of(names, [](const auto& name) { return !window_numbers(name).empty(); })) {
    const auto state = call_for_all_windows("list");
    if (!state) return std::nullopt;
    list = member(*state, "windows");
  }
  return answer(named_windows(names, list));
}

std::optional<int64_t> Context::window(const std::string& name) {
  const auto found = windows({name});
  if (!found) return std::nullopt;
  if (found->size() == 1) return found->front();
  report({sail::ErrorCode::kInvalidParams,
          fmt::format("'{}' names several windows: give the number or title of one", name)});
  return std::nullopt;
}

int Context::for_windows(const std::vector<std::string>& names,
                         const std::function<int(int64_t window)>& act) {
  const auto found = windows(names);
  if (!found) return failure();
  int worst = kDone;
  for (const int64_t window : *found) worst = std::max(worst, act(window));
  return worst;
}

Option add_name_option(const Command& command, const std::string& argument, std::string& name) {
  return command.option(argument, name, "Name").required().check([](const std::string& text) {
    return text.empty() ? "must not be empty" : "";
  });
}

Option add_window_option(const Command& command, std::string& name, Several several) {
  return command
      .option("window", name,
              several == Several::kYes
                  ? "Window number or title (see `vitrail ls`), several numbers as 1,4, or all"
                  : "Window number or title (see `vitrail ls`)")
      .required();
}

Option add_windows_option(const Command& command, std::vector<std::string>& names) {
  return command.option("window", names, "Window numbers or titles (see `vitrail ls`), or all")
      .required();
}

std::string source_for_manager(const std::string& word) {
  std::error_code error;
  const auto path = std::filesystem::canonical(word, error);
  return error || sail::is_drawn(word) ? word : path.string();
}

std::unique_ptr<sail::CommandLine> make_line(Context& context) {
  auto line = std::make_unique<sail::CommandLine>("vitrail", kAbout);
  line->notes(kNotes);
  const Option manager =
      line->option("--manager", context.manager, "Address of the manager, HOST:PORT");
  line->option("--wall", context.wall, "Wall of the site, by its name in the file of walls")
      .form(kWallForm)
      .excludes(manager);
  line->check([&context] { return context.choose_wall(); });
  line->option("--user", context.user,
               "Sign in with this user name and a password (asked for) instead of the key");
  line->flag("--json", context.json, "Print results as JSON, one object per line");
  line->option("--name", context.person.name, "Your name, shown to other people at the wall")
      .shows_default();
  line->option("--colour", context.person.colour, "Your colour: #RRGGBB")
      .check([](const std::string& text) {
        return text.empty() || sail::parse_colour(text) ? ""
                                                        : "must be #RRGGBB, in hexadecimal digits";
      });
  for (const auto add : {add_wall_commands,       add_node_commands,       add_view_commands,
                         add_play_command,        add_player_commands,     add_group_command,
                         add_source_commands,     add_upload_command,      add_program_commands,
                         add_window_commands,     add_look_commands,       add_arrange_commands,
                         add_blank_commands,      add_history_commands,    add_layout_commands,
                         add_session_commands,    add_people_commands,     add_input_command,
                         add_event_command,       add_script_commands,     add_completion_command,
                         add_impair_command,      add_iobench_command,     add_films_command,
                         add_trace_command,       add_power_command,       add_doctor_command,
                         add_key_commands,        add_user_commands,       add_schedule_command,
                         add_tour_command,        add_label_command,       add_annotate_command,
                         add_demo_command,        add_node_setup_commands, add_rights_command,
                         add_webhooks_command,    add_playlist_command,    add_ticker_command,
                         add_decoration_commands, add_camera_command,      add_walls_commands}) {
    add(*line, context);
  }
  return line;
}

void add_switch(const sail::Command& command, Switch& to, const std::string& off_help) {
  const sail::Option word =
      command.option("on", to.word, "on or off").one_of({"on", "off"}).shows_default();
  command.flag("--off", to.off, off_help).excludes(word);
}

bool WindowsSwitch::has_word() const {
  return words.size() > 1 && (words.back() == "on" || words.back() == "off");
}

std::vector<std::string> WindowsSwitch::windows() const {
  return {words.begin(), words.end() - (has_word() ? 1 : 0)};
}

bool WindowsSwitch::on() const {
  return !off && !(has_word() && words.back() == "off");
}

void add_windows_switch(const sail::Command& command, WindowsSwitch& to,
                        const std::string& off_help) {
  command
      .option("window", to.words,
              "Numbers or titles of windows (see `vitrail ls`), or all; then on or off")
      .required();
  command.flag("--off", to.off, off_help);
  command.check([&to] { return to.off && to.has_word() ? "--off excludes on and off" : ""; });
}

}  // namespace ui
