#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/placing.h"
#include "sail/wire/limits.h"

namespace manager::verbs {
namespace {

constexpr size_t kMostPlaces = 64;

std::vector<sail::Size> read_sizes(sail::JsonFields& fields) {
  std::vector<sail::Size> sizes;
  for (const sail::Json& item : fields.array("sizes", kMostPlaces)) {
    const auto side = [&](size_t index) {
      if (!item.is_array() || item.size() != 2) return std::optional<int64_t>();
      return sail::whole_number(item[index], 1, sail::kMaxFrameSide);
    };
    const auto width = side(0);
    const auto height = side(1);
    if (!width || !height) {
      fields.mistake("sizes", "must hold [width, height] of pictures");
      break;
    }
    sizes.push_back({static_cast<int>(*width), static_cast<int>(*height)});
  }
  if (sizes.empty()) fields.mistake("sizes", "must hold one size or more");
  return sizes;
}

}  // namespace

Answer find_places(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "find_places");
  const std::vector<sail::Size> sizes = read_sizes(fields);
  std::optional<Point> at;
  if (fields.has("at")) {
    at = fields.pair("at", -sail::kMaxWindowOffset / 2, sail::kMaxWindowOffset / 2);
  }
  if (auto error = fields.finish()) return *error;
  const Placing placing = place_windows(caller.manager.arrangement(), caller.manager.tile_gaps(),
                                        sizes, at, Others::kMakeRoom);
  sail::Json places = sail::Json::array();
  for (size_t i = 0; i < sizes.size(); ++i) {
    sail::Json place = {{"rect", sail::rect_json(placing.rects[i])}};
    if (placing.in_partition) {
      place["play"] = {{"at", {at->first, at->second}}};
    } else if (!placing.others.empty()) {
      place["play"] = sail::Json::object();  // the others make room when it opens
    } else {
      place["play"] = {{"within", sail::rect_json(placing.areas[i])}};
    }
    places.push_back(std::move(place));
  }
  return sail::Json{{"places", std::move(places)}};
}

}  // namespace manager::verbs
