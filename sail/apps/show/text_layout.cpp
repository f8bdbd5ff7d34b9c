#include <fmt/core.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sail/apps/show/pango_context.h"
#include "sail/apps/show/still_file.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/content.h"

namespace sail {

struct PangoFree {
  void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(GTimeZone* zone) const { g_time_zone_unref(zone); }
  void operator()(GDateTime* time) const { g_date_time_unref(time); }
  void operator()(char* text) const { g_free(text); }
};

namespace {

constexpr int kMargin = 48;       // page pixels
constexpr int kNoteWidth = 1600;  // longer lines are wrapped
constexpr int kNoteHeight = 1000;
constexpr int kFontSizes[] = {96, 72, 56, 44, 34, 26, 20};  // the largest that fits is used
constexpr int kTimeSize = 192;
constexpr int kDateSize = 48;
constexpr const char* kWidestTime = "00:00:00";

struct Paint {
  double red;
  double green;
  double blue;
};
constexpr Paint kPaper{0.07, 0.08, 0.10};
constexpr Paint kInk{0.95, 0.95, 0.92};

template <typename Kind>
using Held = std::unique_ptr<Kind, PangoFree>;

std::string with_line_ends(std::string_view text) {
  std::string lines;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool line_end = text.substr(i, 2) == "\\n";
    lines += line_end ? '\n' : text[i];
    i += line_end ? 1 : 0;
  }
  return lines;
}

Size size_of(PangoLayout* layout) {
  Size size;
  pango_layout_get_pixel_size(layout, &size.width, &size.height);
  return size;
}

// A block of centred text lines.
struct Block {
  Held<PangoLayout> layout;
  Size room;  // page pixels; of changing text: maximum size
};

std::string time_text(GTimeZone* zone, const char* format) {
  const Held<GDateTime> now(g_date_time_new_now(zone));
  const Held<char> text(g_date_time_format(now.get(), format));
  return text ? text.get() : "";
}

// Returns null if the zone does not exist. Accepts only files below the zone database's folder.
Held<GTimeZone> zone_called(const std::string& name) {
  if (name.empty()) return Held<GTimeZone>(g_time_zone_new_local());
  const bool is_name = name.front() != '/' && std::ranges::all_of(name, [](char letter) {
                         return g_ascii_isalnum(letter) ||
                                std::string_view("/_+-").find(letter) != std::string_view::npos;
                       });
  return Held<GTimeZone>(is_name ? g_time_zone_new_identifier(name.c_str()) : nullptr);
}

}  // namespace

struct TextLayout::Impl {
  const std::unique_ptr<PangoContext, FreedBy<g_object_unref>> pango = context_for_any_size();
  std::string note;
  std::string zone_name;
  Held<GTimeZone> zone;  // null: a note

  Held<PangoLayout> layout(const std::string& text, int font_pixels) const {
    Held<PangoLayout> made(pango_layout_new(pango.get()));
    PangoFontDescription* font = pango_font_description_from_string("Sans");
    pango_font_description_set_absolute_size(font, static_cast<double>(font_pixels) * PANGO_SCALE);
    pango_layout_set_font_description(made.get(), font);
    pango_font_description_free(font);
    pango_layout_set_alignment(made.get(), PANGO_ALIGN_CENTER);
    pango_layout_set_text(made.get(), text.c_str(), static_cast<int>(text.size()));
    return made;
  }

  std::vector<Block> note_blocks() const {
    Block block;
    for (const int font_pixels : kFontSizes) {
      block.layout = layout(note, font_pixels);
      pango_layout_set_wrap(block.layout.get(), PANGO_WRAP_WORD_CHAR);
      if (size_of(block.layout.get()).width > kNoteWidth) {
        pango_layout_set_width(block.layout.get(), kNoteWidth * PANGO_SCALE);
      }
      block.room = size_of(block.layout.get());
      if (block.room.height <= kNoteHeight) break;
    }
    std::vector<Block> blocks;
    blocks.push_back(std::move(block));
    return blocks;
  }

