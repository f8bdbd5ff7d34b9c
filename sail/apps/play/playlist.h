// The list of media to play, in order.
#pragma once

#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

// Replaces playlists among the arguments by their entries. Playlists are local .m3u, .m3u8 and .txt
// files with one entry per line and '#' comments; names are relative to the playlist's folder.
// Playlists within playlists are not expanded. An HLS .m3u8 file is a video and is kept. At most
// 10000 entries in all and 1 MiB per list.
Result<std::vector<std::string>> unfold_playlists(const std::vector<std::string>& arguments);

// Returns the arguments in the form in which the manager can start them again: paths are made
// absolute, so that they do not depend on the working directory. Empty if an argument cannot be
// restarted: standard input, a device, or not plain text.
std::vector<std::string> replayable(const std::vector<std::string>& arguments);

}  // namespace sail
