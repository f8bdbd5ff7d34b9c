// The environment of this process: variables, the terminal, the user's directories, names of
// threads, resource limits, and headroom below them. Any thread, as long as no thread changes the
// environment.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "sail/core/base/result.h"

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
// $XDG_CONFIG_HOME/vitrail, else ~/.config/vitrail; empty if neither variable is set.
std::filesystem::path user_config_folder();

// Raises the soft limit of open files and connections to 65,536 or the hard limit, whichever is
// lower. The default is low for the sake of select(), which this project does not use. Child
// processes inherit the limit.
void raise_descriptor_limit();

// Prevents core dumps of this process and of its child processes, because a dump would contain keys
// and pictures. The soft limit may be raised again (`prlimit --core=unlimited --pid PID`).
void prevent_core_dumps();

// Names the calling thread, as shown by `top -H` and debuggers; at most 15 characters.
inline void name_this_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
}

// Headroom checks before large allocations. Where memory is limited (by the address space or strict
// overcommit), large requests fail with a message and memory is left for small ones, which cannot
// handle failure. With overcommit the check always succeeds.

// Bytes that stay free for small allocations.
constexpr size_t kMemoryHeadroom = 16 << 20;

// Whether `bytes` more can be allocated. Each check costs two system calls.
bool has_memory_headroom(size_t bytes);
// As has_memory_headroom(); fails with kLimit and "not enough memory for …".
Result<void> ask_for_memory(size_t bytes, const char* what);
// Whether one more file descriptor can be opened.
bool has_descriptor_headroom();

}  // namespace sail
