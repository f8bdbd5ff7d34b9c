// A file on the disk, or a medium that is written, to what it shows.
#pragma once

#include <memory>
#include <string>

#include "sail/desk/still.h"

namespace sail {

// Whether it begins as a PDF: readers find the mark within the first 1024 bytes (ISO 32000,
// implementation notes).
bool is_pdf(const std::string& path);

// By its first bytes, whatever its name: PDF by poppler, all else by libvips. kNotFound when there
// is no such file. "note:…" and "clock:…" are no files.
Result<std::unique_ptr<Still>> open_still(const std::string& path);

}  // namespace sail
