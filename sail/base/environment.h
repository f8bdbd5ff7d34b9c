// What a program finds around it: variables, the terminal, places to keep things, limits. Any
// thread, as long as none changes the environment.
#pragma once

#include <filesystem>
#include <string>

namespace sail {

// The variable's value; "" without.
std::string environment(const char* name);

// Whether standard error is a terminal on which text can be drawn anew in its place.
bool takes_control_codes();

// Where programs of this user keep things, by the desktop's custom (XDG). Not made here.
// $XDG_STATE_HOME/vitrail, else ~/.local/state/vitrail; empty without either.
std::filesystem::path user_state_folder();
// $XDG_DATA_HOME/vitrail, else ~/.local/share/vitrail; likewise.
std::filesystem::path user_data_folder();

// Raises the limit of open files and connections to what a server may need, as far as the system
// lets it: it is low by habit, since select() counts no higher, which nobody here uses. Programs
// that are started have it, too.
void raise_descriptor_limit();

}  // namespace sail
