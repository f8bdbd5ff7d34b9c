#include "sail/apps/show/vips_library.h"

#include <vips/vips.h>

namespace sail {
namespace {

// libvips logs each damaged row. VipsPicture reports the damage once.
void say_nothing(const char*, GLogLevelFlags, const char*, void*) {}

}  // namespace

VipsLibrary::VipsLibrary(int threads) : ready_(vips_init("vitrail-show") == 0) {
  if (!ready_) return;
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, say_nothing, nullptr);
  vips_block_untrusted_set(TRUE);
  vips_concurrency_set(threads);
  // The cache would keep whole pictures. VipsPicture keeps what is worth keeping.
  vips_cache_set_max(0);
}

VipsLibrary::~VipsLibrary() {
  if (ready_) vips_shutdown();
}

}  // namespace sail
