// What is to be played, in order.
#pragma once

#include <string>
#include <vector>

#include "sail/base/result.h"

namespace sail {

// Arguments with the lists among them unfolded: local .m3u, .m3u8 and .txt files, one entry a line,
// '#' for comments, names relative to the list's own folder. Lists in lists stay as they are. An
// .m3u8 file of HLS is a film and stays, too. At most 10000 entries and 1 MiB a list.
Result<std::vector<std::string>> unfold_playlists(const std::vector<std::string>& arguments);

// The same arguments as the manager may have them played again: with absolute paths of files, so
// that they mean the same anywhere on this machine. Empty when they cannot be named to it: standard
// input, devices, or no plain text.
std::vector<std::string> replayable(const std::vector<std::string>& arguments);

}  // namespace sail
