// The tags of a TIFF: whatever the bytes are, there are few pages, and their samples have places.
#include "sail/media/source/tiff_tags.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(tiff_tags) {
  constexpr size_t kMost = 100;
  const auto pages = sail::read_tiff_pages(sail::tiff_bytes({data, size}), kMost);
  fuzz::require(pages.size() <= kMost, "there are at most that many pages");
  for (const sail::TiffPage& page : pages) {
    fuzz::require(page.orientation >= 1 && page.orientation <= 8, "an orientation of EXIF");
    fuzz::require(!page.alpha || *page.alpha >= page.colors, "opacity follows the colours");
  }
  return 0;
}
