// The module vitrail-stills.so; see still_library.h.
#include "sail/media/still/still_library.h"
#include "sail/media/still/still_pixels.h"
#include "sail/media/still/still_source.h"
#include "sail/media/still/vips_library.h"

namespace sail {
namespace {

Result<StillPixels> read(std::span<const uint8_t> picture, const StillWish& wish, int threads) {
  if (!start_vips(threads)) return fail(ErrorCode::kInternal, "cannot start libvips");
  auto pixels = read_still({.name = "the picture", .bytes = picture}, wish);
  take_vips_words();
  return pixels;
}

constexpr StillLibrary kLibrary{
    .build = VITRAIL_STILLS_BUILD, .open = StillSource::open, .read = read};

}  // namespace
}  // namespace sail

extern "C" const sail::StillLibrary* vitrail_still_library() {
  return &sail::kLibrary;
}
