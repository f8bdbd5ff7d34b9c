// The OpenGL display that the tests of it share: to start one takes longer than most of them.
//
// What renders is chosen by SDL's and Mesa's environment. VITRAIL_TEST_GL_DECODE, "s3tc" or
// "shader", says who decodes.
#pragma once

#include <string>

#include "receiver/display/display.h"
#include "receiver/display/gl_programs.h"

namespace receiver {

struct GlTestDisplay {
  std::unique_ptr<Display> display;
  std::string renderer;
  GlDecode decode;

  // By how much a level of it may differ from what codecs::dxt_decode makes of the same bytes:
  // Mesa's llvmpipe divides by three and by two approximately when it decodes S3TC
  // (lp_bld_format_s3tc.c), its softpipe exactly.
  int tolerance() const;
};

GlTestDisplay& gl_test_display();

}  // namespace receiver
