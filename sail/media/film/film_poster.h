// A small, representative picture of a film.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/source/small_picture.h"
#include "sail/media/source/source.h"

namespace sail {

// Opens a film with a single decoder thread, to save memory. fed: opens the film's data when this
// process must not open the name.
using FedFilm = std::function<Result<std::unique_ptr<const ByteSource>>()>;
Result<std::unique_ptr<Source>> open_film(const std::string& name, const FedFilm& fed = {});

// Takes the picture at a tenth of the film, or at one minute if that is earlier; if it is black,
// the brighter of up to two later ones. Fits the picture into the bounds with its display aspect
// ratio; never enlarges it. Blocks while reading. Errors are the film's, or kBadData: no picture.
// One thread at a time.
Result<SmallPicture> film_poster(Source& film, Size bounds);
// Errors begin with the name.
Result<SmallPicture> film_poster(const std::string& name, Size bounds, const FedFilm& fed = {});

constexpr Size kPosterSize{320, 180};  // default bounds
// Limit for a poster of kPosterSize. Larger ones may take more, in proportion to their pixels.
constexpr size_t kMaxPosterBytes = size_t{24} << 10;
// Encodes with the best quality that fits the limit. kLimit: even the lowest does not fit.
Result<std::vector<uint8_t>> poster_jpeg(const SmallPicture& picture);

}  // namespace sail
