// One small picture of a media file, for lists that people choose from. Reads any file that bplay
// and vitrail-show put on a wall.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace sail {

// A JPEG of at most that size in pixels, the picture's shape kept, never enlarged: of a picture the
// whole, of a document its first page, of a film a frame a tenth in, or a later one where that is
// black; of a folder of JPEG 2000 pictures, which is a film. Blocks for as long as reading takes. A
// VipsLibrary must be there. Errors name the file: kNotFound, kBadData, kLimit.
Result<std::vector<uint8_t>> make_poster(const std::string& path, Size bounds);
// The same of a film whose bytes come from a ByteFeed (sail/storage/fed_bytes.h), by that socket.
Result<std::vector<uint8_t>> make_fed_poster(const std::string& name, int socket, Size bounds);

}  // namespace sail
