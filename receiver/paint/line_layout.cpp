#include "receiver/paint/line_layout.h"

#include <pango/pangocairo.h>

#include <algorithm>
#include <cmath>

#include "sail/core/base/glyphs.h"

namespace receiver {

struct PangoFree {
  void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  void operator()(PangoContext* context) const { g_object_unref(context); }
  void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};

namespace {

// In units; the area is 7 high. Capitals are 6 high; descenders extend slightly below the area.
constexpr double kFontSize = 8.5;
constexpr double kBaseline = 6.5;

template <typename Kind>
using Held = std::unique_ptr<Kind, PangoFree>;

int width_of(PangoLayout* layout) {
  PangoRectangle ink{};
  PangoRectangle logical{};
  pango_layout_get_pixel_extents(layout, &ink, &logical);
  return std::max(logical.width, ink.x + ink.width) + 1;  // letters are positioned at subpixels
}

double part(uint32_t colour, int shift) {
  return (colour >> shift & 0xff) / 255.0;
}

}  // namespace

struct LineLayout::Impl {
  Held<PangoLayout> layout;
  double baseline = 0;  // from the top of the area
  int width = 0;
};

LineLayout::LineLayout(std::string_view text, double unit) : impl_(std::make_unique<Impl>()) {
  const Held<PangoContext> context(
      pango_font_map_create_context(pango_cairo_font_map_get_default()));
  impl_->layout.reset(pango_layout_new(context.get()));
  PangoLayout* layout = impl_->layout.get();
  pango_layout_set_single_paragraph_mode(layout, TRUE);
  pango_layout_set_text(layout, text.data(), static_cast<int>(text.size()));
  const Held<PangoFontDescription> font(pango_font_description_from_string("Sans Bold"));
  const auto set_size = [&](double pixels) {
    pango_font_description_set_absolute_size(font.get(), pixels * PANGO_SCALE);
    pango_layout_set_font_description(layout, font.get());
    impl_->width = width_of(layout);
  };
  const int room = static_cast<int>(std::ceil(sail::text_size(text, 1).width * unit));
  double size = kFontSize * unit;
  set_size(size);
  // Boxes for letters that no font has keep their size, so draw() cuts such text off.
  const bool shrinks = pango_layout_get_unknown_glyphs_count(layout) == 0;
  // The width of hinted text is not exactly proportional to the font size.
  for (int tries = 0; shrinks && impl_->width > room && tries < 3; ++tries) {
    size *= 0.99 * room / impl_->width;
    set_size(size);
  }
  impl_->width = std::min(impl_->width, room);
  impl_->baseline = kBaseline * unit;
}

LineLayout::~LineLayout() = default;
LineLayout::LineLayout(LineLayout&& from) noexcept = default;

int LineLayout::width() const {
  return impl_->width;
}

void LineLayout::draw(const Canvas& canvas, int x, int y, uint32_t colour) const {
  const Held<cairo_surface_t> surface(cairo_image_surface_create_for_data(
      canvas.target.pixels, CAIRO_FORMAT_ARGB32, canvas.size.width, canvas.size.height,
      static_cast<int>(canvas.target.stride)));
  const Held<cairo_t> cairo(cairo_create(surface.get()));
  // Clip to the area: glyphs missing in all fonts are drawn as boxes of arbitrary size.
  cairo_rectangle(cairo.get(), x, 0, impl_->width, canvas.size.height);
  cairo_clip(cairo.get());
  cairo_set_source_rgb(cairo.get(), part(colour, 16), part(colour, 8), part(colour, 0));
  const double above = static_cast<double>(pango_layout_get_baseline(impl_->layout.get())) /
                       static_cast<double>(PANGO_SCALE);
  cairo_move_to(cairo.get(), x, y + impl_->baseline - above);
  pango_cairo_update_layout(cairo.get(), impl_->layout.get());
  pango_cairo_show_layout(cairo.get(), impl_->layout.get());
  cairo_surface_flush(surface.get());
}

void LineLayout::load_fonts() {
  const LineLayout any("Vitrail", 1);
}

}  // namespace receiver
