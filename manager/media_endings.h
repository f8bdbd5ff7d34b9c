// Which files bplay and vitrail-show put on a wall, told by their names. Pure.
#pragma once

#include <string_view>

namespace manager {

// Whether the name ends as those of films, pictures and documents do, in any case.
bool has_media_ending(std::string_view file_name);
// Whether it is a file that ends as those of pictures and documents that vitrail-show shows.
bool is_still(std::string_view medium);

}  // namespace manager
