// Where the command keeps what it remembers.
#pragma once

#include <filesystem>

#include "sail/base/result.h"

namespace ui {

// $XDG_STATE_HOME/vitrail, else ~/.local/state/vitrail; made when it is not there.
sail::Result<std::filesystem::path> state_folder();

}  // namespace ui
