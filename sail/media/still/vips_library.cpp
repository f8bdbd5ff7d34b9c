#include "sail/media/still/vips_library.h"

#include "sail/media/still/vips_image.h"

namespace sail {
namespace {

// libvips logs each damaged row. Readers of pictures report the damage once.
void say_nothing(const char*, GLogLevelFlags, const char*, void*) {}

bool start(int threads) {
  if (vips_init("vitrail") != 0) return false;
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, say_nothing, nullptr);
  vips_block_untrusted_set(TRUE);
  // librsvg is written in a safe language and has limits. From memory it opens no other files.
  vips_operation_block_set("VipsForeignLoadSvgBuffer", FALSE);
  // Nothing else reads whole slides. OpenSlide reads files, and players read from memory: players
  // only ask OpenSlide whether a file is a slide. Posters are made in a sandbox.
  vips_operation_block_set("VipsForeignLoadOpenslideFile", FALSE);
  vips_concurrency_set(threads);
  // The cache would keep whole pictures. Readers of pictures keep the parts that they need again.
  vips_cache_set_max(0);
  return true;
}

}  // namespace

bool start_vips(int threads) {
  static const bool started = start(threads);
  return started;
}

}  // namespace sail
