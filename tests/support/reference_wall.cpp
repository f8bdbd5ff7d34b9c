#include "tests/support/reference_wall.h"

#include <algorithm>
#include <cmath>

namespace reference {
namespace {

using sail::Rect;
using sail::Size;
using sail::Tile;
using sail::Wall;

// An exact position along an axis of the wall; the denominator is positive. 128 bits cannot
// overflow here.
struct Fraction {
  __int128 numerator;
  __int128 denominator;
};

bool is_inside(const Fraction& place, int at, int extent) {
  return place.numerator >= place.denominator * at &&
         place.numerator < place.denominator * (at + extent);
}

// Centre of the pixel in wall coordinates.
Fraction centre(int tile_at, int tile_extent, int tile_pixels, int pixel) {
  // tile_at + (pixel + 1/2) · tile_extent / tile_pixels
  const __int128 denominator = __int128{2} * tile_pixels;
  return {tile_at * denominator + (__int128{2} * pixel + 1) * tile_extent, denominator};
}

// ⌊256 · ((place − window_at) · frame_extent / window_extent − 1/2)⌋ within the frame.
int sample_256(const Fraction& place, int window_at, int window_extent, int frame_extent) {
  // Over the common denominator: (2 · (place − window_at) · frame − window) / (2 · window).
  const __int128 numerator =
      256 * (2 * (place.numerator - place.denominator * window_at) * frame_extent -
             place.denominator * window_extent);
  const __int128 denominator = place.denominator * 2 * window_extent;
  if (numerator < 0) return 0;
  const __int128 last = __int128{256} * (frame_extent - 1);
  return static_cast<int>(std::min(numerator / denominator, last));
}

int mix(int first, int second, int weight_of_second) {
  return (first * (256 - weight_of_second) + second * weight_of_second + 128) >> 8;
}

// a · b / 255, rounded to nearest.
int times(int a, int b) {
  return (2 * a * b + 255) / 510;
}

int source_value(const Window& window, int x, int y, int channel) {
  const uint8_t* pixel = window.frame.at(x, y);
  return window.alpha && channel < 3 ? times(pixel[channel], pixel[3]) : pixel[channel];
}

void paint(const Window& window, const Sample& sample, uint8_t* pixel) {
  int sampled[4];
  for (int channel = 0; channel < 4; ++channel) {
    int rows[2];
    for (int i = 0; i < 2; ++i) {
      rows[i] = mix(source_value(window, sample.x[0], sample.y[i], channel),
                    source_value(window, sample.x[1], sample.y[i], channel), sample.x_weight);
    }
    sampled[channel] = mix(rows[0], rows[1], sample.y_weight);
  }
  for (int channel = 0; channel < 3; ++channel) {
    const int beneath = window.alpha ? times(pixel[channel], 255 - sampled[3]) : 0;
    pixel[channel] = static_cast<uint8_t>(std::min(255, sampled[channel] + beneath));
  }
  pixel[3] = 255;
}

struct Point {
  int x;
  int y;
};

// Position of an upright pixel on the panel.
Point physical_pixel(const Tile& tile, int x, int y) {
  const Size panel = tile.resolution;
  switch (tile.rotation) {
    case 90:  // the picture's left column is the panel's top row, its top row the panel's right
              // column
      return {panel.width - 1 - y, x};
    case 180:
      return {panel.width - 1 - x, panel.height - 1 - y};
    case 270:  // the picture's left column is the panel's bottom row, its top row the panel's left
               // column
      return {y, panel.height - 1 - x};
    default:
      return {x, y};
  }
}

void copy_pixel(const uint8_t* from, uint8_t* to) {
  std::copy(from, from + 4, to);
}

Picture part_of(const Picture& whole, const Rect& rect) {
  Picture part = black_picture(rect.width, rect.height);
  for (int y = 0; y < rect.height; ++y) {
    std::copy_n(whole.at(rect.x, rect.y + y), rect.width * 4, part.at(0, y));
  }
  return part;
}

// Turns a quarter clockwise: the left column becomes the top row.
Picture quarter_turned(const Picture& picture) {
  Picture turned = black_picture(picture.height, picture.width);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::copy_n(picture.at(x, y), 4, turned.at(picture.height - 1 - y, x));
    }
  }
  return turned;
}

Picture mirrored(const Picture& picture) {
  Picture mirrored = picture;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::copy_n(picture.at(x, y), 4, mirrored.at(picture.width - 1 - x, y));
    }
  }
  return mirrored;
}

}  // namespace

