// Recognises media files for bplay and vitrail-show by their extension. Pure.
#pragma once

#include <string_view>

namespace manager {

// Whether the extension is that of a film, picture or document. Ignores case.
bool has_media_extension(std::string_view file_name);
// Whether vitrail-show shows it: a note, or a file with the extension of a picture or document.
bool is_still(std::string_view medium);

}  // namespace manager
