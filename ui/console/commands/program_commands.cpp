// Commands that run another program: share, run-x11, show, web, vnc, whip, record, cast, bridge,
// mqtt, point, convert, lab. The program gets all following words.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "ui/client/commands.h"

namespace ui {
namespace {

struct OtherProgram {
  const char* word;
  const char* program;
  const char* help;
  const char* option = nullptr;  // always passed first
  const char* group = "Sources";
  bool answers_in_json = false;
};
constexpr OtherProgram kPrograms[] = {
    {"share", "vitrail-share", "Show this desktop, a part or a window of it, on the wall"},
    {"run-x11", "vitrail-share", "Run an X11 program on a virtual screen, shown on the wall",
     "--run"},
    {"show", "vitrail-show", "Show pictures and documents at full resolution"},
    {"web", "vitrail-web", "Show a web page, with pointer and keyboard input"},
    {"vnc", "vitrail-vnc", "Show another machine's desktop by VNC"},
    {"whip", "vitrail-whip", "Show a WHIP stream from OBS or another program"},
    {"record", "vitrail-recorder", "Record the wall to a file, or stream it live"},
    {"cast", "vitrail-recorder", "Stream the wall's picture to a URL or a virtual camera",
     "--live"},
    {"bridge", "vitrail-bridge", "Show windows of this wall on another wall", nullptr, "Sources",
     true},
    {"mqtt", "vitrail-mqtt", "Publish the wall's state to an MQTT broker, and run verbs from it",
     nullptr, "Wall"},
    {"point", "vitrail-pointer",
     "Control pointers with game controllers, touch displays and wands"},
    {"convert", "vitrail-convert", "Convert a film for playback without decoding", nullptr, "Films",
     true},
    {"lab", "vitrail-lab", "Run measurements on several hosts at the same instant", nullptr,
     "Network"},
};

// Returns the program beside this one, else its name for the PATH search.
std::string path_of(const char* program) {
  std::error_code error;
  const auto beside =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / program;
  return !error && std::filesystem::exists(beside) ? beside.string() : program;
}

// Replaces this process, or runs a child process if the prompt or a script continues afterwards.
int run(Context& context, const OtherProgram& other, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {path_of(other.program)};
  if (other.option != nullptr) words.emplace_back(other.option);
  if (context.json && other.answers_in_json) words.emplace_back("--json");
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (!context.manager.empty()) setenv("VITRAIL_MANAGER", context.manager.c_str(), 1);
  std::fflush(stdout);
  if (!context.interactive) {
    execvp(argv[0], argv.data());
  } else if (const pid_t child = fork(); child == 0) {
    execvp(argv[0], argv.data());
    _exit(127);
  } else if (child > 0) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr int kNoProgram = 127;
    if (WIFEXITED(status) && WEXITSTATUS(status) != kNoProgram) return WEXITSTATUS(status);
    if (!WIFEXITED(status)) return kFailed;
    errno = ENOENT;
  }
  return context.report({sail::ErrorCode::kNotFound,
                         fmt::format("cannot run {}: {}", other.program, std::strerror(errno))});
}

}  // namespace

void add_program_commands(const Command& app, Context& context) {
  for (const OtherProgram& other : kPrograms) {
    const Command command =
        app.command(other.word, fmt::format("{}: `{} --help`", other.help, other.program))
            .group(other.group);
    command.hands_over([&context, &other](const std::vector<std::string>& words) {
      return run(context, other, words);
    });
  }
}

}  // namespace ui
