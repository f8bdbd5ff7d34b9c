// Commands about the other walls of a site: walls, copy, move --to and session copy.
#include <fmt/core.h>

#include <algorithm>
#include <future>
#include <utility>

#include "sail/core/address/site_walls.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/client/wall_connection.h"
#include "ui/console/copied_window.h"

namespace ui {
namespace {

constexpr const char* kFileHelp =
    R"(The file of walls is $VITRAIL_WALLS, ~/.config/vitrail/walls.json or /etc/vitrail/walls.json:
  {"walls": [
    {"name": "lobby", "manager": "10.0.0.5:7440", "key_file": "lobby.key",
     "page": "https://lobby.example:7480/"}]}
manager: HOST:PORT, HOST or mdns:NAME. key_file: relative to the file, or ~/…; default: the key that
is used without --wall. page: for links from the pages of the other walls, whose managers get the
file with --walls. `vitrail --wall lobby ls` runs a command on that wall; at the prompt, --wall
selects the wall for all later commands, too.)";

constexpr int64_t kPlayMs = 60'000;  // until a player opens its window

sail::Json reachability_of(const sail::SiteWall& wall, const sail::Hello& person) {
  constexpr int64_t kPatienceMs = 3000;
  sail::Json state = {{"name", wall.name}, {"manager", sail::address_text(wall.manager)}};
  if (!wall.page.empty()) state["page"] = wall.page;
  const auto client = connect_to_wall(wall, {.hello = person, .timeout_ms = kPatienceMs});
  state["reachable"] = client.has_value();
  if (client) {
    state["right"] = text_member((*client)->welcome(), "right");
  } else {
    state["why"] = client.error().message;
  }
  return state;
}

std::string walls_text(const sail::Json& result) {
  std::vector<std::vector<std::string>> rows = {{"WALL", "MANAGER", "STATE", "PAGE"}};
  std::string problems;
  for (const sail::Json& wall : member(result, "walls")) {
    const bool up = true_member(wall, "reachable");
    rows.push_back({text_of(wall, "name"), text_of(wall, "manager"),
                    up ? "reachable (" + text_of(wall, "right") + ")" : "not reachable",
                    text_of(wall, "page")});
    if (!up) problems += fmt::format("\n{}: {}", text_of(wall, "name"), text_of(wall, "why"));
  }
  return table(rows) + problems;
}

// Asks all walls at the same time, so that one that does not answer costs its timeout only once.
int show_walls(Context& context) {
  const auto walls = sail::load_site_walls(sail::site_walls_file());
  if (!walls) return context.report(walls.error());
  std::vector<std::future<sail::Json>> asked;
  for (const sail::SiteWall& wall : *walls) {
    asked.push_back(std::async(
        std::launch::async, [&wall, &context] { return reachability_of(wall, context.person); }));
  }
  sail::Json result = {{"walls", sail::Json::array()}};
  for (auto& one : asked) result["walls"].push_back(one.get());
  return context.done(result, walls_text(result));
}

// The other wall, for one command. Empty: the error has been reported.
std::unique_ptr<sail::RpcClient> connect_to(Context& context, const std::string& name) {
  const auto wall = sail::site_wall(name);
  if (!wall) {
    context.report(wall.error());
    return nullptr;
  }
  auto other = connect_to_wall(*wall, {.hello = context.person});
  if (other) return std::move(*other);
  context.report({other.error().code, fmt::format("wall '{}': {}", name, other.error().message)});
  return nullptr;
}

// Empty: not a size.
sail::Size read_wall_size(const sail::Json& size) {
  const bool fits = size.is_array() && size.size() == 2 && size[0].is_number_integer() &&
                    size[1].is_number_integer();
  return fits ? sail::Size{size[0].get<int>(), size[1].get<int>()} : sail::Size();
}

// Returns the number of the new window.
sail::Result<int64_t> open_copy(sail::RpcClient& other, const CopiedWindow& copied) {
  const auto opened = other.call("play", copied.play, kPlayMs);
  if (!opened) return opened.error();
  const int64_t number = number_member(*opened, "window");
  for (WindowRequest request : copied.then) {
    request.params["window"] = number;
    if (const auto done = other.call(request.verb, request.params); !done) {
      return sail::fail(done.error().code, fmt::format("opened as window {}, but {} failed: {}",
                                                       number, request.verb, done.error().message));
    }
  }
  return number;
}

const sail::Json* window_numbered(const sail::Json& session, int64_t number) {
  const auto windows = session.find("windows");
  if (windows == session.end() || !windows->is_array()) return nullptr;
  const auto found = std::ranges::find_if(
      *windows, [number](const sail::Json& one) { return number_member(one, "number") == number; });
  return found == windows->end() ? nullptr : &*found;
}

struct Walls {
  sail::RpcClient& other;
  std::string other_name;
  const sail::Json& here;  // answer of "session_get"
  sail::Size here_size;
  sail::Size other_size;
};

sail::Result<int64_t> copy_window(const Walls& walls, int64_t number) {
  const sail::Json* window = window_numbered(walls.here, number);
  if (window == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no window {}", number));
  }
  const auto copied = copied_window(*window, walls.here_size, walls.other_size);
  if (!copied) return copied.error();
  auto opened = open_copy(walls.other, *copied);
  if (opened) return opened;
  return sail::fail(opened.error().code, fmt::format("window {} on wall '{}': {}", number,
                                                     walls.other_name, opened.error().message));
}

int session_copy(Context& context, const std::string& name, const std::string& to) {
  auto session = context.call("session_get", {{"name", name}});
  if (!session) return context.failure();
  const std::vector<std::string> refusals = make_portable(*session);
  const auto other = connect_to(context, to);
  if (!other) return kFailed;
  const auto put = other->call("session_put", {{"name", name}, {"session", *session}});
  if (!put) return context.report(put.error());
  for (const std::string& refusal : refusals) {
    if (!context.json) fmt::print(stderr, "{}: {}\n", context.program, refusal);
  }
  const size_t copied = (*session)["windows"].size();
  context.done({{"name", name}, {"windows", copied}, {"refused", refusals}},
               fmt::format("wall '{}' has the session '{}' with {} window{}", to, name, copied,
                           copied == 1 ? "" : "s"));
  return refusals.empty() ? kDone : kFailed;
}

}  // namespace

