// Checks of a display node's hardware.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"
#include "ui/client/answers.h"
#include "ui/doctor/checks.h"

namespace ui {
namespace {

using Severity = Finding::Severity;

constexpr size_t kMostAbilityBytes = 64 << 10;

std::string joined(const sail::Json& words) {
  std::string text;
  for (const sail::Json& word : words) {
    if (word.is_string()) text += (text.empty() ? "" : ", ") + word.get<std::string>();
  }
  return text;
}

struct NodeDisplay {
  std::string output;
  sail::Rect rect;
};

std::vector<NodeDisplay> displays_of(const sail::Json& abilities) {
  std::vector<NodeDisplay> displays;
  for (const sail::Json& display : member(abilities, "displays")) {
    const sail::Json rect = member(display, "rect");
    const bool good =
        rect.is_array() && rect.size() == 4 &&
        std::ranges::all_of(rect, [](const sail::Json& side) { return side.is_number_integer(); });
    if (!good) continue;
    displays.push_back(
        {text_member(display, "output"),
         {rect[0].get<int>(), rect[1].get<int>(), rect[2].get<int>(), rect[3].get<int>()}});
  }
  return displays;
}

bool shows(const NodeDisplay& display, const sail::Json& tile) {
  const std::string output = text_member(tile, "output");
  if (!output.empty() && output != display.output) return false;
  const sail::Json resolution = member(tile, "resolution");
  if (!resolution.is_array() || resolution.size() != 2) return true;
  sail::Rect wanted{display.rect.x, display.rect.y, resolution[0].get<int>(),
                    resolution[1].get<int>()};
  const sail::Json at = member(tile, "window_at");
  if (at.is_array() && at.size() == 2) {
    wanted.x = at[0].get<int>();
    wanted.y = at[1].get<int>();
  }
  return sail::intersect(display.rect, wanted) == wanted;
}

// The finding about a tile that no display of its node can show. names: of the node's outputs.
Finding unshown(const sail::Json& tile, const std::vector<NodeDisplay>& displays,
                const std::string& names) {
  const std::string name = text_member(tile, "name");
  const std::string output = text_member(tile, "output");
  if (!output.empty() && std::ranges::count(displays, output, &NodeDisplay::output) == 0) {
    return {Severity::kBad, "displays",
            fmt::format("{} has no output {} for tile '{}'; it has {}",
                        text_member(tile, "receiver"), output, name, names),
            "connect the display there, or correct \"output\" of the tile in the wall file"};
  }
  return {Severity::kBad, "displays",
          fmt::format("tile '{}' of the wall file does not lie within one display", name),
          "correct \"resolution\" and \"window_at\" of the tile in the wall file"};
}

void check_displays(const sail::Json& abilities, const sail::Json& wall,
                    const std::string& receiver, Findings& findings) {
  const std::vector<NodeDisplay> displays = displays_of(abilities);
  std::string found;
  std::string names;
  for (const auto& [output, rect] : displays) {
    found += fmt::format("{}{} {}×{} at {},{}", found.empty() ? "" : "; ", output, rect.width,
                         rect.height, rect.x, rect.y);
    names += (names.empty() ? "" : ", ") + output;
  }
  bool in_memory = false;  // set by the wall file
  for (const sail::Json& place : member(wall, "receivers")) {
    in_memory |= text_member(place, "name") == receiver && text_member(place, "display") == "null";
  }
  if (displays.empty()) {
    const bool bad = !receiver.empty() && !in_memory;
    findings.push_back(
        {bad ? Severity::kBad : Severity::kNote, "displays",
         text_member(abilities, "display_error"),
         bad ? "if the node has no desktop, connect a display, and check that the kernel has a "
               "driver for the graphics card (`ls /dev/dri`); otherwise start its desktop session, "
               "and set \"environment\": {\"DISPLAY\": \":0\"} for the receiver in the wall file"
             : ""});
    return;
  }
  if (const std::string driver = text_member(abilities, "driver"); !driver.empty()) {
    found += fmt::format(" ({})", driver);
  }
  findings.push_back({Severity::kGood, "displays", found, ""});
  for (const sail::Json& tile : member(wall, "tiles")) {
    if (text_member(tile, "receiver") != receiver || in_memory) continue;
    if (std::ranges::any_of(displays, [&](const auto& one) { return shows(one, tile); })) continue;
    findings.push_back(unshown(tile, displays, names));
  }
}

void check_renderer(const sail::Json& abilities, Findings& findings) {
  const std::string renderer = text_member(abilities, "renderer");
  if (!renderer.empty()) {
    const bool software = true_member(abilities, "software");
    findings.push_back(
        {software ? Severity::kNote : Severity::kGood, "OpenGL", renderer,
         software ? "the CPU renders: check that the graphics card's driver is installed" : ""});
  } else if (const std::string why = text_member(abilities, "renderer_error"); !why.empty()) {
    findings.push_back(
        {Severity::kNote, "OpenGL", why, "the CPU renders instead, which is slower"});
  }
}

}  // namespace

std::optional<sail::Json> abilities_of_this_node() {
  std::error_code error;
  const auto beside =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "vitrail-receiver";
  sail::Loop loop;
  std::optional<sail::Json> abilities;
  const auto process = sail::Process::spawn_for_output(
      loop,
      {std::filesystem::exists(beside, error) ? beside.string() : "vitrail-receiver", "--check"},
      {}, kMostAbilityBytes, [&](int64_t, int, std::string_view output) {
        if (auto parsed = sail::parse_json(output, kMostAbilityBytes))
          abilities = *std::move(parsed);
        loop.stop();
      });
  if (process) loop.run();
  return abilities;
}

void check_abilities(const std::optional<sail::Json>& abilities, const sail::Json& wall,
                     const std::string& receiver, Findings& findings) {
  if (!abilities) {
    const bool needed = !receiver.empty();
    findings.push_back(
        {needed ? Severity::kBad : Severity::kNote, "receiver",
         "vitrail-receiver is not installed, or does not start",
         needed ? "apt install vitrail-receiver; then run vitrail-receiver --check" : ""});
    return;
  }
  const std::string kernels = text_member(*abilities, "kernels");
  const bool plain = kernels == "reference";
  findings.push_back(
      {plain ? Severity::kBad : Severity::kGood, "CPU",
       fmt::format("kernels: {}; codecs: {}", kernels, joined(member(*abilities, "codecs"))),
       plain ? "the processor lacks SSE 4.1: films will stutter" : ""});
  if (const std::string why = text_member(*abilities, "codecs_error"); !why.empty()) {
    findings.push_back({Severity::kNote, "films",
                        "not decoded here (--codec carried), because " + why,
                        "apt install vitrail-decoder"});
  }
  check_renderer(*abilities, findings);
  check_displays(*abilities, wall, receiver, findings);
  if (const bool first = true_member(*abilities, "realtime"); first || !receiver.empty()) {
    findings.push_back(
        {first ? Severity::kGood : Severity::kNote, "priority",
         first ? "the receiver may use real-time priority"
               : "the receiver may not use real-time priority: frames are late on a busy node",
         first ? ""
               : "add \"USER - rtprio 1\" to /etc/security/limits.d/vitrail.conf, "
                 "then log in again"});
  }
  const sail::Json cards = member(*abilities, "sound");
  const bool sounds = cards.is_array() && !cards.empty();
  bool wanted = false;  // set by the wall file
  for (const sail::Json& audio : member(wall, "audio")) {
    wanted |= !receiver.empty() && text_member(audio, "receiver") == receiver;
  }
  const std::string why = text_member(*abilities, "sound_error");
  findings.push_back(
      {sounds || !wanted ? Severity::kGood : Severity::kBad, "sound",
       sounds        ? joined(cards)
       : why.empty() ? "no sound card found"
                     : "no sound card found: " + why,
       sounds || !wanted ? "" : "connect a sound card, or change \"audio\" in the wall file"});
}

}  // namespace ui
