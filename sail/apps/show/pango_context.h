// Text that has the same layout at every scale.
#pragma once

#include <pango/pangocairo.h>

#include <memory>

#include "sail/core/base/c_library.h"

namespace sail {

// Disables hinting.
inline std::unique_ptr<PangoContext, FreedBy<g_object_unref>> context_for_any_size() {
  std::unique_ptr<PangoContext, FreedBy<g_object_unref>> pango(
      pango_font_map_create_context(pango_cairo_font_map_get_default()));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(pango.get(), options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(pango.get(), FALSE);
  return pango;
}

}  // namespace sail
