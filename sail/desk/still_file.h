// A file on the disk to what it shows.
#pragma once

#include <memory>
#include <string>

#include "sail/desk/still.h"

namespace sail {

// By its first bytes, whatever its name: PDF by poppler, all else by libvips. kNotFound when there
// is no such file.
Result<std::unique_ptr<Still>> open_still(const std::string& path);

}  // namespace sail
