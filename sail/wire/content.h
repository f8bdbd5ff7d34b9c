// What a window shows, told well enough to have it again: when a layout, a session or an undone
// close brings the window back, the manager starts the program with it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/wire/json_fields.h"

namespace sail {

struct Content {
  // Files (absolute paths), test cards or addresses, in the order they are played; at most
  // kMaxContentMedia of kMaxContentBytes together.
  std::vector<std::string> media;
  // That plays them: "bplay", "vitrail-show", "vitrail-web", "vitrail-vnc". The manager starts
  // programs it knows, no others.
  std::string program;
  bool loop = false;

  bool operator==(const Content&) const = default;
};
// Media that are drawn, not read: a test card, a text, the time of day in a zone. Whoever may open
// nothing may show these.
constexpr std::string_view kTestScheme = "test:";
constexpr std::string_view kNoteScheme = "note:";
constexpr std::string_view kClockScheme = "clock:";
bool is_drawn(std::string_view medium);
// Of these, those that are written: vitrail-show has them.
bool is_written(std::string_view medium);
// What other machines show: a page ("web:https://…") and a desktop ("vnc://HOST:1"), each alone in
// its window. No password is in them, as sessions keep them. Whether it leads anywhere is the
// program's matter.
constexpr std::string_view kWebScheme = "web:";
constexpr std::string_view kVncScheme = "vnc://";
bool names_page(std::string_view medium);
bool names_desktop(std::string_view medium);
Result<std::string> read_medium(const Json& value, const std::string& where);
void fields(auto& visit, Of<Content> auto& content) {
  visit("media", values<read_medium>(kMaxContentMedia), content.media);
  visit("program", kName, content.program);
  visit("loop", Flag(), content.loop);
}
void check(JsonFields& in, const Content& content);

}  // namespace sail
