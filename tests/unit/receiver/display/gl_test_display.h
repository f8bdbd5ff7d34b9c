// The OpenGL display shared by its tests, because starting one takes longer than most of them.
//
// SDL's and Mesa's environment selects the renderer. VITRAIL_TEST_GL_DECODE, "s3tc" or "shader",
// selects the decoder.
#pragma once

#include <string>

#include "receiver/display/display.h"
#include "receiver/display/gl_programs.h"

namespace receiver {

struct GlTestDisplay {
  std::unique_ptr<Display> display;
  std::string renderer;
  GlDecode decode;

  // Maximum difference in levels from codecs::dxt_decode for the same bytes: Mesa's llvmpipe
  // approximates the division by three and by two in its S3TC decoder (lp_bld_format_s3tc.c), its
  // softpipe is exact.
  int tolerance() const;
};

GlTestDisplay& gl_test_display();

}  // namespace receiver
