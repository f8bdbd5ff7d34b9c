#include "sail/media/film/film_cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/media/source/picture_encoder.h"

namespace sail {
namespace {

// Gives every picture of a clip to each of several readers. A picture is freed when all readers
// have got it. The readers are stepped in turn, so they are never further apart than one step.
class SharedClip {
 public:
  SharedClip(ClipSource clip, size_t readers) : clip_(std::move(clip)), readers_(readers) {}

  const ClipSource& clip() const { return clip_; }
  ClipSource& clip() { return clip_; }
  // Null at the end.
  Result<std::shared_ptr<const Picture>> at(uint64_t number) {
    if (number == first_ + pictures_.size()) {
      auto picture = clip_.next();
      if (!picture) return std::move(picture.error());
      if (!*picture) return std::shared_ptr<const Picture>();
      pictures_.push_back({std::make_shared<const Picture>(*std::move(*picture)), readers_});
    }
    Held& held = pictures_[number - first_];
    auto picture = held.picture;
    --held.wanted;
    for (; !pictures_.empty() && pictures_.front().wanted == 0; ++first_) pictures_.pop_front();
    return picture;
  }

 private:
  struct Held {
    std::shared_ptr<const Picture> picture;
    size_t wanted;  // readers that have not got it yet
  };

  ClipSource clip_;
  const size_t readers_;
  std::deque<Held> pictures_;
  uint64_t first_ = 0;
};

void release_whole(void* whole) {
  delete static_cast<std::shared_ptr<const Picture>*>(whole);
}

struct Step {
  int columns = 1;  // picture columns per sample of the plane
  int rows = 1;
  int bytes = 1;  // per sample, or per group of interleaved samples
};

Step step_of(const sail_frame& pixels, int plane) {
  const auto format = static_cast<codecs::PixelFormat>(pixels.format);
  const int sample = codecs::is_deep(format) ? 2 : 1;
  switch (pixels.format) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      return {.bytes = 4};
    case SAIL_RGB:
    case SAIL_RGB_DEEP:
      return {.bytes = 3 * sample};
    default:
      break;
  }
  const bool full = pixels.format == SAIL_I444 || pixels.format == SAIL_I444_DEEP;
  if (plane == 0 || full) return {.bytes = sample};
  return {.columns = 2,
          .rows = codecs::chroma_rows_step(format),
          .bytes = codecs::has_interleaved_chroma(format) ? 2 : sample};
}

// The part of a clip that one tile shows.
class CutSource : public Source {
 public:
  CutSource(std::shared_ptr<SharedClip> shared, const Rect& rect)
      : shared_(std::move(shared)), rect_(rect) {
    info_.duration_ns = shared_->clip().duration_ns();
    info_.rate = shared_->clip().rate();
  }

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override {
    auto whole = shared_->at(next_);
    if (!whole) return std::move(whole.error());
    if (!*whole) return std::nullopt;
    ++next_;
    return cut(*std::move(whole));
  }
  Result<void> seek(int64_t /*position_ns*/) override {
    return fail(ErrorCode::kUnavailable, "cannot seek in a film that is being cut into tiles");
  }
  std::optional<std::string> take_complaint() override { return shared_->clip().take_complaint(); }
  uint64_t take_left_out() override { return shared_->clip().take_left_out(); }

 private:
  Result<std::optional<Picture>> cut(std::shared_ptr<const Picture> whole) const {
    Picture picture;
    picture.pixels = whole->pixels;
    picture.size = picture.display_size = {rect_.width, rect_.height};
    picture.pts_ns = whole->pts_ns;
    picture.duration_ns = whole->duration_ns;
    if (!move_to(picture.pixels, rect_.x, rect_.y)) {
      picture.pixels.release = nullptr;
      return fail(
          ErrorCode::kBadData,
          fmt::format(
              "the tile at {},{} starts inside a chroma sample of the film: choose a DXT codec",
              rect_.x, rect_.y));
    }
    picture.pixels.release = &release_whole;
    picture.pixels.opaque = new std::shared_ptr<const Picture>(std::move(whole));
    return std::optional<Picture>(std::move(picture));
  }

  // False if the position is within a chroma sample.
  static bool move_to(sail_frame& pixels, int x, int y) {
    for (int plane = 0; plane < 3; ++plane) {
      if (!pixels.planes[plane]) continue;
      const Step step = step_of(pixels, plane);
      if (x % step.columns != 0 || y % step.rows != 0) return false;
      pixels.planes[plane] += (y / step.rows) * pixels.strides[plane] +
                              static_cast<ptrdiff_t>(x / step.columns) * step.bytes;
    }
    return true;
  }

  const std::shared_ptr<SharedClip> shared_;
  const Rect rect_;
  SourceInfo info_;
  uint64_t next_ = 0;
};

// Subsampled chroma is shared by two pixels, so a tile at an odd position requires RGB.
bool begins_odd(const Wall& wall) {
  return std::ranges::any_of(wall.tiles, [](const Tile& tile) {
    return tile.wall_rect.x % 2 != 0 || tile.wall_rect.y % 2 != 0;
  });
}

// The rate is for the whole film: a tile gets its share by area.
CodecRate rate_of(CodecRate rate, const Tile& tile, const Wall& wall) {
  if (rate.unit != CodecRate::Unit::kMbitPerS) return rate;
  const double pixels = static_cast<double>(wall.size.width) * wall.size.height;
  rate.value *= static_cast<double>(tile.wall_rect.width) * tile.wall_rect.height / pixels;
  return rate;
}

}  // namespace

std::string panel_name(const std::string& output, const std::string& tile) {
  constexpr std::string_view kEnd = ".vmov";
  const bool usual = output.ends_with(kEnd);
  const std::string name = usual ? output.substr(0, output.size() - kEnd.size()) : output;
  return fmt::format("{}-{}{}", name, tile, usual ? kEnd : "");
}

Result<std::vector<std::unique_ptr<FilmConverter>>> open_panels(const ConvertOptions& options,
                                                                const Wall& wall) {
  if (wall.size.width > kMaxFrameSide || wall.size.height > kMaxFrameSide) {
    return fail(ErrorCode::kLimit,
                fmt::format("the wall has {}x{} pixels: a film can have at most {} per side",
                            wall.size.width, wall.size.height, kMaxFrameSide));
  }
  for (const Tile& tile : wall.tiles) {
    if (tile.name.find('/') == std::string::npos) continue;
    return fail(
        ErrorCode::kInvalidParams,
        fmt::format(
            "the name of tile '{}' contains '/' and cannot be used in a file name: rename the tile",
            tile.name));
  }
  ConvertOptions whole = options;
  whole.size = wall.size;
  auto clip = FilmConverter::open_clip(whole, begins_odd(wall));
  if (!clip) return std::move(clip.error());
  const auto shared = std::make_shared<SharedClip>(std::move(*clip), wall.tiles.size());
  const auto pool = FilmConverter::make_pool(options);
  std::vector<std::unique_ptr<FilmConverter>> panels;
  for (const Tile& tile : wall.tiles) {
    ConvertOptions panel = options;
    panel.output = panel_name(options.output, tile.name);
    panel.range = {};
    panel.codec.rate = rate_of(options.codec.rate, tile, wall);
    auto converter =
        FilmConverter::open(panel, {.source = std::make_unique<CutSource>(shared, tile.wall_rect),
                                    .whole_size = wall.size,
                                    .pool = pool});
    if (!converter) return std::move(converter.error());
    panels.push_back(std::move(*converter));
  }
  return panels;
}

}  // namespace sail
