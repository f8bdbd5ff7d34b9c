// Makes text for users from the data of CLI11's parser: the help, the outline of a program, and
// mistakes in a line as sentences. Only for command_line.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/command_line/outline.h"

namespace CLI {
class App;
class Error;
class FormatterBase;
class Option;
}  // namespace CLI

namespace sail {

// Allowed words by option.
using AllowedWords = std::map<const CLI::Option*, std::vector<std::string>>;

// Writes the help for a terminal of 80 columns.
std::shared_ptr<CLI::FormatterBase> folded_help();
CommandOutline outline_of(const CLI::App& app, const AllowedWords& words);
// Returns the program and the commands given on the line.
std::vector<const CLI::App*> commands_given(const CLI::App& app);
// Returns the error as a sentence. outline: of the program.
std::string mistake_in(const CLI::App& app, const CLI::Error& error, const CommandOutline& outline);
// Returns the error with a hint to the help.
std::string explain(const CLI::App* app, const CLI::Error& error);

}  // namespace sail
