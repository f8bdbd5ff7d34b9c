// Describes a media file for lists: a poster, which is one small picture, and the file's
// properties. Reads any file that bplay or vitrail-show can show. Requires
// start_vips().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

// Returns a JPEG within `bounds` (pixels) with the aspect ratio of the picture, never enlarged.
// Shows a whole picture, a document's first page, or a video's frame at a tenth of its length (a
// later one if that is black). A folder of JPEG 2000 pictures is a video. Blocks while reading.
// page: of a document, from 0. Errors name the file: kNotFound (also the page), kBadData, kLimit.
Result<std::vector<uint8_t>> make_poster(const std::string& path, Size bounds, int page = 0);
// The same for a video whose bytes come from a ByteFeed (sail/media/storage/reading/fed_bytes.h) by
// the socket.
Result<std::vector<uint8_t>> make_fed_poster(const std::string& name, int socket, Size bounds);

// The properties as an object: "size" ([width, height], pixels) of videos and pictures,
// "duration_s" of videos if known, "pages" of documents and of pictures with several. Reads only
// enough to verify that the file can be shown: a video's first frames, a document's first page, or
// the picture. Errors: kNotFound, kBadData, kLimit; messages do not contain the path.
Result<Json> file_facts(const std::string& path);

// The speaker's notes as an object: "pages" (speaker_notes.h). Errors: see speaker_notes();
// messages do not contain the path.
Result<Json> file_notes(const std::string& path);

}  // namespace sail
