// Which of the players is for what is to be played. Pure.
#pragma once

#include "manager/play_request.h"

namespace manager {

// kShow when all media are files whose names end as those of pictures and documents do, and nothing
// is asked for that only films have; else kBplay.
const char* player_for(const PlayRequest& request);

}  // namespace manager
