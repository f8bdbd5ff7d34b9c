#include "manager/opening/opening_players.h"

#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/state_json.h"
#include "manager/wall/placing.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {

sail::Rect place_for(const Desk& desk, const PlayRequest& request) {
  if (request.place) return *request.place;
  if (request.within) return *request.within;
  const std::vector<sail::Size> usual{{1920, 1080}};
  return place_windows(desk.arrangement(), desk.tile_gaps(), usual, request.centre, Others::kStay)
      .rects.front();
}

std::vector<sail::OverlayLabel> with_openings(std::vector<sail::OverlayLabel> labels,
                                              const std::vector<Players::Opening>& openings) {
  for (const Players::Opening& opening : openings) {
    if (labels.size() >= sail::kMaxLabels) break;
    const std::string text =
        (opening.awaits_sender ? "waiting for a sender at " : "opening ") + opening.title + " …";
    labels.push_back({.x = opening.rect.x,
                      .y = opening.rect.y,
                      .lines = {sail::make_plain_text(text, sail::kMaxLabelLine)}});
  }
  return labels;
}

sail::Json to_json(const std::vector<Players::Opening>& openings) {
  sail::Json list = sail::Json::array();
  for (const Players::Opening& opening : openings) {
    list.push_back({{"opening", opening.number},
                    {"title", opening.title},
                    {"rect", sail::rect_json(opening.rect)},
                    {"since_s", opening.since_s}});
    if (opening.awaits_sender) list.back()["awaits_sender"] = true;
  }
  return list;
}

}  // namespace manager
