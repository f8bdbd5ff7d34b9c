#include "ui/console/state_folder.h"

#include "sail/base/private_file.h"
#include "sail/base/user_folders.h"

namespace ui {

sail::Result<std::filesystem::path> state_folder() {
  const std::filesystem::path folder = sail::user_state_folder();
  if (folder.empty()) {
    return sail::fail(sail::ErrorCode::kIo,
                      "neither XDG_STATE_HOME nor HOME names a folder to remember things in");
  }
  return sail::make_private_folder(folder).map([&] { return folder; });
}

}  // namespace ui