Option add_to_wall_option(const Command& command, std::string& to) {
  return command.option("--to", to, "Name of the other wall (see `vitrail walls`)").form(kWallForm);
}

int copy_windows(Context& context, const std::vector<std::string>& names, const std::string& to,
                 bool move) {
  const auto numbers = context.windows(names);
  if (!numbers) return context.failure();
  const auto here = context.call("session_get", sail::Json::object());
  if (!here) return context.failure();
  const auto other = connect_to(context, to);
  if (!other) return kFailed;
  const auto state = other->call("list", sail::Json::object());
  if (!state) return context.report(state.error());
  const Walls walls{*other, to, *here, read_wall_size(member(*here, "wall_size")),
                    read_wall_size(member(member(*state, "wall"), "size"))};
  sail::Json opened = sail::Json::array();
  int worst = kDone;
  for (const int64_t number : *numbers) {
    const auto copy = copy_window(walls, number);
    if (!copy) {
      worst = std::max(worst, context.report(copy.error()));
      continue;
    }
    opened.push_back({{"window", number}, {"there", *copy}});
    if (move && !context.call("close", {{"window", number}})) worst = kFailed;
  }
  std::string text;
  for (const sail::Json& one : opened) {
    text += fmt::format("{}window {} is window {} on wall '{}'", text.empty() ? "" : "\n",
                        number_member(one, "window"), number_member(one, "there"), to);
  }
  context.done({{"wall", to}, {"windows", opened}}, text);
  return worst;
}

void add_session_copy_command(const Command& session, Context& context) {
  struct Arguments {
    std::string name;
    std::string to;
  };
  const auto arguments = std::make_shared<Arguments>();
  const Command command = session.command(
      "copy", "Copy a session to another wall; exit 1 if it has windows that cannot be copied");
  add_name_option(command, "session", arguments->name);
  add_to_wall_option(command, arguments->to).required();
  command.runs(
      [&context, arguments] { return session_copy(context, arguments->name, arguments->to); });
}

void add_walls_commands(const Command& app, Context& context) {
  app.command("walls", "List the walls of the site, and which of them are reachable")
      .group("Wall")
      .notes(kFileHelp)
      .runs([&context] { return show_walls(context); });
  struct Arguments {
    std::vector<std::string> windows;
    std::string to;
  };
  const auto arguments = std::make_shared<Arguments>();
  const Command copy =
      app.command(
             "copy",
             "Open windows on another wall, too: same place, position, speed and volume; exit 1 "
             "if a window cannot be copied")
          .group("Windows");
  add_windows_option(copy, arguments->windows);
  add_to_wall_option(copy, arguments->to).required();
  copy.runs([&context, arguments] {
    return copy_windows(context, arguments->windows, arguments->to, false);
  });
}

}  // namespace ui
