// Makes the manual page of a program from the text of `--help`, in man(7) format. Pure.
#pragma once

#include <string>

#include "sail/core/command_line/outline.h"

namespace sail {

std::string man_page(const CommandOutline& program, const std::string& version);

}  // namespace sail
