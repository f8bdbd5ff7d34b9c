// What a media file is, told to who lists it. Reads any file that bplay and vitrail-show put on a
// wall.
#pragma once

#include <string>

#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace sail {

// An object: "size" ([width, height], pixels) of films and pictures, "duration_s" of films that
// tell it, "pages" of documents. As much is read as tells that it can be shown: of a film its first
// frame, of a document its first page, a picture as vitrail-show does. A VipsLibrary must be there.
// Errors: kNotFound, kBadData, kLimit, in words for people who do not know the path.
Result<Json> file_facts(const std::string& path);

}  // namespace sail
