#include "sail/core/routing/routing.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/wall/visibility.h"

namespace sail {
namespace {

// Half-open run of block columns or rows.
struct Run {
  int begin;
  int end;

  bool operator==(const Run&) const = default;
};

// Blocks (columns and rows) of a window that one receiver needs for one visible rectangle.
struct Piece {
  size_t receiver;
  Rect blocks;
};

// The runs of blocks that the taps read along one axis.
std::vector<Run> runs_of(std::vector<codecs::Tap> taps, int block_side) {
  if (taps.front().first > taps.back().first) std::reverse(taps.begin(), taps.end());
  std::vector<Run> runs;
  for (const codecs::Tap& tap : taps) {
    const int begin = tap.first / block_side;
    const int end = tap.second / block_side + 1;
    if (!runs.empty() && begin <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, end);
    } else {
      runs.push_back({begin, end});
    }
  }
  return runs;
}

// Whether a block between the samples of two adjacent pixels may be unread. That requires one
// sample at or before the pixel before the block and the other at or after the pixel behind the
// block, so their distance is at least block_side + 1. A step of at most block_side never reaches
// that, even with 1/256 of rounding.
bool may_skip_blocks(int tile_extent, int tile_pixels, int window_extent, const SourceSpan& source,
                     int block_side) {
  return int64_t{tile_extent} * source.extent_256 >
         int64_t{256} * block_side * tile_pixels * window_extent;
}

// Adds the blocks of a window that the tile pixels `pixels` read.
void add_blocks(const TileView& tile, const Rect& pixels, const PictureMap& map,
                const BlockGrid& grid, size_t receiver, std::vector<Piece>& pieces) {
  Size block = grid.block_size();
  if (map.turned) std::swap(block.width, block.height);
  const Rect touched = grid.blocks_touching(source_rect(tile, pixels, map));
  if (!may_skip_blocks(tile.wall_rect.width, tile.upright.width, map.wall_rect.width, map.across,
                       block.width) &&
      !may_skip_blocks(tile.wall_rect.height, tile.upright.height, map.wall_rect.height, map.down,
                       block.height)) {
    pieces.push_back({receiver, touched});
    return;
  }
  std::vector<Run> columns = runs_of(column_taps(tile, pixels, map), block.width);
  std::vector<Run> rows = runs_of(row_taps(tile, pixels, map), block.height);
  if (map.turned) std::swap(columns, rows);
  if (columns.size() * rows.size() > kMaxSparseRects) {
    pieces.push_back({receiver, touched});
    return;
  }
  for (const Run& row : rows) {
    for (const Run& column : columns) {
      pieces.push_back({receiver, Rect::from_edges(column.begin, row.begin, column.end, row.end)});
    }
  }
}

// Collects the blocks that each receiver needs of each requested window, tile by tile; they may
// overlap.
std::vector<std::vector<Piece>> collect_pieces(const Wall& wall,
                                               const std::vector<RoutedWindow>& windows,
                                               std::span<const size_t> indices) {
  std::unordered_map<std::string_view, size_t> receiver_index;
  for (size_t i = 0; i < wall.receivers.size(); ++i)
    receiver_index.emplace(wall.receivers[i].name, i);

  constexpr size_t kNotAsked = SIZE_MAX;
  std::vector<size_t> asked(windows.size(), kNotAsked);  // position in `indices` by window
  for (size_t i = 0; i < indices.size(); ++i) asked[indices[i]] = i;
  std::vector<std::vector<Piece>> pieces(indices.size());
  std::vector<size_t> on_tile;       // windows that intersect the tile, bottom to top
  std::vector<StackedWindow> stack;  // the windows of on_tile
  for (const Tile& tile : wall.tiles) {
    const auto receiver = receiver_index.find(tile.receiver);
    if (receiver == receiver_index.end()) continue;
    on_tile.clear();
    stack.clear();
    const bool shows_any = std::any_of(indices.begin(), indices.end(), [&](size_t i) {
      return !intersect(windows[i].wall_rect, tile.wall_rect).empty();
    });
    if (!shows_any) continue;
    for (size_t i = 0; i < windows.size(); ++i) {
      if (intersect(windows[i].wall_rect, tile.wall_rect).empty()) continue;
      on_tile.push_back(i);
      stack.push_back({windows[i].wall_rect, windows[i].blended()});
    }
    const TileView view{tile.wall_rect, tile.upright()};
    for (size_t k = 0; k < on_tile.size(); ++k) {
      const size_t index = on_tile[k];
      const RoutedWindow& window = windows[index];
      if (asked[index] == kNotAsked || window.look.invisible()) continue;
      for (const Rect& visible : visible_part(stack, k, tile.wall_rect)) {
        const Rect pixels = view.tile_pixels(visible);
        if (pixels.empty()) continue;
        const BlockGrid grid = window.grid(reduction_for(wall, tile.receiver, window));
        for (const Stereo eye : eyes_of(window.look)) {
          add_blocks(view, pixels,
                     picture_map(window.wall_rect, window.look, window.frame_size,
                                 grid.frame_size(), eye, window.part),
                     grid, receiver->second, pieces[asked[index]]);
        }
      }
    }
  }
  return pieces;
}

// Merges bands of block rows, given top to bottom without gaps, into disjoint rectangles. If a run
// is repeated in the next band, its rectangle is extended. A band may have no runs.
class BandMerger {
 public:
  void add(const Run& rows, const std::vector<Run>& runs) {
    std::vector<size_t> current;
    size_t above = 0;
    for (const Run& run : runs) {
      while (above < last_.size() && blocks_[last_[above]].column < run.begin) ++above;
      if (above < last_.size() && same_columns(blocks_[last_[above]], run)) {
        current.push_back(last_[above]);
        blocks_[last_[above]].rows += rows.end - rows.begin;
      } else {
        current.push_back(blocks_.size());
        blocks_.push_back({run.begin, rows.begin, run.end - run.begin, rows.end - rows.begin});
      }
    }
    last_ = std::move(current);
  }

