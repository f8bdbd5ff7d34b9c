// Cuts a film into one film per tile of a wall. The film is decoded once; each picture is
// compressed separately for every tile.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sail/core/wall/wall.h"
#include "sail/media/film/film_converter.h"

namespace sail {

// NAME.vmov with a tile's name: NAME-TILE.vmov.
std::string panel_name(const std::string& output, const std::string& tile);

// Scales the film to the wall's size and returns a converter for each tile. Step the converters in
// turn, because they share the decoded pictures. An interrupted conversion cannot be resumed.
// options.size is ignored.
Result<std::vector<std::unique_ptr<FilmConverter>>> open_panels(const ConvertOptions& options,
                                                                const Wall& wall);

}  // namespace sail
