// The tags of a TIFF file: the answer must be a sentence of limited length.
#include "sail/media/source/tiff_tags.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(tiff_tags) {
  const std::string fault = sail::tiff_fault({data, size});
  fuzz::require(fault.size() < 300, "a fault is a sentence");
  return 0;
}
