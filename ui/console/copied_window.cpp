#include "ui/console/copied_window.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "sail/core/text/limits.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

using sail::Json;

// Managers replace passwords by this sign.
constexpr std::string_view kHiddenPassword = "…";

bool has_hidden_password(const Json& address) {
  if (!address.is_string()) return false;
  const auto& text = address.get_ref<const std::string&>();
  const size_t scheme_end = text.find("://");  // names of files may have the sign
  return scheme_end != std::string::npos &&
         text.find(kHiddenPassword, scheme_end) != std::string::npos;
}

// Returns why another wall cannot open the window; empty: it can.
std::string obstacle(const Json& window) {
  const Json content = member(window, "content");
  if (content.empty()) return "its program was not started by the wall, which cannot open it again";
  if (content.contains("decoration")) return "it is a wallpaper or a logo";
  const Json media = member(content, "media");
  if (!media.is_array() || media.empty()) return "it shows a command that only this wall has";
  const bool hidden = std::ranges::any_of(media, has_hidden_password) ||
                      has_hidden_password(member(content, "fallback")) ||
                      has_hidden_password(member(content, "subtitles"));
  return hidden ? "its address has a password, which the wall does not reveal" : "";
}

std::string copy_refusal(const Json& window, const std::string& why) {
  return fmt::format("window {} '{}' cannot be copied: {}", number_member(window, "number"),
                     text_member(window, "title"), why);
}

Json scaled_rect(const Json& rect, sail::Size from, sail::Size to) {
  const auto scaled = [](const Json& value, int is, int becomes, int least, int most) {
    const double number = value.is_number() ? value.get<double>() : 0;
    return std::clamp(static_cast<int>(std::lround(number * becomes / is)), least, most);
  };
  constexpr int kFar = sail::kMaxWindowOffset;
  constexpr int kSide = sail::kMaxWindowSide;
  return {scaled(rect[0], from.width, to.width, -kFar, kFar),
          scaled(rect[1], from.height, to.height, -kFar, kFar),
          scaled(rect[2], from.width, to.width, 1, kSide),
          scaled(rect[3], from.height, to.height, 1, kSide)};
}

void take(const Json& from, std::initializer_list<const char*> names, Json& to) {
  for (const char* name : names) {
    if (from.contains(name)) to[name] = from[name];
  }
}

// In a list it is unknown which film plays.
void add_playback(const Json& window, Json& play, std::vector<WindowRequest>& then) {
  const Json playback = member(window, "playback");
  if (playback.empty()) return;
  take(playback, {"rate", "volume"}, play);
  if (playback.contains("loop")) {
    const bool loops = true_member(playback, "loop");
    if (loops || text_member(play, "at_end") == "loop") play["at_end"] = loops ? "loop" : "hold";
  }
  const int64_t page = number_member(playback, "page");
  const Json position = member(playback, "position_s");
  if (play["media"].size() == 1 && page == 0 && position.is_number() && position > 0) {
    play["start"] = position;
  }
  if (page > 0) then.push_back({"control", {{"action", "page"}, {"value", page}}});
  if (true_member(playback, "paused")) then.push_back({"control", {{"action", "pause"}}});
}

}  // namespace

sail::Result<CopiedWindow> copied_window(const Json& window, sail::Size from, sail::Size to) {
  const auto refuse = [&window](const std::string& why) {
    return sail::fail(sail::ErrorCode::kConflict, copy_refusal(window, why));
  };
  if (const std::string why = obstacle(window); !why.empty()) return refuse(why);
  const Json rect = member(window, "rect");
  if (!rect.is_array() || rect.size() != 4 || from.width <= 0 || from.height <= 0 ||
      to.width <= 0 || to.height <= 0) {
    return refuse("a wall does not report its size, or the place of the window");
  }
  CopiedWindow copied;
  take(member(window, "content"),
       {"media", "at_end", "fps", "rate", "volume", "deinterlace", "codec", "missing",
        "sound_track", "best_effort", "fallback", "subtitles", "transport", "delay_ms", "mtu"},
       copied.play);
  copied.play["place"] = scaled_rect(rect, from, to);
  if (const Json look = member(window, "look"); !look.empty()) {
    copied.then.push_back({"look", look});
  }
  if (window.contains("volume")) {
    copied.then.push_back({"sound", {{"muted", true_member(window, "muted")}}});
    take(window, {"volume"}, copied.then.back().params);
  }
  const Json label = member(window, "label");
  if (!label.empty()) copied.then.push_back({"label", label});
  add_playback(window, copied.play, copied.then);
  return copied;
}

std::vector<std::string> make_portable(Json& session) {
  std::vector<std::string> refusals;
  Json windows = Json::array();
  for (Json& window : session["windows"]) {
    if (const std::string why = obstacle(window); !why.empty()) {
      refusals.push_back(copy_refusal(window, why));
      continue;
    }
    window.erase("thumbnail");
    window["content"].erase("on");  // a node of this wall
    windows.push_back(std::move(window));
  }
  session["windows"] = std::move(windows);
  return refusals;
}

}  // namespace ui
