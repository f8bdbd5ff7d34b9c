// Tours: windows that go through many sources.
#include "manager/tours/tours.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/tours/tour_sources.h"
#include "manager/wall/arrange.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

sail::Result<sail::Rect> area_asked(const Desk& desk, sail::JsonFields& fields) {
  const std::string area = fields.string_or("area", sail::kMaxNameLength, "");
  if (!fields.has("rect")) return area_named(desk.wall(), desk.arrangement().partitions(), area);
  if (!area.empty()) fields.mistake("rect", "and 'area' cannot both be given");
  const sail::Rect rect = fields.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  if (!is_on_wall(rect, desk.wall().size)) fields.mistake("rect", "must lie on the wall");
  return rect;
}

namespace {

std::string tour_name(sail::JsonFields& fields) {
  std::string name = fields.string("name", sail::kMaxNameLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  return name;
}

// Names of sources, patterns or media.
std::vector<std::string> tour_sources(sail::JsonFields& fields) {
  std::vector<std::string> names;
  for (const sail::Json& item : fields.array("sources", kMostTourSources)) {
    const auto* name = item.get_ptr<const std::string*>();
    if (name == nullptr || name->empty() || name->size() > kLongestMedium ||
        name->find('\0') != std::string::npos) {
      fields.mistake("sources", "must contain names of 1 to 4096 bytes each");
      break;
    }
    names.push_back(*name);
  }
  if (names.empty()) fields.mistake("sources", "must name at least one source");
  return names;
}

struct AskedTour {
  TourPlan plan;
  std::vector<std::string> names;
};

sail::Result<AskedTour> read_tour(const Call& call, const Desk& desk) {
  constexpr int kSmallestCell = 16;  // Wall pixels.
  sail::JsonFields fields = call.fields();
  AskedTour asked;
  asked.plan.name = tour_name(fields);
  asked.names = tour_sources(fields);
  read_tour_shape(fields, asked.plan);
  const auto area = area_asked(desk, fields);
  if (area) {
    asked.plan.area = *area;
    for (const sail::Rect& cell :
         grid_cells(*area, asked.plan.columns, asked.plan.rows, desk.tile_gaps())) {
      if (std::min(cell.width, cell.height) >= kSmallestCell) continue;
      fields.mistake("columns", fmt::format("and 'rows' must leave at least {}×{} wall pixels for "
                                            "each cell",
                                            kSmallestCell, kSmallestCell));
      break;
    }
  }
  if (auto error = fields.finish()) return *error;
  if (!area) return area.error();
  asked.plan.opener = call.peer.key_name();
  return asked;
}

// Adds the sources that the name stands for, each once.
sail::Result<void> add_sources(const SourceLibrary& library, const std::string& name,
                               PlaylistItems& sources) {
  auto found = sources_named(library, name);
  if (!found) return found.error();
  for (PlaylistItem& one : *found) {
    const bool is_new =
        std::ranges::find(sources, one.medium, &PlaylistItem::medium) == sources.end();
    if (is_new) sources.push_back(std::move(one));
  }
  return {};
}

sail::Result<TourPlan> with_sources(const SourceLibrary& library, AskedTour asked) {
  TourPlan& plan = asked.plan;
  for (const std::string& name : asked.names) {
    if (auto added = add_sources(library, name, plan.sources); !added) return added.error();
  }
  if (plan.sources.size() > kMostTourSources) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the names stand for {} sources, the maximum is {}",
                                  plan.sources.size(), kMostTourSources));
  }
  if (plan.sources.size() >= plan.cells()) return plan;
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("{} cells need as many different sources, and there are {}: use "
                                "fewer cells",
                                plan.cells(), plan.sources.size()));
}

}  // namespace

void tour_start(const Call& call, const Desk& desk, SourceLibrary& library, Tours& tours) {
  auto asked = read_tour(call, desk);
  if (!asked) return call.reply(asked.error());
  // A file may be newer than the list of sources.
  library.refresh([&library, &tours, asked = *std::move(asked), reply = call.reply] {
    auto plan = with_sources(library, asked);
    if (!plan) return reply(plan.error());
    tours.start(*std::move(plan), {}, reply);
  });
}

Answer tour_stop(const Call& call, Tours& tours) {
  const auto name = only_name(call);
  if (!name) return name.error();
  if (auto stopped = tours.stop(*name); !stopped) return stopped.error();
  return sail::Json{{"tours", tours.json()}};
}

Answer tour_control(const Call& call, Tours& tours) {
  static const std::map<std::string, Tours::Action, std::less<>> kActions = {
      {"hold", Tours::Action::kHold},
      {"go", Tours::Action::kGo},
      {"next", Tours::Action::kNext},
      {"previous", Tours::Action::kPrevious}};
  sail::JsonFields fields = call.fields();
  const std::string name = tour_name(fields);
  const auto action = kActions.find(fields.string("action", sail::kMaxNameLength));
  if (action == kActions.end()) fields.mistake("action", "must be hold, go, next or previous");
  if (auto error = fields.finish()) return *error;
  if (auto done = tours.control(name, action->second); !done) return done.error();
  return sail::Json{{"tours", tours.json()}};
}

Answer tour_list(const Call& /*call*/, const Tours& tours) {
  return sail::Json{{"tours", tours.json()}};
}

}  // namespace manager::verbs
