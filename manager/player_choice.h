// Which of the players is for what is to be played. Pure.
#pragma once

#include <cstdint>

#include "manager/players.h"

namespace manager {

enum class PlayerKind : uint8_t {
  kFilms,  // bplay
  kStills  // vitrail-show
};

// As the request names its program. Or else: stills when all media are files whose names end as
// those of pictures and documents do, and nothing is asked for that only films have.
PlayerKind player_for(const PlayRequest& request);

}  // namespace manager
