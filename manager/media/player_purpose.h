// The purpose of a player's window that people do not arrange. The manager passes the purpose to
// the player ($VITRAIL_PURPOSE), and the player repeats it when it opens its window. So the next
// manager knows the purpose even if no session was saved after the start. Pure.
#pragma once

#include <optional>
#include <string>

#include "manager/media/play_request.h"
#include "manager/wall/decoration.h"
#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"

namespace manager {

struct PlayerPurpose {
  bool prepared = false;  // It opens hidden, before its turn in a tour or a scene.
  std::optional<Decoration> decoration{};
  std::optional<sail::Rect> place{};  // place of the decoration

  bool operator==(const PlayerPurpose&) const = default;
};

void fields(auto& visit, sail::Of<PlayerPurpose> auto& purpose) {
  visit("prepared", sail::sparse(sail::Flag()), purpose.prepared);
  visit("decoration", sail::Object(), purpose.decoration);
  visit("place", sail::kWindowRect, purpose.place);
}

PlayerPurpose purpose_of(const PlayRequest& request, bool prepared);
// Empty: people arrange the window.
std::string purpose_text(const PlayerPurpose& purpose);
// The text comes from a player. No purpose if it is damaged.
PlayerPurpose read_purpose(const std::string& text);

}  // namespace manager
