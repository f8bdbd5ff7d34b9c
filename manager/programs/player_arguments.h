// The command line of a player. Pure.
#pragma once

#include <string>
#include <vector>

#include "manager/media/play_request.h"

namespace manager {

// Returns program and arguments, without a shell. Media follow "--", so none is an option.
std::vector<std::string> player_arguments(const std::string& program, const PlayRequest& request);

}  // namespace manager
