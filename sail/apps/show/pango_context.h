// Text that has the same layout at every scale.
#pragma once

#include <pango/pangocairo.h>

#include <memory>

#include "sail/core/base/c_library.h"

namespace sail {

// Disables hinting.
std::unique_ptr<PangoContext, FreedBy<g_object_unref>> context_for_any_size();

}  // namespace sail
