#include "ui/console/start/node_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

#include "sail/core/address/address.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/private_file.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "ui/console/start/wall_plan.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFileBytes = 64 << 10;
constexpr const char* kUnit = "vitrail-kiosk.service";
constexpr const char* kSettings = "etc/vitrail/receiver.env";
constexpr const char* kKey = "etc/vitrail/receiver.key";
constexpr const char* kLimits = "etc/security/limits.d/vitrail.conf";
// PAM takes the unit's own limit away.
constexpr const char* kLimitsText =
    "# Real-time priority of vitrail-receiver while it waits for a swap.\n"
    "vitrail-display - rtprio 1\n";

auto variables(auto& settings) {
  return std::array{std::pair{"VITRAIL_MANAGER", &settings.manager},
                    std::pair{"NODE", &settings.node}, std::pair{"OPTIONS", &settings.options}};
}

std::string quoted(const std::string& value) {
  std::string text;
  bool plain = true;
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
    plain &= std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
             std::string_view("._:/-[]").find(letter) != std::string_view::npos;
  }
  return plain ? text : '"' + text + '"';
}

std::string unquoted(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  const bool has_quotes = text.size() > 1 && text.front() == text.back() &&
                          (text.front() == '"' || text.front() == '\'');
  if (has_quotes) text = text.substr(1, text.size() - 2);
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    value += text[i];
  }
  return value;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

// Returns the last line that sets the variable, else the first that does so in a comment, else the
// end.
auto line_of(std::vector<std::string>& lines, const std::string& variable) {
  const auto set = std::find_if(lines.rbegin(), lines.rend(), [&](const std::string& line) {
    return line.starts_with(variable + '=');
  });
  if (set != lines.rend()) return std::prev(set.base());
  return std::ranges::find_if(
      lines, [&](const std::string& line) { return line.starts_with('#' + variable + '='); });
}

// "" if the file does not exist.
sail::Result<std::string> file_text(const fs::path& file) {
  auto text = sail::read_file(file, kMostFileBytes);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return std::string();
  if (text && text->size() > kMostFileBytes) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("{} is larger than {} bytes", file.string(), kMostFileBytes));
  }
  return text;
}

// Returns the exit status of systemctl.
sail::Result<int64_t> systemctl(const fs::path& root, std::vector<std::string> words) {
  words.insert(words.begin(), "systemctl");
  if (root != "/") words.insert(words.begin() + 1, "--root=" + root.string());
  sail::Loop loop;
  int64_t ended = -1;
  const auto child = sail::Process::spawn(loop, words, {}, [&](int64_t status, int signal) {
    ended = signal == 0 ? status : -1;
    loop.stop();
  });
  if (!child) return child.error();
  loop.run();
  return ended;
}

class Setup {
 public:
  explicit Setup(const NodeSetup& setup) : setup_(setup) {}

  sail::Result<std::vector<SetupStep>> run() {
    if (auto found = find_unit(); !found) return found.error();
    if (auto read = read_new_key(); !read) return read.error();
    for (const auto work : {&Setup::settings, &Setup::key, &Setup::limits, &Setup::unit}) {
      if (auto done = (this->*work)(); !done) return done.error();
    }
    return std::move(steps_);
  }

