// The manual page of a program, made of what its `--help` says: for `man`, in the language of
// man(7). Pure.
#pragma once

#include <string>

#include "sail/command_line/outline.h"

namespace sail {

std::string man_page(const CommandOutline& program, const std::string& version);

}  // namespace sail
