// What the command lines of all programs have in common: help that fits a terminal of 80 columns,
// numbers that are none refused in words, the word that was meant, and `--man-page`, the manual
// page made of the same text as `--help`.
#pragma once

#include <CLI/CLI.hpp>

namespace sail {

// To be called when all options and subcommands are there, before parsing.
void finish_command_line(CLI::App& app);

}  // namespace sail
