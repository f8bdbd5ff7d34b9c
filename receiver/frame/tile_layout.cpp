#include "receiver/frame/tile_layout.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

namespace receiver {
namespace {

using codecs::Tap;
using sail::Rect;
using sail::Stereo;

constexpr int kBandRows = 64;
constexpr int kPixelBytes = 4;

// Texel blocks are decoded as a whole, so bands are cut at their borders.
constexpr int kTexels = 4;

// One axis of a piece: the source pixels that the taps read, widened to whole texel blocks.
struct Range {
  int first = 0;
  int count = 0;
};
Range source_range(const Tap* begin, const Tap* end, int frame_extent) {
  const int first = std::min(begin->first, (end - 1)->first) / kTexels * kTexels;
  const int last = std::max(begin->second, (end - 1)->second);
  return {first, std::min((last / kTexels + 1) * kTexels, frame_extent) - first};
}

std::vector<Tap> counted_from(const Tap* begin, const Tap* end, int origin) {
  std::vector<Tap> taps(begin, end);
  for (Tap& tap : taps) {
    tap.first -= origin;
    tap.second -= origin;
  }
  return taps;
}

Rect transposed(const Rect& rect) {
  return {rect.y, rect.x, rect.height, rect.width};
}

bool reads_in_step(const std::vector<Tap>& taps) {
  for (size_t i = 0; i < taps.size(); ++i) {
    if (taps[i].weight != 0 || taps[i].first != taps[0].first + static_cast<int>(i)) return false;
  }
  return true;
}

// Cuts bands of whole block rows, so that no block is decoded for two bands.
void cut_one_to_one(Piece& piece, int source_x, int source_y, int block_height) {
  const Rect& whole = piece.tile_rect;
  for (int y = 0; y < whole.height;) {
    const int height = std::min(block_height - (source_y + y) % block_height, whole.height - y);
    piece.bands.push_back({.tile_rect = {whole.x, whole.y + y, whole.width, height},
                           .source_rect = {source_x, source_y + y, whole.width, height},
                           .rows = {}});
    y += height;
  }
}

// Cuts bands with as many rows as fit kMaxBandBytes of source pixels. One row always fits: it reads
// two rows of the frame (transposed: columns), which are in at most two rows of texel blocks.
void cut_scaled(Piece& piece, const Range& columns, const std::vector<Tap>& rows, int rows_extent) {
  static_assert(size_t{sail::kMaxFrameSide} * kPixelBytes * 2 * kTexels <= kMaxBandBytes);
  const Rect& whole = piece.tile_rect;
  const Tap* taps = rows.data();
  for (int y = 0; y < whole.height;) {
    int height = 1;
    const auto fits = [&](int count) {
      const Range range = source_range(taps + y, taps + y + count, rows_extent);
      return static_cast<size_t>(range.count) * static_cast<size_t>(columns.count) * kPixelBytes <=
             kMaxBandBytes;
    };
    while (height < kBandRows && y + height < whole.height && fits(height + 1)) ++height;
    const Range range = source_range(taps + y, taps + y + height, rows_extent);
    const Rect source{columns.first, range.first, columns.count, range.count};
    piece.bands.push_back({.tile_rect = {whole.x, whole.y + y, whole.width, height},
                           .source_rect = piece.turned ? transposed(source) : source,
                           .rows = counted_from(taps + y, taps + y + height, range.first)});
    y += height;
  }
}

Piece cut(const sail::TileView& tile, const LaidWindow& laid, const Rect& tile_rect, Stereo eye) {
  const sail::SceneWindow& window = laid.window;
  const sail::Size frame = laid.grid.frame_size();
  const sail::PictureMap map =
      sail::picture_map(window.wall_rect, window.look, window.frame_size, frame, eye, window.part);
  const std::vector<Tap> columns = sail::column_taps(tile, tile_rect, map);
  const std::vector<Tap> rows = sail::row_taps(tile, tile_rect, map);
  Piece piece{.tile_rect = tile_rect, .columns = {}, .bands = {}, .turned = map.turned};
  if (window.look.stereo == Stereo::kAnaglyph) {
    piece.channels = eye == Stereo::kLeft ? Channels::kRed : Channels::kGreenBlue;
  } else if (!map.turned && reads_in_step(columns) && reads_in_step(rows)) {
    cut_one_to_one(piece, columns[0].first, rows[0].first, laid.grid.block_size().height);
    return piece;
  }
  const Tap* begin = columns.data();
  const Tap* end = begin + columns.size();
  const Range range = source_range(begin, end, map.turned ? frame.height : frame.width);
  piece.columns = counted_from(begin, end, range.first);
  cut_scaled(piece, range, rows, map.turned ? frame.width : frame.height);
  return piece;
}

bool reads_any(const Piece& piece, const BlockSet& blocks) {
  return std::ranges::any_of(
      piece.bands, [&blocks](const Band& band) { return blocks.touch(band.source_rect); });
}

// Returns true if both windows are cut into the same pieces.
bool same_cut(const LaidWindow& a, const LaidWindow& b) {
  return a.window.wall_rect == b.window.wall_rect && a.window.frame_size == b.window.frame_size &&
         a.window.look == b.window.look && a.window.part == b.window.part && a.grid == b.grid;
}

// The windows of the previous layout, whose pieces can be reused.
class Before {
 public:
  explicit Before(TileLayout& layout) : windows_(layout.windows) {
    places_.reserve(windows_.size());
    for (size_t i = 0; i < windows_.size(); ++i) places_.emplace(windows_[i].window().window, i);
  }

