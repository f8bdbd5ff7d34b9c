// The process environment: variables, the terminal, the user's directories, resource limits. Any
// thread, as long as no thread changes the environment.
#pragma once

#include <filesystem>
#include <string>

namespace sail {

// The variable's value; "" if it is not set.
std::string environment(const char* name);

// Whether standard error is a terminal that can redraw a line in place.
bool takes_control_codes();

// Directories of this user by the XDG conventions. The functions do not create them.
// $XDG_STATE_HOME/vitrail, else ~/.local/state/vitrail; empty if neither variable is set.
std::filesystem::path user_state_folder();
// $XDG_DATA_HOME/vitrail, else ~/.local/share/vitrail; empty if neither variable is set.
std::filesystem::path user_data_folder();

// Raises the soft limit of open files and connections to 65,536 or the hard limit, whichever is
// lower. The default is low for the sake of select(), which this project does not use. Child
// processes inherit the limit.
void raise_descriptor_limit();

}  // namespace sail
