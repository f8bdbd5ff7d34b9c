// A frame of a film, small, that tells what the film is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/media/small_picture.h"
#include "sail/media/source.h"

namespace sail {

// With one thread, so that little is held.
Result<std::unique_ptr<Source>> open_film(const std::string& path);

// A tenth into the film, at most a minute; where that is black, one of two places further on. At
// most as large as the bounds, as wide as it is to look, never enlarged. One thread; blocks while
// it reads. Errors are the film's own, or kBadData: there is no frame.
Result<SmallPicture> film_poster(Source& film, Size bounds);
// Errors begin with the name.
Result<SmallPicture> film_poster(const std::string& path, Size bounds);

// As good as so many bytes have room for: what is noise all over takes the most. kLimit: it takes
// more.
Result<std::vector<uint8_t>> poster_jpeg(const SmallPicture& picture, size_t most_bytes = SIZE_MAX);

}  // namespace sail
