#include "ui/console/start/wall_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "sail/core/wall/wall.h"

namespace ui {
namespace {

// Parses "5.3x4" and removes it from `text`.
std::optional<std::pair<double, double>> two_numbers(std::string_view& text) {
  double numbers[2] = {};
  for (double& number : numbers) {
    if (&number != numbers) {
      if (!text.starts_with('x')) return std::nullopt;
      text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(number >= 0 && number <= 1e5)) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
  return std::pair{numbers[0], numbers[1]};
}

sail::Json whole_pair(const std::pair<double, double>& pair) {
  return {std::llround(pair.first), std::llround(pair.second)};
}

bool is_whole(const std::pair<double, double>& pair) {
  return pair.first == std::floor(pair.first) && pair.second == std::floor(pair.second);
}

sail::Error no_plan(const std::string& why) {
  return {sail::ErrorCode::kInvalidParams, why};
}

// Columns and rows of displays for each host. Empty optional: hosts cannot share the displays
// equally.
std::optional<std::pair<int, int>> share_of(const WallPlan& plan) {
  const int hosts = std::max<int>(static_cast<int>(plan.hosts.size()), 1);
  const int tiles = plan.columns * plan.rows;
  if (tiles % hosts != 0) return std::nullopt;
  const int each = tiles / hosts;
  for (int columns = std::min(each, plan.columns); columns > 0; --columns) {
    if (each % columns != 0 || plan.columns % columns != 0) continue;
    if (plan.rows % (each / columns) == 0) return std::pair{columns, each / columns};
  }
  return std::nullopt;
}

sail::Result<void> add_mullion(const WallPlan& plan, sail::Json& grid) {
  std::string_view text = plan.mullion;
  const auto gaps = two_numbers(text);
  const bool in_mm = text == "mm";
  if (!gaps || (!text.empty() && !in_mm) || (!in_mm && !is_whole(*gaps))) {
    return no_plan(
        fmt::format("mullion: '{}' must be pixels such as 20x30, or millimetres such as 5.3x5.3mm",
                    plan.mullion));
  }
  if (!in_mm) {
    grid["mullion"] = whole_pair(*gaps);
    return {};
  }
  if (plan.pixel_pitch_mm <= 0) {
    return no_plan("mullion: millimetres need the pixel pitch (--pixel-pitch-mm)");
  }
  grid["mullion_mm"] = {gaps->first, gaps->second};
  grid["pixel_pitch_mm"] = plan.pixel_pitch_mm;
  return {};
}

sail::Json receivers(const WallPlan& plan) {
  sail::Json list = sail::Json::array();
  for (size_t i = 0; i < plan.hosts.size(); ++i) {
    sail::Json one = {{"name", fmt::format("node{}", i + 1)}};
    if (!is_here(plan.hosts[i])) one["host"] = plan.hosts[i];
    list.push_back(std::move(one));
  }
  return list;
}

std::string display_text(const FoundDisplay& display) {
  return fmt::format("{}×{}", display.resolution.width, display.resolution.height);
}

}  // namespace

bool is_here(std::string_view host) {
  return host.empty() || host == "localhost";
}

namespace {

// Returns the complete wall with the outputs of the plan.
sail::Json with_outputs(sail::Wall wall, const WallPlan& plan) {
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    size_t next = 0;
    for (sail::Tile& tile : wall.tiles) {
      if (tile.receiver != wall.receivers[i].name || next == plan.outputs[i].size()) continue;
      tile.output = plan.outputs[i][next++];
      tile.has_window_at = false;
    }
  }
  return sail::wall_json(wall);
}

}  // namespace

sail::Result<sail::Json> wall_file(const WallPlan& plan) {
  std::string_view text = plan.resolution;
  const auto resolution = two_numbers(text);
  if (!resolution || !text.empty() || !is_whole(*resolution)) {
    return no_plan(fmt::format("resolution: '{}' must be WIDTHxHEIGHT in pixels, such as 1920x1080",
                               plan.resolution));
  }
  const auto share = share_of(plan);
  if (!share) {
    return no_plan(
        fmt::format("{} hosts cannot share {}×{} displays in equal rectangles: write \"tiles\" by "
                    "hand (sail/core/wall/README.md)",
                    plan.hosts.size(), plan.columns, plan.rows));
  }
  sail::Json grid = {{"columns", plan.columns},
                     {"rows", plan.rows},
                     {"resolution", whole_pair(*resolution)},
                     {"tiles_per_receiver", {share->first, share->second}}};
  if (auto added = add_mullion(plan, grid); !added) return added.error();
  sail::Json file = {{"name", plan.name}, {"grid", std::move(grid)}};
  if (!plan.hosts.empty()) file["receivers"] = receivers(plan);
  auto wall = sail::parse_wall(file.dump());
  if (!wall) return std::move(wall.error());
  if (plan.outputs.empty()) return file;
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    const auto tiles =
        std::ranges::count(wall->tiles, wall->receivers[i].name, &sail::Tile::receiver);
    if (std::cmp_less(plan.outputs[i].size(), tiles)) {
      return no_plan(fmt::format("{} has {} displays for {} tiles", wall->receivers[i].name,
                                 plan.outputs[i].size(), tiles));
    }
  }
  file = with_outputs(*std::move(wall), plan);
  return sail::parse_wall(file.dump()).map([&](const sail::Wall&) { return file; });
}

