// What a host has to be for a wall, by what its kernel tells and by trying.
#pragma once

#include <filesystem>
#include <string>

#include "sail/base/host_load.h"
#include "sail/base/system_clock.h"
#include "ui/doctor/finding.h"

namespace ui {

// root: "/", or for tests a folder that has the files that are read.
void check_socket_buffers(const std::filesystem::path& root, Findings& findings);
void check_links(const std::filesystem::path& root, Findings& findings);
// follows: the wall's time is the system's clock.
void check_clock(const std::filesystem::path& root, const sail::SystemClockReading& reading,
                 bool follows, Findings& findings);
// Whether programs share its processors with too many others.
void check_load(const std::string& host, const sail::HostLoad& load, Findings& findings);
// Writes a file there, reads it again, and removes it.
void check_disk(const std::filesystem::path& folder, Findings& findings);

}  // namespace ui
