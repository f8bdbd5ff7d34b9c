// Folder for the command's state.
#pragma once

#include <filesystem>

#include "sail/core/base/result.h"

namespace ui {

// Returns $XDG_STATE_HOME/vitrail, else ~/.local/state/vitrail. Creates the folder if needed.
sail::Result<std::filesystem::path> state_folder();

}  // namespace ui
