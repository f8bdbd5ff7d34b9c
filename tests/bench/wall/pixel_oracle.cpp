#include "tests/bench/wall/pixel_oracle.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "tests/bench/wall/bench_wall.h"
#include "tests/bench/wall/marked_picture.h"
#include "tests/support/reference_wall.h"
#include "ui/client/answers.h"
#include "ui/client/named_windows.h"

namespace bench {
namespace {

constexpr int kPixels = 1000;  // pixels of a check; half of them in the window's old or new place
constexpr int kLatestMs = 120;
constexpr int kRestTries = 600;
constexpr int64_t kRestEveryMs = 50;
constexpr std::optional<uint32_t> kNoPicture = 0;  // black
constexpr int kNoWindows = sail::kMaxWindows;      // to skip: only the rest is needed

// Finds the tile and its picture for a wall pixel.
class Tiles {
 public:
  explicit Tiles(const ui::TilePictures& tiles) {
    std::map<std::string, const sail::TilePicture*> pictures;
    for (const sail::TilePicture& picture : tiles.snapshot.pictures) {
      pictures[picture.tile] = &picture;
    }
    for (const sail::Tile& tile : tiles.wall.tiles) {
      if (const auto found = pictures.find(tile.name); found != pictures.end()) {
        shown_.push_back({&tile, found->second});
      }
    }
  }
  struct Pixel {
    const sail::Tile* tile;
    int x;  // tile coordinates; scale 1:1 with the wall
    int y;
    std::optional<Mark> mark;
  };
  std::optional<Pixel> at(int x, int y) const {
    for (const auto& [tile, picture] : shown_) {
      if (!tile->wall_rect.contains(x, y)) continue;
      const int tile_x = x - tile->wall_rect.x;
      const int tile_y = y - tile->wall_rect.y;
      const auto place = static_cast<size_t>(tile_y * picture->size.width + tile_x) * 4;
      return Pixel{tile, tile_x, tile_y, mark_of(&picture->bgra[place])};
    }
    return std::nullopt;
  }

 private:
  std::vector<std::pair<const sail::Tile*, const sail::TilePicture*>> shown_;
};

std::optional<uint32_t> picture_of(const std::string& title) {
  uint32_t picture = 0;
  const auto [end, error] = std::from_chars(title.data(), title.data() + title.size(), picture);
  if (error != std::errc{} || end != title.data() + title.size()) return std::nullopt;
  return picture;
}

}  // namespace

sail::Result<PixelOracle::Layout> PixelOracle::layout_at_rest() {
  for (int i = 0; i < kRestTries; ++i) {
    const auto state = client_.call("list", {{"skip", kNoWindows}}, kAnswerMs);
    if (!state) return state.error();
    if (ui::true_member(*state, "settled")) break;
    if (auto lost = client_.wait(kRestEveryMs)) return *lost;
    if (i + 1 == kRestTries) {
      return sail::fail(sail::ErrorCode::kTimeout, "the wall does not settle");
    }
  }
  const auto state = ui::call_for_all_windows(client_, "list");
  if (!state) return state.error();
  Layout layout;
  for (const sail::Json& window : ui::member(*state, "windows")) {
    const auto size = window.at("frame_size").get<std::vector<int>>();
    const auto rect = window.at("rect").get<std::vector<int>>();
    layout.push_back({.number = window.at("window"),
                      .picture = picture_of(ui::text_member(window, "title")),
                      .frame_size = {size.at(0), size.at(1)},
                      .wall_rect = {rect.at(0), rect.at(1), rect.at(2), rect.at(3)}});
  }
  if (layout.empty()) return sail::fail(sail::ErrorCode::kUnavailable, "the wall has no windows");
  return layout;
}

sail::Result<void> PixelOracle::verify() {
  const auto before = layout_at_rest();
  if (!before) return before.error();
  const size_t moved = random_() % before->size();
  Layout after = *before;
  sail::Rect& place = after[moved].wall_rect;
  place.x = std::max(0, place.x + below(2 * place.width) - place.width);
  place.y = std::max(0, place.y + below(2 * place.height) - place.height);
  const auto answer = client_.call(
      "move", {{"window", after[moved].number}, {"x", place.x}, {"y", place.y}}, kAnswerMs);
  if (!answer) return answer.error();
  if (auto lost = client_.wait(below(kLatestMs))) return *lost;
  const auto tiles = ui::take_tile_pictures(client_);
  if (!tiles && tiles.error().code != sail::ErrorCode::kTimeout) return tiles.error();
  ++seen_.looks;
  if (!tiles) {  // all receivers wait for a processor
    ++seen_.incomplete;
    return {};
  }
  if (!tiles->snapshot.failures.empty()) ++seen_.incomplete;
  judge(*tiles, *before, after, moved);
  return {};
}

void PixelOracle::judge(const ui::TilePictures& tiles, const Layout& before, const Layout& after,
                        size_t moved) {
  const Tiles shown(tiles);
  const auto placements = [](const Layout& layout) {
    std::vector<reference::Placement> places;
    for (const Window& window : layout) places.push_back({window.wall_rect, window.frame_size});
    return places;
  };
  const auto places_before = placements(before);
  const auto places_after = placements(after);
  const sail::Rect whole{0, 0, tiles.wall.size.width, tiles.wall.size.height};
  bool is_before = true;
  bool is_after = true;
  std::map<uint32_t, uint32_t> frames;  // by picture
  bool mixed = false;
  for (int i = 0; i < kPixels; ++i) {
    const sail::Rect within = i % 4 == 0   ? before[moved].wall_rect
                              : i % 4 == 1 ? after[moved].wall_rect
                                           : whole;
    const auto pixel = shown.at(within.x + below(within.width), within.y + below(within.height));
    if (!pixel) continue;  // outside the wall, or the receiver did not answer
    ++seen_.pixels;
    const auto picture_by = [&](const Layout& layout,
                                std::span<const reference::Placement> places) {
      const auto sample = reference::sample_of(*pixel->tile, pixel->x, pixel->y, places);
      return sample ? layout[sample->window].picture : kNoPicture;
    };
    const auto is = [&](std::optional<uint32_t> picture) {
      if (!pixel->mark || pixel->mark->picture != picture) return false;
      return picture != kNoPicture || pixel->mark->frame == 0;
    };
    const auto wanted_before = picture_by(before, places_before);
    const auto wanted_after = picture_by(after, places_after);
    const bool as_before = !wanted_before || is(wanted_before);
    const bool as_after = !wanted_after || is(wanted_after);
    if (!as_before && !as_after) ++seen_.wrong;
    is_before = is_before && (as_before || !as_after);
    is_after = is_after && (as_after || !as_before);
    if (!is(wanted_before) && !is(wanted_after)) continue;
    const auto [known, is_new] = frames.emplace(pixel->mark->picture, pixel->mark->frame);
    mixed = mixed || known->second != pixel->mark->frame;
  }
  if (!is_before && !is_after) ++seen_.torn;
  if (mixed) ++seen_.mixed;
}

}  // namespace bench
