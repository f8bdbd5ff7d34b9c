// A small picture of a film, by which people know it in a list.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/server/library.h"

namespace server {

constexpr sail::Size kPosterSize{320, 180};  // at most
constexpr size_t kMaxPosterBytes = size_t{24} << 10;

// A JPEG. Blocks while it reads and decodes, with one thread. give_up: asked meanwhile.
sail::Result<std::string> make_poster(const Library& library, const std::string& title,
                                      const std::function<bool()>& give_up,
                                      const OpenBytes& open_bytes);

}  // namespace server
