// Makes a poster: one small picture of a media file, for lists. Reads any file that bplay or
// vitrail-show can show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

// Returns a JPEG within `bounds` (pixels) with the aspect ratio of the picture, never enlarged.
// Shows a whole picture, a document's first page, or a video's frame at a tenth of its length (a
// later one if that is black). A folder of JPEG 2000 pictures is a video. Blocks while reading.
// Requires a VipsLibrary. Errors name the file: kNotFound, kBadData, kLimit.
Result<std::vector<uint8_t>> make_poster(const std::string& path, Size bounds);
// The same for a video whose bytes come from a ByteFeed (sail/media/storage/reading/fed_bytes.h) by
// the socket.
Result<std::vector<uint8_t>> make_fed_poster(const std::string& name, int socket, Size bounds);

}  // namespace sail
