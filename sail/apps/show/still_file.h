// Opens media of vitrail-show: files, notes and clocks.
#pragma once

#include <memory>
#include <string>

#include "sail/apps/show/still.h"

namespace sail {

// Returns true if the file is a PDF. Readers accept the signature anywhere in the first 1024 bytes
// (ISO 32000, implementation notes).
bool is_pdf(const std::string& path);

// Detects the format from the first bytes and not from the name: PDF uses poppler, SVG librsvg,
// everything else libvips. "note:…" and "clock:…" are not files. Returns kNotFound if the file does
// not exist.
Result<std::unique_ptr<Still>> open_still(const std::string& path);

}  // namespace sail
