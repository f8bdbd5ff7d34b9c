// Folder for the command's state.
#pragma once

#include <filesystem>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/result.h"

namespace ui {

// Returns $XDG_STATE_HOME/vitrail, else ~/.local/state/vitrail. Creates the folder if needed.
inline sail::Result<std::filesystem::path> state_folder() {
  std::filesystem::path folder = sail::user_state_folder();
  if (folder.empty()) {
    return sail::fail(sail::ErrorCode::kIo,
                      "no folder for state files: set XDG_STATE_HOME or HOME");
  }
  if (auto made = sail::make_private_folder(folder); !made) {
    return std::move(made.error());
  }
  return folder;
}

}  // namespace ui
