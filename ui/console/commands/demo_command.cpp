// The command demo: runs a first wall on this machine until Ctrl-C.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "sail/core/base/stop_signals.h"
#include "ui/client/commands.h"
#include "ui/client/wall_picture.h"
#include "ui/console/start/start_manager.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTestCard = "test:1280x720@30";
constexpr const char* kHint = R"(
From another terminal:
  vitrail ls                    list windows and receivers
  vitrail move 1 200 100        move window 1
  vitrail resize 1 640          make window 1 smaller
  vitrail stats                 show rates, latency and losses
  vitrail snapshot wall.png     save a picture of the wall
Ctrl-C stops the wall.)";

// Returns demo.json from the installation, or from the source tree of this build.
sail::Result<std::string> demo_wall() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"../share/vitrail/walls", "../../sail/core/wall/walls"}) {
    const fs::path file = fs::weakly_canonical(folder / place / "demo.json", error);
    if (!error && fs::exists(file, error)) return file.string();
  }
  return sail::fail(sail::ErrorCode::kNotFound,
                    "walls/demo.json is missing from this installation of vitrail");
}

// Runs one of vitrail's own commands.
int perform(Context& context, std::vector<std::string> words) {
  const auto line = make_line(context);
  if (const auto answer = line->read(std::move(words))) return answer->say();
  const auto work = line->work();
  return work ? work() : int{kDone};
}

struct DemoArguments {
  std::vector<std::string> files;
  std::string picture;
};

int show(Context& context, const DemoArguments& arguments) {
  const std::vector<std::string>& files = arguments.files;
  std::vector<std::string> play = {"play", "--loop", "--"};
  play.insert(play.end(), files.begin(), files.end());
  if (files.empty()) play.emplace_back(kTestCard);
  int code = perform(context, play);
  if (code == kDone && files.size() > 1) code = perform(context, {"arrange"});
  if (code != kDone || arguments.picture.empty()) return code;
  code = perform(context, {"wait", "settled"});
  return code == kDone ? perform(context, {"snapshot", arguments.picture}) : code;
}

// Returns when a signal arrives or the wall has ended. Reconnects to a manager that was restarted.
void wait_for_end(Context& context, const sail::Address& at, sail::StopSignals& stop) {
  constexpr int64_t kPollIntervalMs = 100;
  while (!stop.arrived() && running_supervisor(at)) {
    if (!context.client) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kPollIntervalMs));
      auto again = sail::RpcClient::connect(at, {.hello = context.person});
      if (again) context.client = std::move(*again);
    } else if (context.client->wait(kPollIntervalMs)) {
      context.client.reset();
    }
  }
}

int demo(Context& context, const DemoArguments& arguments) {
  const auto wall = demo_wall();
  if (!wall) return context.report(wall.error());
  const auto at = sail::manager_address(context.manager);
  if (!at) return context.report(at.error());
  for (const std::string& file : arguments.files) {
    std::error_code ignored;
    if (!fs::exists(file, ignored) && file.find(':') == std::string::npos) {
      return context.report({sail::ErrorCode::kNotFound, fmt::format("file not found: {}", file)});
    }
  }
  if (const int code = perform(context, {"up", "--fresh", *wall}); code != kDone) return code;
  // Created after `up`, so that the wall's processes do not inherit the blocked signals.
  sail::StopSignals stop;
  int code = show(context, arguments);
  if (code == kDone) {
    fmt::print("{}\n", kHint);
    std::fflush(stdout);
    wait_for_end(context, *at, stop);
  }
  return running_supervisor(*at) ? std::max(code, perform(context, {"down"})) : code;
}

}  // namespace

void add_demo_command(const Command& app, Context& context) {
  const auto arguments = std::make_shared<DemoArguments>();
  const Command command =
      app.command("demo", "Run a demo wall of 2×2 tiles on this machine until Ctrl-C")
          .group("Wall");
  command
      .option("files", arguments->files, "Films, pictures or URLs to show instead of a test card")
      .form("FILE");
  command
      .option("--picture", arguments->picture,
              fmt::format("Save a picture of the wall ({}) once it shows something",
                          kPictureExtensions))
      .form("FILE")
      .check([](const std::string& text) {
        return picture_kind(text) ? "" : fmt::format("must end with {}", kPictureExtensions);
      });
  command.notes(
      "With a display the tiles open as windows. Without a display the wall is rendered in "
      "memory;\nits page and `vitrail snapshot` show it.");
  command.runs([&context, arguments] { return demo(context, *arguments); });
}

}  // namespace ui
