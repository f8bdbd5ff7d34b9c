// The file that a window shows.
#pragma once

#include <cstdint>
#include <string>

namespace manager {

class Desk;
class Peers;

// Returns the path of the file on this host that a player of a manager shows in the window. Empty:
// there is none, or the window shows several. Content that other applications report may name any
// file.
std::string file_in(const Desk& desk, const Peers& peers, uint32_t window);

}  // namespace manager