  std::vector<Block> clock_blocks() const {
    std::vector<Block> blocks;
    const auto add = [&](const std::string& text, const std::string& widest, int font_pixels) {
      blocks.push_back({layout(text, font_pixels), size_of(layout(widest, font_pixels).get())});
    };
    add(time_text(zone.get(), "%H:%M:%S"), kWidestTime, kTimeSize);
    const std::string date = time_text(zone.get(), "%Y-%m-%d  %Z");
    add(date, date, kDateSize);
    const bool said = zone_name.empty() || date.ends_with("  " + zone_name);  // true for UTC
    if (!said) add(zone_name, zone_name, kDateSize);
    return blocks;
  }

  std::vector<Block> blocks() const { return zone ? clock_blocks() : note_blocks(); }
};

Result<std::unique_ptr<TextLayout>> TextLayout::open(std::string_view medium) {
  auto impl = std::make_unique<Impl>();
  const std::string_view said = medium.substr(medium.find(':') + 1);
  if (medium.starts_with(kNoteScheme)) {
    impl->note = with_line_ends(said);
    if (said.empty()) return fail(ErrorCode::kInvalidParams, "a note needs a text: note:TEXT");
  } else {
    impl->zone_name = said;
    impl->zone = zone_called(impl->zone_name);
    if (!impl->zone) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("unknown time zone '{}': use a name such as Europe/Paris or UTC",
                              impl->zone_name));
    }
  }
  return std::unique_ptr<TextLayout>(new TextLayout(std::move(impl)));
}

TextLayout::TextLayout(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TextLayout::~TextLayout() = default;

Result<PageInfo> TextLayout::turn_to(int /*page*/) {
  Size size;
  for (const Block& block : impl_->blocks()) {
    size.width = std::max(size.width, block.room.width);
    size.height += block.room.height;
  }
  return PageInfo{.size = {size.width + 2 * kMargin, size.height + 2 * kMargin},
                  .usual_scale = 1,
                  .max_scale = kMostEnlarged,
                  .notice = {},
                  .changes_every_ns = impl_->zone ? kSecondNs : 0};
}

// Fills the whole frame with the background, so that any window shape looks complete.
Result<Raster> TextLayout::draw(const PageView& view) {
  const auto page = turn_to(0);
  Raster raster(view.frame);
  const Held<cairo_surface_t> surface(
      cairo_image_surface_create_for_data(raster.bgra.data(), CAIRO_FORMAT_RGB24, view.frame.width,
                                          view.frame.height, view.frame.width * 4));
  const Held<cairo_t> cairo(cairo_create(surface.get()));
  cairo_set_source_rgb(cairo.get(), kPaper.red, kPaper.green, kPaper.blue);
  cairo_paint(cairo.get());
  cairo_scale(cairo.get(), view.scale, view.scale);
  cairo_translate(cairo.get(), -view.left, -view.top);
  cairo_set_source_rgb(cairo.get(), kInk.red, kInk.green, kInk.blue);
  double top = kMargin;
  for (const Block& block : impl_->blocks()) {
    pango_cairo_update_layout(cairo.get(), block.layout.get());
    cairo_move_to(cairo.get(), (page->size.width - block.room.width) / 2.0, top);
    pango_cairo_show_layout(cairo.get(), block.layout.get());
    top += block.room.height;
  }
  cairo_surface_flush(surface.get());
  if (cairo_status(cairo.get()) != CAIRO_STATUS_SUCCESS) {
    return fail(ErrorCode::kInternal, cairo_status_to_string(cairo_status(cairo.get())));
  }
  for (size_t i = 3; i < raster.bgra.size(); i += 4) raster.bgra[i] = 255;
  return raster;
}

std::string title_of_writing(std::string_view medium) {
  const std::string_view said = medium.substr(medium.find(':') + 1);
  if (medium.starts_with(kNoteScheme)) return std::string(said.substr(0, said.find("\\n")));
  return said.empty() && medium.starts_with(kClockScheme) ? "Clock" : std::string(said);
}

}  // namespace sail
