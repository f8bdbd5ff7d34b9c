// A password from whoever sits at the terminal, unseen; else from a file or standard input.
#pragma once

#include <string>

#include "sail/base/result.h"

namespace ui {

// The first line of standard input. At a terminal it asks, and shows nothing of what is typed.
sail::Result<std::string> ask_password(const std::string& question);
// A new one: the file's first line, or as ask_password(), where people say it twice.
// kInvalidParams: it is too short or too long to be one.
sail::Result<std::string> new_password(const std::string& file, const std::string& name);

}  // namespace ui
