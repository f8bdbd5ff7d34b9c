// Where programs of this user keep things, by the desktop's custom (XDG). Any thread.
#pragma once

#include <filesystem>

namespace sail {

// $XDG_STATE_HOME/vitrail, else ~/.local/state/vitrail; empty without either. Not made here.
std::filesystem::path user_state_folder();
// $XDG_DATA_HOME/vitrail, else ~/.local/share/vitrail; likewise.
std::filesystem::path user_data_folder();

}  // namespace sail
