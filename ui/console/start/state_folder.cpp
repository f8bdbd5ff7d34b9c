#include "ui/console/start/state_folder.h"

#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"

namespace ui {

sail::Result<std::filesystem::path> state_folder() {
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
