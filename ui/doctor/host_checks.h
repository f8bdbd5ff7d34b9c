// Checks if a host is fit for a wall, by its kernel's files and by measuring.
#pragma once

#include <filesystem>
#include <string>

#include "sail/core/base/host_load.h"
#include "sail/core/time/system_clock.h"
#include "ui/doctor/finding.h"

namespace ui {

// root: "/", or in tests a folder with copies of the kernel's files.
void check_socket_buffers(const std::filesystem::path& root, Findings& findings);
void check_links(const std::filesystem::path& root, Findings& findings);
// follows: wall time follows the system clock.
void check_clock(const std::filesystem::path& root, const sail::SystemClockReading& reading,
                 bool follows, Findings& findings);
// Checks if the host's processors are overloaded.
void check_load(const std::string& host, const sail::HostLoad& load, Findings& findings);
// Writes a file to the folder, reads it back, and removes it.
void check_disk(const std::filesystem::path& folder, Findings& findings);

}  // namespace ui
