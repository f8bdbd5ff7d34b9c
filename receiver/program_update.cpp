#include "receiver/program_update.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/visibility.h"

namespace receiver {
namespace {

constexpr const char* kOwnProgram = "/proc/self/exe";
constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kLongestAnswerNs = 10 * kSecondNs;
constexpr int64_t kAskAgainNs = 60 * kSecondNs;  // a program that did not start
constexpr size_t kMostAnswerBytes = 256;

// The program may already have been replaced since this process started.
std::string own_program() {
  constexpr std::string_view kReplaced = " (deleted)";
  std::error_code error;
  std::string program = std::filesystem::read_symlink(kOwnProgram, error).string();
  if (program.ends_with(kReplaced)) program.resize(program.size() - kReplaced.size());
  return program;
}

// Returns "1.2" for "vitrail-receiver 1.2"; empty: not a version.
std::string version_in(std::string_view output) {
  const std::string_view line = sail::trimmed(output);
  const size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos) return {};
  return sail::make_plain_text(line.substr(blank + 1), sail::kMaxNameLength);
}

std::string update_text(const std::string& version, int64_t quiet_s) {
  const std::string running = VITRAIL_VERSION;
  const bool same = version == running;
  return fmt::format(
      "{}version {} is installed, and {} runs until nothing has moved on its tiles for {} s; "
      "restart its service to use it now: `systemctl restart vitrail-kiosk`",
      same ? "another build of " : "", version, same ? "the earlier one" : running, quiet_s);
}

}  // namespace

void UpdatePolicy::installed(int64_t now_ns, uint64_t misfits) {
  installed_ns_ = now_ns;
  misfits_ = misfits;
}

bool UpdatePolicy::ends(int64_t now_ns, uint64_t misfits) const {
  if (!installed_ns_) return false;
  return misfits > misfits_ || now_ns - std::max(active_ns_, *installed_ns_) >= quiet_ns_;
}

bool keeps_picture(const sail::Scene& scene, const std::vector<sail::TileInfo>& tiles,
                   const std::function<bool(uint32_t)>& has_sender) {
  std::vector<sail::StackedWindow> stack;
  for (const sail::SceneWindow& window : scene.windows) {
    stack.push_back({window.wall_rect, window.blended()});
  }
  for (size_t i = 0; i < stack.size(); ++i) {
    const sail::SceneWindow& window = scene.windows[i];
    if (window.dark || window.look.invisible() || (!window.frozen && has_sender(window.window)))
      continue;
    const auto shows = [&](const sail::TileInfo& tile) {
      return !visible_part(stack, i, tile.wall_rect).empty();
    };
    if (std::ranges::any_of(tiles, shows)) return true;
  }
  return false;
}

ProgramUpdate::ProgramUpdate(sail::Loop& loop, int64_t quiet_s, Handlers handlers,
                             const sail::Log& log)
    : loop_(loop),
      quiet_s_(quiet_s),
      handlers_(std::move(handlers)),
      log_(log),
      program_(own_program()),
      known_(identity_of(kOwnProgram)),
      policy_(quiet_s * kSecondNs),
      timer_(loop) {
  timer_.start(1000, 1000, [this] { evaluate(); });
}

ProgramUpdate::~ProgramUpdate() = default;

void ProgramUpdate::active() {
  policy_.active(sail::steady_now_ns());
}

// A package replaces the file by another one, and does not write to the file that runs.
std::optional<ProgramUpdate::Identity> ProgramUpdate::identity_of(const std::string& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return {};
  return Identity{found.st_dev, found.st_ino};
}

void ProgramUpdate::evaluate() {
  const int64_t now_ns = sail::steady_now_ns();
  if (!text_.empty() && handlers_.keeps_picture()) policy_.active(now_ns);
  if (policy_.ends(now_ns, handlers_.misfits())) {
    timer_.stop();
    log_.info("ends: {}", text_);
    return handlers_.on_end();
  }
  if (asked_) {
    if (now_ns - asked_ns_ > kLongestAnswerNs) asked_->signal(SIGKILL);
    return;
  }
  // Between two files of a package there may be none, or one whose libraries are missing.
  const auto found = identity_of(program_);
  if (!found || !known_ || found == known_) return;
  if (found != failed_ || now_ns - asked_ns_ >= kAskAgainNs) ask(*found);
}

void ProgramUpdate::ask(const Identity& found) {
  asked_ns_ = sail::steady_now_ns();
  auto process = sail::Process::spawn_for_output(
      loop_, {program_, "--version"}, {"VITRAIL_KEY", "VITRAIL_KEY_FILE"}, kMostAnswerBytes,
      [this, found](int64_t exit_status, int signal, std::string_view output) {
        on_version(found, exit_status == 0 && signal == 0 ? output : std::string_view());
        asked_.reset();
      },
      {.own_group = true});
  if (process) {
    asked_ = *std::move(process);
  } else {
    on_version(found, {});
  }
}

void ProgramUpdate::on_version(const Identity& found, std::string_view output) {
  const std::string version = version_in(output);
  if (version.empty()) {
    if (std::exchange(failed_, found) != found) {
      log_.warning("{} was replaced by a program that does not start; trying again each minute",
                   program_);
    }
    return;
  }
  known_ = found;
  text_ = update_text(version, quiet_s_);
  policy_.installed(sail::steady_now_ns(), handlers_.misfits());
  log_.info("{}", text_);
}

}  // namespace receiver