 private:
  sail::Result<void> find_unit() const {
    std::error_code ignored;
    for (const char* folder : {"usr/lib", "lib", "usr/local/lib", "etc"}) {
      if (fs::exists(setup_.root / folder / "systemd/system" / kUnit, ignored)) return {};
    }
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("{} is not installed: apt install vitrail-receiver", kUnit));
  }
  sail::Result<void> read_new_key() {
    if (!setup_.key_file) return {};
    const auto text = sail::read_file(*setup_.key_file, kMostFileBytes);
    if (!text) return text.error();
    if (const auto key = sail::read_key(text->substr(0, text->find('\n'))); !key) {
      return sail::fail(key.error().code, fmt::format("{} is not a wall's key: {}",
                                                      *setup_.key_file, key.error().message));
    }
    new_key_ = *text;
    return {};
  }
  sail::Result<void> settings() {
    const auto before = file_text(setup_.root / kSettings);
    if (!before) return before.error();
    return put(kSettings, *before, with_settings(*before, setup_.settings), fs::perms(0644));
  }
  sail::Result<void> key() {
    if (!setup_.key_file) {
      std::error_code ignored;
      has_key_ = fs::exists(setup_.root / kKey, ignored);
      note(kKey, has_key_ ? "unchanged" : "missing");
      return {};
    }
    has_key_ = true;
    const auto before = file_text(setup_.root / kKey);
    if (!before) return before.error();
    return put(kKey, *before, new_key_, fs::perms(0600));
  }
  sail::Result<void> limits() {
    const auto before = file_text(setup_.root / kLimits);
    if (!before) return before.error();
    return put(kLimits, *before, kLimitsText, fs::perms(0644));
  }
  sail::Result<void> unit() {
    const auto enabled = systemctl(setup_.root, {"is-enabled", "--quiet", kUnit});
    if (!enabled) return enabled.error();
    if (*enabled == 0) {
      note(kUnit, "already enabled");
    } else if (setup_.dry_run) {
      note(kUnit, "would be enabled");
    } else if (auto done = order("enable", "enabled"); !done) {
      return done;
    }
    // Without a key, the unit waits; in another root, nothing runs.
    if (setup_.root != "/" || !has_key_) return {};
    if (setup_.dry_run) {
      note(kUnit, changed_ ? "would be restarted" : "would be started");
      return {};
    }
    return changed_ ? order("restart", "restarted") : order("start", "started");
  }
  sail::Result<void> order(const char* word, const char* did) {
    const auto status = systemctl(setup_.root, {word, kUnit});
    if (!status) return status.error();
    if (*status != 0) {
      return sail::fail(
          sail::ErrorCode::kIo,
          fmt::format("systemctl {} {} failed: see journalctl -u {}", word, kUnit, kUnit));
    }
    note(kUnit, did);
    return {};
  }
  sail::Result<void> put(const char* file, const std::string& before, const std::string& text,
                         fs::perms mode) {
    if (text == before) {
      note(file, "unchanged");
      return {};
    }
    changed_ = true;
    note(file, setup_.dry_run ? "would be written" : "written");
    if (setup_.dry_run) return {};
    const fs::path path = setup_.root / file;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (auto written = sail::write_private_file(path, text); !written) return written;
    fs::permissions(path, mode, error);
    if (!error) return {};
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot set the mode of {}: {}", path.string(), error.message()));
  }
  void note(std::string_view about, std::string did) {
    const bool file = about.find('/') != std::string_view::npos;
    steps_.push_back({file ? fmt::format("/{}", about) : std::string(about), std::move(did)});
  }

  const NodeSetup& setup_;
  std::string new_key_;
  std::vector<SetupStep> steps_;
  bool has_key_ = false;
  bool changed_ = false;  // a file
};

}  // namespace

NodeSettings settings_in(std::string_view text) {
  NodeSettings settings;
  for (const std::string& line : lines_of(text)) {
    for (const auto& [variable, value] : variables(settings)) {
      const std::string begin = variable + std::string("=");
      if (line.starts_with(begin)) *value = unquoted(std::string_view(line).substr(begin.size()));
    }
  }
  return settings;
}

std::string with_settings(std::string_view text, const NodeSettings& settings) {
  std::vector<std::string> lines = lines_of(text);
  for (const auto& [variable, value] : variables(settings)) {
    if (!*value) continue;
    const auto line = line_of(lines, variable);
    std::string set = fmt::format("{}={}", variable, quoted(**value));
    if (line == lines.end()) {
      lines.push_back(std::move(set));
    } else {
      *line = std::move(set);
    }
  }
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  return all;
}

std::string setting_mistake(const NodeSettings& settings) {
  for (const auto& [variable, value] : variables(settings)) {
    const std::string text = value->value_or("");
    if (sail::make_plain_text(text, kMostFileBytes) != text) {
      return fmt::format("{} must not contain control characters", variable);
    }
    if (text.size() > sail::kMaxTitleLength) {
      return fmt::format("{} must have at most {} bytes", variable, sail::kMaxTitleLength);
    }
  }
  if (settings.node && (settings.node->empty() || settings.node->size() > sail::kMaxNameLength)) {
    return fmt::format("the node's name must have 1 to {} bytes", sail::kMaxNameLength);
  }
  if (settings.manager == "") return "the manager's address must not be empty";
  const auto manager = sail::manager_address(settings.manager.value_or(""));
  return manager ? "" : manager.error().message;
}

sail::Result<NodeSettings> read_node_settings(const fs::path& root) {
  return file_text(root / kSettings).map([](const std::string& text) { return settings_in(text); });
}

sail::Result<std::vector<SetupStep>> set_up_node(const NodeSetup& setup) {
  return Setup(setup).run();
}

fs::path node_key(const fs::path& root) {
  return root / kKey;
}

sail::Json kernel_displays(const fs::path& root) {
  std::vector<std::string> lines;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/class/drm", error)) {
    const std::string status = sail::read_file(entry.path() / "status", 64).value_or("");
    if (!status.starts_with("connected")) continue;
    const std::string modes = sail::read_file(entry.path() / "modes", kMostFileBytes).value_or("");
    lines.push_back(fmt::format("{} {}\n", entry.path().filename().string(),
                                modes.substr(0, modes.find('\n'))));
  }
  std::ranges::sort(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  sail::Json displays = sail::Json::array();
  for (const FoundDisplay& display : displays_of_kernel(text)) {
    displays.push_back({{"output", display.name},
                        {"rect", {0, 0, display.resolution.width, display.resolution.height}}});
  }
  return displays;
}

}  // namespace ui
