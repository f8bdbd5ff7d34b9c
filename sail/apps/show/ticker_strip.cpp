#include "sail/apps/show/ticker_strip.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "sail/apps/show/pango_context.h"
#include "sail/core/base/c_library.h"

namespace sail {
namespace {

// The text is laid out at this size and then scaled: Pango counts in 1/1024 pixels, and a long text
// of large letters would overflow.
constexpr int kLayoutPixels = 16;
constexpr double kLettersShare = 0.6;  // font size in relation to the strip's height
constexpr int kGapHeights = 2;         // from the end of the text to its beginning
constexpr int64_t kMostStripPixels = int64_t{16} << 20;
constexpr int kMostPeriod = 1 << 20;
constexpr int kCairoWidth = 16384;  // Cairo's pictures have at most 32767 pixels a side

using HeldLayout = std::unique_ptr<PangoLayout, FreedBy<g_object_unref>>;

// A text at its scale.
struct ScaledLine {
  HeldLayout layout;
  double scale = 1;
  int width = 0;  // pixels
  double height = 0;
};

ScaledLine scaled_line(PangoContext* pango, const std::string& text, int height) {
  ScaledLine line{HeldLayout(pango_layout_new(pango))};
  PangoFontDescription* font = pango_font_description_from_string("Sans");
  pango_font_description_set_absolute_size(font, double{kLayoutPixels} * PANGO_SCALE);
  pango_layout_set_font_description(line.layout.get(), font);
  pango_font_description_free(font);
  pango_layout_set_single_paragraph_mode(line.layout.get(), TRUE);
  pango_layout_set_text(line.layout.get(), text.data(), static_cast<int>(text.size()));
  PangoRectangle logical{};
  pango_layout_get_extents(line.layout.get(), nullptr, &logical);
  const double layout_height = std::max(1.0, logical.height / double{PANGO_SCALE});
  // Some scripts have high lines.
  line.scale = std::min(kLettersShare * height / kLayoutPixels, height / layout_height);
  line.width = static_cast<int>(std::ceil(logical.width / double{PANGO_SCALE} * line.scale));
  line.height = layout_height * line.scale;
  return line;
}

// Cuts the text to this number of bytes, or fewer if a character would be cut.
void cut_text(std::string& text, size_t bytes) {
  const auto continues = [&] { return (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80; };
  while (bytes > 0 && continues()) --bytes;
  text.resize(bytes);
}

double colour_part(uint32_t colour, unsigned shift) {
  return (colour >> shift & 0xffU) / 255.0;
}

void set_colour(cairo_t* cairo, uint32_t colour) {
  cairo_set_source_rgb(cairo, colour_part(colour, 16), colour_part(colour, 8),
                       colour_part(colour, 0));
}

// Draws the columns from `left` on, as many as Cairo can.
cairo_status_t draw_columns(Raster& picture, int left, const ScaledLine& line,
                            const TickerColours& colours) {
  const Size size = picture.size;
  const std::unique_ptr<cairo_surface_t, FreedBy<cairo_surface_destroy>> surface(
      cairo_image_surface_create_for_data(picture.at(left, 0), CAIRO_FORMAT_RGB24,
                                          std::min(kCairoWidth, size.width - left), size.height,
                                          size.width * 4));
  const std::unique_ptr<cairo_t, FreedBy<cairo_destroy>> cairo(cairo_create(surface.get()));
  set_colour(cairo.get(), colours.paper);
  cairo_paint(cairo.get());
  set_colour(cairo.get(), colours.ink);
  // Half of the gap before the text has room for letters that extend beyond it.
  const int x = (size.width - line.width) / 2 - left;
  cairo_translate(cairo.get(), x, (size.height - line.height) / 2);
  cairo_scale(cairo.get(), line.scale, line.scale);
  pango_cairo_update_layout(cairo.get(), line.layout.get());
  pango_cairo_show_layout(cairo.get(), line.layout.get());
  cairo_surface_flush(surface.get());
  return cairo_status(cairo.get());
}

}  // namespace

Result<TickerStrip> TickerStrip::draw(const std::string& text, int height,
                                      const TickerColours& colours) {
  const auto pango = context_for_any_size();
  const int gap = kGapHeights * height;
  const int most =
      static_cast<int>(std::min<int64_t>(kMostPeriod, kMostStripPixels / height)) - gap;
  std::string shown = text;
  ScaledLine line = scaled_line(pango.get(), shown, height);
  size_t kept = text.size();
  while (line.width > most && kept > 0) {
    kept = std::min(kept - 1,
                    static_cast<size_t>(0.98 * static_cast<double>(kept) * most / line.width));
    shown = text;
    cut_text(shown, kept);
    kept = shown.size();
    shown += "\u2026";
    line = scaled_line(pango.get(), shown, height);
  }
  PangoLayoutLine* const first = pango_layout_get_line_readonly(line.layout.get(), 0);
  const bool to_right = pango_layout_line_get_resolved_direction(first) == PANGO_DIRECTION_RTL;
  Raster picture({line.width + gap, height});
  for (int left = 0; left < picture.size.width; left += kCairoWidth) {
    const cairo_status_t status = draw_columns(picture, left, line, colours);
    if (status != CAIRO_STATUS_SUCCESS) {
      return fail(ErrorCode::kInternal, cairo_status_to_string(status));
    }
  }
  for (size_t i = 3; i < picture.bgra.size(); i += 4) picture.bgra[i] = 255;
  return TickerStrip(std::move(picture), to_right, kept < text.size());
}

void TickerStrip::copy(int64_t moved, Raster& frame) const {
  const int64_t first = right_to_left_ ? -moved - frame.size.width : moved;
  const int start = static_cast<int>((first % period() + period()) % period());
  for (int y = 0; y < std::min(height(), frame.size.height); ++y) {
    int from = start;
    for (int x = 0; x < frame.size.width;) {
      const int count = std::min(frame.size.width - x, period() - from);
      std::memcpy(frame.at(x, y), picture_.at(from, y), static_cast<size_t>(count) * 4);
      x += count;
      from = 0;
    }
  }
}

}  // namespace sail
