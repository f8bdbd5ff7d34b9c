// Commands for scripts: run, wait, sleep; completion prints the script for a shell.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>

#include "sail/core/time/clock.h"
#include "ui/client/answers.h"
#include "ui/client/commands.h"
#include "ui/console/prompt/prompt.h"

namespace ui {
namespace {

struct ScriptArguments {
  std::string file;
  bool keep_going = false;
  std::string title;
  int frames = 0;
  std::string window;
  double seconds = 30;
};

// Runs all lines. Returns the code of the first failure.
int run_lines(Context& context, std::istream& in, const ScriptArguments& arguments) {
  Lines lines(context);
  int worst = kDone;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const Lines::Outcome outcome = lines.run(line);
    if (outcome.leave) break;
    if (outcome.code == kDone) continue;
    if (worst == kDone) worst = outcome.code;
    std::fflush(stdout);
    const std::string& file = arguments.file == "-" ? "standard input" : arguments.file;
    if (!context.json) fmt::print(stderr, "vitrail: {}:{}: {}\n", file, number, line);
    if (!arguments.keep_going) break;
  }
  return worst;
}

int run_script(Context& context, const ScriptArguments& arguments) {
  constexpr int kDeepest = 16;  // nesting depth of scripts
  if (context.script_depth >= kDeepest) {
    return context.report(
        {sail::ErrorCode::kLimit,
         fmt::format("{}: scripts are nested more than {} deep", arguments.file, kDeepest)});
  }
  std::ifstream file;
  if (arguments.file != "-") {
    file.open(arguments.file);
    if (!file) {
      return context.report(
          {sail::ErrorCode::kNotFound, fmt::format("cannot open the script {}", arguments.file)});
    }
  }
  const bool interactive = context.interactive;
  ++context.script_depth;
  const int code = run_lines(context, arguments.file == "-" ? std::cin : file, arguments);
  --context.script_depth;
  context.interactive = interactive;
  return code;
}

// Polls the state until `look` returns a result or the time is over.
using ViewTransform = std::function<std::optional<sail::Json>(const sail::Json& state)>;

int wait_for(Context& context, double seconds, const std::string& what, const ViewTransform& look) {
  constexpr int64_t kPollIntervalMs = 50;
  const int64_t until_ns = sail::steady_now_ns() + static_cast<int64_t>(seconds * 1e9);
  while (true) {
    const auto state = context.call_for_all_windows("list");
    if (!state) return context.failure();
    if (const auto found = look(*state)) {
      const int64_t window = number_member(*found, "window");
      return context.done(*found, window > 0 ? fmt::format("window {}", window) : "");
    }
    if (sail::steady_now_ns() >= until_ns) {
      return context.report({sail::ErrorCode::kTimeout,
                             fmt::format("timeout after {} s waiting for {}", seconds, what)});
    }
    if (const auto lost = context.client->wait(kPollIntervalMs)) return context.report(*lost);
  }
}

int wait_settled(Context& context, const ScriptArguments& arguments) {
  return wait_for(context, arguments.seconds, "the layout to take effect",
                  [](const sail::Json& state) -> std::optional<sail::Json> {
                    if (!true_member(state, "settled")) return std::nullopt;
                    return sail::Json{{"settled", true}};
                  });
}

int wait_window(Context& context, const ScriptArguments& arguments) {
  return wait_for(context, arguments.seconds,
                  fmt::format("a window with '{}' in its title", arguments.title),
                  [&](const sail::Json& state) -> std::optional<sail::Json> {
                    for (const sail::Json& window : member(state, "windows")) {
                      if (text_member(window, "title").find(arguments.title) == std::string::npos) {
                        continue;
                      }
                      return sail::Json{{"window", number_member(window, "window")},
                                        {"title", text_member(window, "title")}};
                    }
                    return std::nullopt;
                  });
}

int wait_frames(Context& context, const ScriptArguments& arguments) {
  const auto number = context.window(arguments.window);
  if (!number) return context.failure();
  std::optional<int64_t> before;
  const auto what = fmt::format("{} more frames of window {}", arguments.frames, *number);
  bool gone = false;
  const int code = wait_for(
      context, arguments.seconds, what, [&](const sail::Json& state) -> std::optional<sail::Json> {
        const sail::Json windows = member(state, "windows");
        const auto window = std::find_if(windows.begin(), windows.end(), [&](const auto& one) {
          return number_member(one, "window") == *number;
        });
        gone = window == windows.end();
        if (gone) return sail::Json::object();
        const int64_t shown = number_member(member(*window, "stats"), "frames_shown");
        if (!before) before = shown;
        if (shown < *before + arguments.frames) return std::nullopt;
        return sail::Json{{"window", *number}, {"frames_shown", shown}};
      });
  if (code != kDone || !gone) return code;
  return context.report(
      {sail::ErrorCode::kNotFound, fmt::format("no window {}: `vitrail ls` lists them", *number)});
}

int sleep_for(Context& context, const ScriptArguments& arguments) {
  const auto ms = static_cast<int64_t>(arguments.seconds * 1000);
  if (ms > 0) {
    sail::RpcClient* client = context.connection();
    if (client == nullptr) return kNoManager;
    if (const auto lost = client->wait(ms)) return context.report(*lost);
  }
  return kDone;
}

}  // namespace

void add_script_commands(const Command& app, Context& context) {
  const auto arguments = std::make_shared<ScriptArguments>();
  const auto run = [&context, arguments](int (*work)(Context&, const ScriptArguments&)) {
    return [&context, arguments, work] { return work(context, *arguments); };
  };
  const auto add_seconds = [&](Command command) {
    command.option("seconds", arguments->seconds, "Timeout in seconds")
        .between(0.0, 86400.0)
        .shows_default();
  };
  const Command script =
      app.command("run", "Run a script of commands").group("Scripts").notes(kScriptHelp);
  script.option("file", arguments->file, "Script file, or - for standard input").required();
  script.flag("--keep-going", arguments->keep_going, "Continue after a failed command");
  script.runs(run(run_script));

  const Command wait = app.command("wait", "Wait for the layout, a window or frames")
                           .group("Scripts")
                           .needs_command();
  const Command settled = wait.command("settled", "Wait until the tiles show the latest layout");
  add_seconds(settled);
  settled.runs(run(wait_settled));
  const Command window = wait.command("window", "Wait until a window has this text in its title");
  window.option("title", arguments->title, "Text in the title").required();
  add_seconds(window);
  window.runs(run(wait_window));
  const Command frames = wait.command("frames", "Wait until a window has shown N more frames");
  frames.option("frames", arguments->frames, "Number of frames").required().positive();
  add_window_option(frames, arguments->window, Several::kNo);
  add_seconds(frames);
  frames.runs(run(wait_frames));

  const Command sleep = app.command("sleep", "Wait for a number of seconds").group("Scripts");
  sleep.option("seconds", arguments->seconds, "Time in seconds").required().between(0.0, 86400.0);
  sleep.runs(run(sleep_for));
}

void add_completion_command(const Command& app, Context&) {
  const auto shell = std::make_shared<std::string>();
  const Command command =
      app.command("completion",
                  "Print the script that lets a shell complete commands and the wall's names")
          .group("Scripts");
  command.option("shell", *shell, "Shell: bash, zsh or fish")
      .required()
      .one_of({"bash", "zsh", "fish"});
  command.notes("bash:  echo 'source <(vitrail completion bash)' >> ~/.bashrc");
  command.runs([shell] {
    fmt::print("{}\n", completion_script(*shell));
    return int{kDone};
  });
}

}  // namespace ui
