// The display that the GPU paints: it gets the blocks of the windows' frames as they came (DXT) or
// their pixels, and decodes, scales and turns them itself.
#pragma once

#include <memory>

#include "receiver/display.h"
#include "receiver/gl_programs.h"
#include "receiver/gl_screen.h"
#include "sail/base/log.h"

namespace receiver {

// kUnavailable when the driver refuses what it has to do.
sail::Result<std::unique_ptr<Display>> make_gl_display(std::unique_ptr<GlScreen> screen,
                                                       GlDecode decode, const sail::Log& log);

}  // namespace receiver
