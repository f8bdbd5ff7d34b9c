#include "manager/media/player_purpose.h"

#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"

namespace manager {

PlayerPurpose purpose_of(const PlayRequest& request, bool prepared) {
  // A command may open further windows later.
  PlayerPurpose purpose{.prepared = prepared && request.command.empty(),
                        .decoration = request.decoration};
  if (request.decoration) purpose.place = request.place;
  return purpose;
}

std::string purpose_text(const PlayerPurpose& purpose) {
  return purpose == PlayerPurpose() ? "" : sail::to_json(purpose).dump();
}

PlayerPurpose read_purpose(const std::string& text) {
  if (text.empty()) return {};
  const auto json = sail::parse_json(text, sail::kMaxPurpose);
  if (!json) return {};
  return sail::message_from_json<PlayerPurpose>(*json, "purpose").value_or(PlayerPurpose());
}

}  // namespace manager
