// A frame of a film, small, that tells what the film is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/media/small_picture.h"
#include "sail/media/source.h"

namespace sail {

// With one thread, so that little is held. fed: what the name stands for, where that is not to be
// opened here.
using FedFilm = std::function<Result<std::unique_ptr<const ByteSource>>()>;
Result<std::unique_ptr<Source>> open_film(const std::string& name, const FedFilm& fed = {});

// A tenth into the film, at most a minute; where that is black, one of two places further on. At
// most as large as the bounds, as wide as it is to look, never enlarged. One thread; blocks while
// it reads. Errors are the film's own, or kBadData: there is no frame.
Result<SmallPicture> film_poster(Source& film, Size bounds);
// Errors begin with the name.
Result<SmallPicture> film_poster(const std::string& name, Size bounds, const FedFilm& fed = {});

constexpr Size kPosterSize{320, 180};  // at most, where nobody says another
// What such a poster takes at most. Larger ones may take more, by their pixels.
constexpr size_t kMaxPosterBytes = size_t{24} << 10;
// As good as that has room for: what is noise all over takes the most. kLimit: it takes more.
Result<std::vector<uint8_t>> poster_jpeg(const SmallPicture& picture);

}  // namespace sail
