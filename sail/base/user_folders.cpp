#include "sail/base/user_folders.h"

#include "sail/base/environment.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

// The custom has relative names ignored.
fs::path absolute_in(const char* variable) {
  fs::path path = environment(variable);
  return path.is_absolute() ? path : fs::path();
}

fs::path ours(const char* variable, const char* in_home) {
  if (const fs::path folder = absolute_in(variable); !folder.empty()) return folder / "vitrail";
  if (const fs::path home = absolute_in("HOME"); !home.empty()) return home / in_home / "vitrail";
  return {};
}

}  // namespace

fs::path user_state_folder() {
  return ours("XDG_STATE_HOME", ".local/state");
}

fs::path user_data_folder() {
  return ours("XDG_DATA_HOME", ".local/share");
}

}  // namespace sail
