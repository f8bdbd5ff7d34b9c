// Describes a media file for listings: any file that bplay or vitrail-show can show.
#pragma once

#include <string>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

// Returns an object: "size" ([width, height], pixels) of videos and pictures, "duration_s" of
// videos if known, "pages" of documents. Reads only enough to verify that the file can be shown: a
// video's first frames, a document's first page, or the picture. Requires a VipsLibrary. Errors:
// kNotFound, kBadData, kLimit; messages do not contain the path.
Result<Json> file_facts(const std::string& path);

}  // namespace sail
