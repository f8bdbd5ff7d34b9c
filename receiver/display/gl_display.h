// The GPU-painted display: uploads the blocks of the frames as compressed DXT or as pixels, and
// decodes, scales and rotates them on the GPU.
#pragma once

#include <memory>

#include "receiver/display/display.h"
#include "receiver/display/gl_programs.h"
#include "receiver/display/gl_screen.h"
#include "sail/core/base/log.h"

namespace receiver {

// Returns kUnavailable if the driver cannot compile the shaders.
sail::Result<std::unique_ptr<Display>> make_gl_display(std::unique_ptr<GlScreen> screen,
                                                       GlDecode decode, const sail::Log& log);

}  // namespace receiver
