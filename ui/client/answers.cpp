#include "ui/client/answers.h"

#include <fmt/core.h>

#include <algorithm>

namespace ui {
namespace {

size_t code_points(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// A view transform such as "rotate 90, opacity 0.5"; empty: unchanged.
std::string look_text(const sail::Json& look) {
  std::string text;
  for (const auto& [name, value] : look.items()) {
    const std::string value_text = value.is_string() ? value.get<std::string>() : value.dump();
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value_text);
  }
  return text;
}

// How the window is shown: ", rotate 90, frozen"; empty: plainly.
std::string shown_text(const sail::Json& window) {
  std::string text = look_text(member(window, "look"));
  for (const char* const cover : {"blank", "frozen"}) {
    if (window.contains(cover)) text += fmt::format("{}{}", text.empty() ? "" : ", ", cover);
  }
  const std::string decoration = text_member(member(window, "decoration"), "kind");
  if (!decoration.empty()) text += fmt::format("{}{}", text.empty() ? "" : ", ", decoration);
  return text.empty() ? text : ", " + text;
}

// Lines for windows: who drives them, why the codec was chosen, and that the program or a rank is
// not connected.
std::string remarks_text(const sail::Json& windows) {
  std::string text;
  for (const sail::Json& window : windows) {
    std::string why = text_member(member(window, "lost"), "why");
    if (why.empty()) why = text_member(window, "away");
    const sail::Json driven = member(window, "driver");
    std::string driver = text_member(driven, "name");
    if (!driver.empty()) driver += true_member(driven, "alone") ? " drives it alone" : " drives it";
    for (const std::string& remark : {driver, text_member(window, "codec_reason"), why}) {
      if (remark.empty()) continue;
      text += fmt::format("\nwindow {}: {}", text_of(window, "window"), remark);
    }
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string rect_text(const sail::Json& rect) {
  if (!rect.is_array() || rect.size() != 4) return "–";
  return fmt::format("{}×{} at {},{}", rect[2].dump(), rect[3].dump(), rect[0].dump(),
                     rect[1].dump());
}

std::string text_of(const sail::Json& object, const char* name) {
  const auto it = object.find(name);
  if (it == object.end() || it->is_null()) return "–";
  if (it->is_string()) return it->get<std::string>();
  if (it->is_number_float()) return fmt::format("{:.1f}", it->get<double>());
  return it->dump();
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], code_points(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - code_points(row[i]) + 2, ' ');
    }
    text += line + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::string wall_problems_text(const sail::Json& state) {
  std::string text;
  for (const sail::Json& problem : member(member(state, "health"), "problems")) {
    if (problem.contains("window") || problem.contains("receiver")) continue;
    text += "\n" + text_member(problem, "sentence");
  }
  return text;
}

std::string wall_text(const sail::Json& state) {
  const sail::Json wall = member(state, "wall");
  const sail::Json size = member(wall, "size");
  std::string text = fmt::format("wall {}", text_of(wall, "name"));
  if (size.is_array() && size.size() == 2) {
    text += fmt::format(", {}×{} pixels", size[0].dump(), size[1].dump());
  }
  text += wall_problems_text(state);

  std::vector<std::vector<std::string>> windows = {
      {"WINDOW", "PLACE", "FRAME", "CODEC", "FPS", "TITLE"}};
  size_t hidden = 0;
  for (const sail::Json& window : member(state, "windows")) {
    if (true_member(window, "hidden")) {
      ++hidden;
      continue;
    }
    const sail::Json frame = member(window, "frame_size");
    windows.push_back({text_of(window, "window"),
                       rect_text(member(window, "rect")) + shown_text(window),
                       frame.is_array() && frame.size() == 2
                           ? fmt::format("{}×{}", frame[0].dump(), frame[1].dump())
                           : "–",
                       text_of(window, "codec"), text_of(member(window, "stats"), "fps_shown"),
                       text_of(window, "title")});
  }
  text += windows.size() > 1 ? "\n\n" + table(windows)
                             : "\n\nno windows: `vitrail play FILE` opens one";
  if (hidden > 0) {
    text += fmt::format("\nand {} hidden window{}: see `vitrail event ls`", hidden,
                        hidden == 1 ? "" : "s");
  }
  text += remarks_text(member(state, "windows"));

  std::vector<std::vector<std::string>> receivers = {{"RECEIVER", "STATE", "TILES"}};
  for (const sail::Json& receiver : member(state, "receivers")) {
    std::string tiles;
    for (const sail::Json& tile : member(wall, "tiles")) {
      if (text_of(tile, "receiver") != text_of(receiver, "name")) continue;
      tiles += (tiles.empty() ? "" : " ") + text_of(tile, "name");
    }
    receivers.push_back({text_of(receiver, "name"),
                         true_member(receiver, "connected") ? "connected" : "away", tiles});
  }
  return text + "\n\n" + table(receivers);
}

}  // namespace ui