namespace {

// The outputs of the host's displays, in the order of the grid's rows.
std::vector<std::string> outputs_of(const HostDisplays& host) {
  std::vector<FoundDisplay> displays = host.found.displays;
  std::ranges::stable_sort(
      displays, {}, [](const FoundDisplay& display) { return std::pair(display.y, display.x); });
  std::vector<std::string> outputs;
  for (const FoundDisplay& display : displays) outputs.push_back(display.name);
  return outputs;
}

}  // namespace

sail::Result<WallPlan> plan_for(const std::vector<HostDisplays>& hosts, WallPlan plan) {
  std::vector<FoundDisplay> all;
  for (const HostDisplays& host : hosts) {
    const auto& displays = host.found.displays;
    if (displays.empty()) {
      return no_plan(
          fmt::format("no display found on {}: xrandr, wlr-randr and the kernel list none",
                      host.host.empty() ? "this host" : host.host));
    }
    if (displays.size() != hosts.front().found.displays.size()) {
      return no_plan(
          "the hosts have different numbers of displays: write \"tiles\" by hand "
          "(sail/core/wall/README.md)");
    }
    all.insert(all.end(), displays.begin(), displays.end());
  }
  const FoundDisplay& first = all.front();
  for (const FoundDisplay& display : all) {
    if (display.resolution == first.resolution) continue;
    return no_plan(
        fmt::format("the displays have different resolutions, {} and {}: write \"tiles\" by hand "
                    "(sail/core/wall/README.md)",
                    display_text(first), display_text(display)));
  }
  const int count = static_cast<int>(all.size());
  // The most square grid, wider than high.
  plan.rows = static_cast<int>(std::sqrt(count));
  while (count % plan.rows != 0) --plan.rows;
  plan.columns = count / plan.rows;
  plan.resolution = fmt::format("{}x{}", first.resolution.width, first.resolution.height);
  if (first.width_mm > 0) {
    plan.pixel_pitch_mm = std::round(1000 * first.width_mm / first.resolution.width) / 1000;
  }
  plan.outputs.clear();
  if (all.size() == hosts.size()) return plan;
  for (const HostDisplays& host : hosts) plan.outputs.push_back(outputs_of(host));
  return plan;
}

namespace {

std::string count_text(size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// Returns true if the tile's shape on the wall differs from its pixels' shape by more than 5 %.
bool distorts(const sail::Tile& tile) {
  constexpr double kLittle = 0.05;
  const sail::Size upright = tile.upright();
  const double wider = static_cast<double>(tile.wall_rect.width) * upright.height /
                       (static_cast<double>(tile.wall_rect.height) * upright.width);
  return std::abs(std::log(wider)) > kLittle;
}

}  // namespace

std::string wall_summary(const sail::Wall& wall) {
  return fmt::format("{}, {}, {}×{}", count_text(wall.tiles.size(), "display"),
                     count_text(wall.receivers.size(), "node"), wall.size.width, wall.size.height);
}

std::vector<std::string> wall_warnings(const sail::Wall& wall) {
  std::vector<std::string> warnings;
  for (const sail::Tile& tile : wall.tiles) {
    if (!distorts(tile)) continue;
    const sail::Size upright = tile.upright();
    warnings.push_back(
        fmt::format("tile \"{}\": \"size\" [{}, {}] has another aspect ratio than its {}×{} "
                    "pixels{}: pictures are distorted; omit \"size\" to avoid this",
                    tile.name, tile.wall_rect.width, tile.wall_rect.height, upright.width,
                    upright.height, tile.rotation % 180 == 0 ? "" : " (rotated)"));
  }
  for (const sail::ReceiverPlace& receiver : wall.receivers) {
    const auto unplaced = std::ranges::count_if(wall.tiles, [&](const sail::Tile& tile) {
      return tile.receiver == receiver.name && !tile.has_window_at && tile.output.empty();
    });
    const auto all = std::ranges::count(wall.tiles, receiver.name, &sail::Tile::receiver);
    if (all < 2 || unplaced == 0) continue;
    warnings.push_back(
        fmt::format("receiver \"{}\": {} of its {} tiles have neither \"output\" nor "
                    "\"window_at\": the desktop "
                    "chooses where their windows open",
                    receiver.name, unplaced, all));
  }
  return warnings;
}

}  // namespace ui
