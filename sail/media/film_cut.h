// A film cut into one for each tile of a wall: it is decoded once, and each of its pictures is
// compressed once for every tile, as much of it as that shows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sail/media/film_converter.h"
#include "sail/wall/wall.h"

namespace sail {

// NAME.vmov and a tile: NAME-TILE.vmov.
std::string panel_name(const std::string& output, const std::string& tile);

// The film is scaled to the size of the wall. A converter for each tile; they are to be stepped in
// turn, one after the other, since they wait for one another's pictures. What is left behind cannot
// be gone on with. The options' size is not used.
Result<std::vector<std::unique_ptr<FilmConverter>>> open_panels(const ConvertOptions& options,
                                                                const Wall& wall);

}  // namespace sail
