#include "ui/console/start/found_displays.h"

#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

#include "sail/core/text/limits.h"

namespace ui {
namespace {

constexpr size_t kMostDisplays = 64;
constexpr int kMostMm = 100'000;

using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream in(line);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::optional<int> number_at(std::string_view& text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 1 || number > most) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// Reads the place in "1920x1080+0+1080", "+0+1080" or "0,1080".
void read_place(std::string_view text, char separator, FoundDisplay& display) {
  const size_t second = text.rfind(separator);
  if (second == std::string_view::npos || second == 0) return;
  const size_t before = text.rfind(separator, second - 1);
  const size_t first = before == std::string_view::npos ? 0 : before + 1;
  std::from_chars(text.data() + first, text.data() + second, display.x);
  std::from_chars(text.data() + second + 1, text.data() + text.size(), display.y);
}

// Parses "1920x1080" and ignores what follows.
std::optional<sail::Size> size_at(std::string_view text, int most = sail::kMaxTileSide) {
  const auto width = number_at(text, most);
  if (!width || !text.starts_with('x')) return std::nullopt;
  text.remove_prefix(1);
  const auto height = number_at(text, most);
  return height ? std::optional(sail::Size{*width, *height}) : std::nullopt;
}

// "HDMI-1 connected primary 1920x1080+0+0 left (normal left …) 527mm x 296mm"
std::optional<FoundDisplay> xrandr_line(const std::string& line) {
  const Words words = words_of(line);
  if (words.size() < 3 || words[1] != "connected") return std::nullopt;
  const std::string& desktop = words[words[2] == "primary" && words.size() > 3 ? 3 : 2];
  const auto size = size_at(desktop);
  if (!size) return std::nullopt;
  FoundDisplay found{.name = words[0], .resolution = *size};
  read_place(desktop, '+', found);
  const size_t last = words.size() - 1;
  if (words[last - 1] != "x" || !words[last].ends_with("mm")) return found;
  std::string_view across = words[last - 2];
  std::string_view down = words[last];
  const auto width = number_at(across, kMostMm);
  const auto height = number_at(down, kMostMm);
  if (!width || !height) return found;
  // xrandr reports the panel's millimetres before rotation, but the resolution after it.
  const bool turned = (*width > *height) != (size->width > size->height);
  found.width_mm = turned ? *height : *width;
  return found;
}

}  // namespace

const char* const kFindDisplays =
    R"sh(echo "== xrandr"; DISPLAY="${DISPLAY:-:0}" xrandr --query 2>/dev/null
echo "== wlr-randr"; wlr-randr 2>/dev/null
echo "== kernel"; for c in /sys/class/drm/card*-*; do
[ "$(cat "$c/status" 2>/dev/null)" = connected ] && echo "${c##*/} $(head -n 1 "$c/modes")";
done; true)sh";

std::vector<FoundDisplay> displays_of_xrandr(std::string_view text) {
  std::vector<FoundDisplay> displays;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line) && displays.size() < kMostDisplays;) {
    if (auto display = xrandr_line(line)) displays.push_back(*std::move(display));
  }
  return displays;
}

std::vector<FoundDisplay> displays_of_wlr_randr(std::string_view text) {
  std::vector<FoundDisplay> displays;
  bool enabled = false;
  const auto drop_dark = [&] {
    const bool shows = enabled && !displays.empty() && displays.back().resolution.width > 0;
    if (!displays.empty() && !shows) displays.pop_back();
  };
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line) && displays.size() < kMostDisplays;) {
    const Words words = words_of(line);
    if (words.empty()) continue;
    if (line.front() != ' ') {
      drop_dark();
      displays.push_back({.name = words[0], .resolution = {}});
      enabled = true;
    } else if (displays.empty()) {
      continue;
    } else if (words.size() > 1 && words[0] == "Enabled:") {
      enabled = words[1] == "yes";
    } else if (words.size() > 1 && words[0] == "Position:") {
      read_place(words[1], ',', displays.back());
    } else if (words.size() > 2 && words[0] == "Physical") {
      if (const auto size = size_at(words[2], kMostMm)) displays.back().width_mm = size->width;
    } else if (line.find("current") != std::string::npos) {
      if (const auto size = size_at(words[0])) displays.back().resolution = *size;
    } else if (words.size() > 1 && words[0] == "Transform:" &&
               (words[1].ends_with("90") || words[1].ends_with("270"))) {
      FoundDisplay& turned = displays.back();
      const sail::Size panel = turned.resolution;
      turned.resolution = {panel.height, panel.width};
      if (panel.width > 0) turned.width_mm *= static_cast<double>(panel.height) / panel.width;
    }
  }
  drop_dark();
  return displays;
}

std::vector<FoundDisplay> displays_of_kernel(std::string_view text) {
  std::vector<FoundDisplay> displays;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line) && displays.size() < kMostDisplays;) {
    const Words words = words_of(line);
    const auto size = words.size() == 2 ? size_at(words[1]) : std::nullopt;
    const size_t card = size ? words[0].find('-') : std::string::npos;
    if (card == std::string::npos) continue;
    displays.push_back({.name = words[0].substr(card + 1), .resolution = *size});
  }
  return displays;
}

FoundDisplays found_displays(std::string_view printed) {
  using Read = std::vector<FoundDisplay> (*)(std::string_view);
  constexpr std::pair<const char*, Read> kTools[] = {{"xrandr", displays_of_xrandr},
                                                     {"wlr-randr", displays_of_wlr_randr},
                                                     {"kernel", displays_of_kernel}};
  for (const auto& [tool, read] : kTools) {
    const std::string begin = std::string("== ") + tool + '\n';
    const size_t at = printed.find(begin);
    if (at == std::string_view::npos) continue;
    const std::string_view its = printed.substr(at + begin.size());
    auto displays = read(its.substr(0, its.find("\n== ")));
    if (!displays.empty()) return {tool, std::move(displays)};
  }
  return {};
}

}  // namespace ui
