// The manual page of a program, of what its `--help` says: for `man`, in the language of man(7).
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace sail {

std::string man_page(const CLI::App& app);

}  // namespace sail
