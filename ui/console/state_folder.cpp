#include "ui/console/state_folder.h"

#include <fmt/core.h>

#include <cstdlib>

namespace ui {

namespace fs = std::filesystem;

sail::Result<fs::path> state_folder() {
  fs::path folder;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) {
    folder = state;
  } else if (const char* home = std::getenv("HOME"); home && *home) {
    folder = fs::path(home) / ".local" / "state";
  } else {
    return sail::fail(sail::ErrorCode::kIo, "neither XDG_STATE_HOME nor HOME is set");
  }
  folder /= "vitrail";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot make {}: {}", folder.string(), error.message()));
  }
  return folder;
}

}  // namespace ui