  // Moves the old pieces to `part` if they have the same rectangles. Returns true if the window
  // also shows the same stream in the same way at the same stacking position.
  bool take(const std::vector<Rect>& tile_rects, size_t place, WindowPart& part) {
    const auto known = places_.find(part.window().window);
    if (known == places_.end()) return false;
    WindowPart& old = windows_[known->second];
    const auto same_rect = [](const Piece& piece, const Rect& rect) {
      return piece.tile_rect == rect;
    };
    if (!same_cut(old.laid, part.laid) ||
        !std::equal(old.pieces.begin(), old.pieces.end(), tile_rects.begin(), tile_rects.end(),
                    same_rect)) {
      return false;
    }
    part.pieces = std::move(old.pieces);
    return known->second == place && old.laid.looks_like(part.laid);
  }

 private:
  std::vector<WindowPart>& windows_;
  std::unordered_map<uint32_t, size_t> places_;
};

}  // namespace

bool LaidWindow::looks_like(const LaidWindow& other) const {
  return window.window == other.window.window && window.secret == other.window.secret &&
         window.alpha == other.window.alpha && window.dark == other.window.dark &&
         same_cut(*this, other);
}

bool WindowPart::refresh() {
  bool waited = false;
  for (Piece& piece : pieces) waited |= std::exchange(piece.stale, false);
  return waited;
}

bool lay_out_again(TileLayout& layout, const sail::TileView& tile,
                   const std::vector<LaidWindow>& windows) {
  std::vector<sail::StackedWindow> stack;
  stack.reserve(windows.size());
  for (const LaidWindow& laid : windows) {
    stack.push_back({laid.window.wall_rect, laid.window.blended()});
  }

  Before before(layout);
  TileLayout now;
  now.background = {{0, 0, tile.upright.width, tile.upright.height}};
  bool same = true;
  std::vector<Rect> tile_rects;
  for (size_t i = 0; i < windows.size(); ++i) {
    const sail::SceneWindow& window = windows[i].window;
    if (window.look.invisible()) continue;
    const std::span<const Stereo> eyes = sail::eyes_of(window.look);
    tile_rects.clear();
    for (const Rect& wall_rect : sail::visible_part(stack, i, tile.wall_rect)) {
      const Rect tile_rect = tile.tile_pixels(wall_rect);
      if (!tile_rect.empty()) tile_rects.insert(tile_rects.end(), eyes.size(), tile_rect);
    }
    if (tile_rects.empty()) continue;
    WindowPart part{.laid = windows[i], .pieces = {}};
    same &= before.take(tile_rects, now.windows.size(), part);
    for (size_t k = part.pieces.size(); k < tile_rects.size(); ++k) {
      part.pieces.push_back(cut(tile, windows[i], tile_rects[k], eyes[k % eyes.size()]));
    }
    for (Piece& piece : part.pieces) {
      const bool stale = reads_any(piece, part.laid.stale);
      same &= std::exchange(piece.stale, stale) == stale;
    }
    if (!window.blended()) {
      for (const Rect& rect : tile_rects) now.background = sail::subtract(now.background, rect);
    }
    now.windows.push_back(std::move(part));
  }
  same &= now.windows.size() == layout.windows.size();
  layout = std::move(now);
  return !same;
}

Rect read_by(const sail::TileView& tile, const LaidWindow& laid) {
  const sail::SceneWindow& window = laid.window;
  const Rect tile_rect = tile.tile_pixels(sail::intersect(window.wall_rect, tile.wall_rect));
  if (tile_rect.empty() || window.look.invisible()) return {};
  const sail::Size frame = laid.grid.frame_size();
  Rect read;
  for (const Stereo eye : sail::eyes_of(window.look)) {
    const sail::PictureMap map = sail::picture_map(window.wall_rect, window.look, window.frame_size,
                                                   frame, eye, window.part);
    read = sail::united(read, sail::source_rect(tile, tile_rect, map));
  }
  // Widened as in source_range().
  const auto whole = [](int at) { return (at + kTexels - 1) / kTexels * kTexels; };
  return sail::intersect(Rect::from_edges(read.x / kTexels * kTexels, read.y / kTexels * kTexels,
                                          whole(read.right()), whole(read.bottom())),
                         {0, 0, frame.width, frame.height});
}

TileLayout lay_out(const sail::TileView& tile, const std::vector<LaidWindow>& windows) {
  TileLayout layout;
  lay_out_again(layout, tile, windows);
  return layout;
}

void VisibleRegion::prepare(const sail::SceneWindow& window) {
  coming_ = window;
  forget();
}

void VisibleRegion::commit(const sail::SceneWindow& window) {
  shown_ = window;
  coming_.reset();
  forget();
}

sail::Rect VisibleRegion::of(const Frame& frame, const std::vector<sail::TileView>& tiles) {
  auto& known = by_reduction_[static_cast<size_t>(frame.reduction())];
  if (!known) known = bounds(frame, tiles);
  return *known;
}

sail::Rect VisibleRegion::bounds(const Frame& frame,
                                 const std::vector<sail::TileView>& tiles) const {
  const sail::Size block = frame.full_grid().block_size();
  constexpr sail::Size kSmall = sail::kDefaultJ2kBlockSize;
  const bool small = block.width * block.height <= kSmall.width * kSmall.height;
  if (tiles.empty() || small) return frame.all();
  sail::Rect part;
  for (const auto& window : {shown_, coming_}) {
    if (!window) continue;
    const LaidWindow laid{*window, frame.grid()};
    for (const sail::TileView& tile : tiles) part = sail::united(part, read_by(tile, laid));
  }
  return part;
}

}  // namespace receiver
