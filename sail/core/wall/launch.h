// Launch templates of a wall file: command lines that start programs on nodes by a launcher such as
// Slurm, "srun -w {host} -N1 -n1 {command}". Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sail {

constexpr size_t kMaxLaunchBytes = 1024;

// What the placeholders {node}, {host}, {user} and {command} stand for.
struct LaunchValues {
  std::string_view node;  // name of the receiver or app
  std::string_view host;
  std::string_view user;
  std::vector<std::string> command;
};

// Returns what is wrong with the template, to follow its key in a sentence; nullopt: nothing.
std::optional<std::string> launch_mistake(std::string_view launch);

// Returns the words of the command line. Values are not split or quoted: launchers pass words on
// unchanged. The template must be one without mistake.
std::vector<std::string> launch_words(std::string_view launch, const LaunchValues& values);

}  // namespace sail