Picture black_picture(int width, int height) {
  Picture picture{width, height, {}};
  picture.pixels.resize(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
  for (size_t i = 3; i < picture.pixels.size(); i += 4) picture.pixels[i] = 255;
  return picture;
}

std::optional<Sample> sample_of(const Tile& tile, int x, int y,
                                std::span<const Placement> windows) {
  const Size upright = tile.upright();
  const Fraction wall_x = centre(tile.wall_rect.x, tile.wall_rect.width, upright.width, x);
  const Fraction wall_y = centre(tile.wall_rect.y, tile.wall_rect.height, upright.height, y);
  for (size_t i = windows.size(); i-- > 0;) {
    const Rect& place = windows[i].wall_rect;
    const Size frame = windows[i].frame_size;
    if (!is_inside(wall_x, place.x, place.width)) continue;
    if (!is_inside(wall_y, place.y, place.height)) continue;
    const int source_x = sample_256(wall_x, place.x, place.width, frame.width);
    const int source_y = sample_256(wall_y, place.y, place.height, frame.height);
    Sample sample;
    sample.window = i;
    sample.x_weight = source_x % 256;
    sample.y_weight = source_y % 256;
    sample.x[0] = source_x / 256;
    sample.y[0] = source_y / 256;
    sample.x[1] = sample.x_weight > 0 ? sample.x[0] + 1 : sample.x[0];
    sample.y[1] = sample.y_weight > 0 ? sample.y[0] + 1 : sample.y[0];
    return sample;
  }
  return std::nullopt;
}

Picture seen(Picture picture, const sail::ViewTransform& look) {
  if (look.stereo != sail::Stereo::kOff) {
    const bool beside = look.halves == sail::Halves::kSideBySide;
    const int width = beside ? picture.width / 2 : picture.width;
    const int height = beside ? picture.height : picture.height / 2;
    const Picture left = part_of(picture, {0, 0, width, height});
    const Picture right =
        part_of(picture, {picture.width - width, picture.height - height, width, height});
    picture = look.stereo == sail::Stereo::kRight ? right : left;
    if (look.stereo == sail::Stereo::kAnaglyph) {
      for (size_t i = 0; i < picture.pixels.size(); ++i) {
        if (i % 4 < 2) picture.pixels[i] = right.pixels[i];
      }
    }
  }
  if (!look.crop.empty()) picture = part_of(picture, look.crop);
  for (int turns = look.rotate / 90; turns > 0; --turns) picture = quarter_turned(picture);
  if (look.flip) picture = mirrored(picture);
  if (look.opacity == 1) return picture;
  for (size_t i = 3; i < picture.pixels.size(); i += 4) {
    picture.pixels[i] =
        static_cast<uint8_t>(std::lround(picture.pixels[i] * look.opacity_255() / 255.0));
  }
  return picture;
}

Picture show_on_tile(const Tile& tile, std::span<const Window> windows) {
  std::vector<Placement> placements;
  for (const Window& window : windows) {
    placements.push_back({window.wall_rect, {window.frame.width, window.frame.height}});
  }
  Picture physical = black_picture(tile.resolution.width, tile.resolution.height);
  for (int y = 0; y < tile.upright().height; ++y) {
    for (int x = 0; x < tile.upright().width; ++x) {
      const Point target = physical_pixel(tile, x, y);
      for (size_t i = 0; i < windows.size(); ++i) {
        const auto sample = sample_of(tile, x, y, std::span(placements).subspan(i, 1));
        if (sample) paint(windows[i], *sample, physical.at(target.x, target.y));
      }
    }
  }
  return physical;
}

std::vector<Picture> show_on_wall(const Wall& wall, std::span<const Window> windows) {
  std::vector<Picture> tiles;
  for (const Tile& tile : wall.tiles) tiles.push_back(show_on_tile(tile, windows));
  return tiles;
}

Picture upright_picture(const Tile& tile, const Picture& physical) {
  Picture upright = black_picture(tile.upright().width, tile.upright().height);
  for (int y = 0; y < upright.height; ++y) {
    for (int x = 0; x < upright.width; ++x) {
      const Point source = physical_pixel(tile, x, y);
      copy_pixel(physical.at(source.x, source.y), upright.at(x, y));
    }
  }
  return upright;
}

Picture wall_picture(const Wall& wall, std::span<const Picture> tiles) {
  Picture whole = black_picture(wall.size.width, wall.size.height);
  for (size_t i = 0; i < wall.tiles.size(); ++i) {
    const Rect& place = wall.tiles[i].wall_rect;
    const Picture upright = upright_picture(wall.tiles[i], tiles[i]);
    for (int y = 0; y < place.height; ++y) {
      const auto tile_y = (int64_t{2} * y + 1) * upright.height / (int64_t{2} * place.height);
      for (int x = 0; x < place.width; ++x) {
        const auto tile_x = (int64_t{2} * x + 1) * upright.width / (int64_t{2} * place.width);
        copy_pixel(upright.at(static_cast<int>(tile_x), static_cast<int>(tile_y)),
                   whole.at(place.x + x, place.y + y));
      }
    }
  }
  return whole;
}

}  // namespace reference