  std::vector<BlockRect> take() { return std::move(blocks_); }

 private:
  static bool same_columns(const BlockRect& rect, const Run& run) {
    return rect.column == run.begin && rect.column + rect.columns == run.end;
  }

  std::vector<BlockRect> blocks_;
  std::vector<size_t> last_;  // rectangles of the last band, by column
};

// The union of the pieces as few disjoint rectangles, ordered by rows. Sorts the pieces.
std::vector<BlockRect> unite(std::span<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.blocks.y < b.blocks.y; });
  std::vector<int> edges;
  for (const Piece& piece : pieces) {
    edges.push_back(piece.blocks.y);
    edges.push_back(piece.blocks.bottom());
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  BandMerger merger;
  std::vector<Rect> active;  // pieces that reach into the band
  std::vector<Run> runs;
  size_t next = 0;
  for (size_t band = 0; band + 1 < edges.size(); ++band) {
    const int top = edges[band];
    std::erase_if(active, [top](const Rect& rect) { return rect.bottom() <= top; });
    for (; next < pieces.size() && pieces[next].blocks.y == top; ++next) {
      active.push_back(pieces[next].blocks);
    }
    std::sort(active.begin(), active.end(), [](const Rect& a, const Rect& b) { return a.x < b.x; });
    runs.clear();
    for (const Rect& rect : active) {
      if (!runs.empty() && rect.x <= runs.back().end) {
        runs.back().end = std::max(runs.back().end, rect.right());
      } else {
        runs.push_back({rect.x, rect.right()});
      }
    }
    merger.add({top, edges[band + 1]}, runs);
  }
  return merger.take();
}

BlockRect around(const std::vector<BlockRect>& blocks) {
  int left = blocks.front().column, top = blocks.front().row, right = 0, bottom = 0;
  for (const BlockRect& rect : blocks) {
    left = std::min(left, rect.column);
    top = std::min(top, rect.row);
    right = std::max(right, rect.column + rect.columns);
    bottom = std::max(bottom, rect.row + rect.rows);
  }
  return {left, top, right - left, bottom - top};
}

// Builds the map of a window from its pieces, which it sorts.
RoutingMap map_of(const Wall& wall, const RoutedWindow& window, std::vector<Piece>& pieces) {
  RoutingMap map;
  map.window = window.window;
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.receiver < b.receiver; });
  size_t rects = 0;
  for (size_t begin = 0; begin < pieces.size();) {
    const size_t receiver = pieces[begin].receiver;
    size_t end = begin;
    while (end < pieces.size() && pieces[end].receiver == receiver) ++end;
    const std::string& name = wall.receivers[receiver].name;
    map.receivers.push_back({name, unite(std::span(pieces).subspan(begin, end - begin)),
                             reduction_for(wall, name, window)});
    rects += map.receivers.back().blocks.size();
    begin = end;
  }
  if (rects > kMaxRouteRects) {
    for (ReceiverBlocks& receiver : map.receivers) receiver.blocks = {around(receiver.blocks)};
  }
  return map;
}

}  // namespace

int reduction_for(const Wall& wall, const std::string& receiver, const RoutedWindow& window) {
  // All parts of a frame must be halved equally.
  const Size frame_size = window.part ? window.part->frame_size : window.frame_size;
  const Rect window_rect = window.part ? window.part->window_rect : window.wall_rect;
  const Rect part = source_part(window.look, frame_size, eyes_of(window.look).front());
  const bool turned = orientation(window.look).turned;
  // Whether a frame side of `side` pixels has at least one pixel per pixel of a tile's axis.
  const auto one_each = [](int side, int part_side, int frame_side, int tile_side, int tile_pixels,
                           int window_side) {
    return int64_t{side} * part_side * tile_side >= int64_t{window_side} * tile_pixels * frame_side;
  };
  // Treats each tile as if it showed the whole window.
  const auto enough = [&](Size size) {
    return std::all_of(wall.tiles.begin(), wall.tiles.end(), [&](const Tile& tile) {
      if (window.scaling == Scaling::kBlock && tile.receiver != receiver) return true;
      Rect view = tile.wall_rect;
      Size upright = tile.upright();
      Rect place = window_rect;
      if (turned) {
        std::swap(view.width, view.height);
        std::swap(upright.width, upright.height);
        std::swap(place.width, place.height);
      }
      return one_each(size.width, part.width, frame_size.width, view.width, upright.width,
                      place.width) &&
             one_each(size.height, part.height, frame_size.height, view.height, upright.height,
                      place.height);
    });
  };
  int reduction = 0;
  while (reduction < window.max_reduction && enough(reduced_size(frame_size, reduction + 1))) {
    ++reduction;
  }
  return reduction;
}

std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows,
                              std::span<const size_t> indices) {
  std::vector<std::vector<Piece>> pieces = collect_pieces(wall, windows, indices);
  std::vector<RoutingMap> maps;
  maps.reserve(indices.size());
  for (size_t i = 0; i < indices.size(); ++i) {
    maps.push_back(map_of(wall, windows[indices[i]], pieces[i]));
  }
  return maps;
}

std::vector<RoutingMap> route(const Wall& wall, const std::vector<RoutedWindow>& windows) {
  std::vector<size_t> all(windows.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return route(wall, windows, all);
}

}  // namespace sail
