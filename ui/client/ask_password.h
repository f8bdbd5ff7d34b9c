// Reads a password from the terminal without echo, from standard input, or from a file.
#pragma once

#include <string>

#include "sail/core/base/result.h"

namespace ui {

// Returns the first line of standard input. Prompts at a terminal, without echo.
sail::Result<std::string> ask_password(const std::string& question);
// Returns a new password: the file's first line if `file` is not empty, else as ask_password(),
// entered twice at a terminal. kInvalidParams: wrong length, or the two entries differ.
sail::Result<std::string> new_password(const std::string& file, const std::string& name);

}  // namespace ui
