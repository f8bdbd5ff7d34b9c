// Processes that are not our children, told apart from later ones with the same number. Any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace sail {

struct ProcessIdentity {
  pid_t pid = 0;
  std::string began;  // the boot of the system, and clock ticks since then

  bool operator==(const ProcessIdentity&) const = default;
};

// Nothing when it does not run (any more).
std::optional<ProcessIdentity> identity_of(pid_t pid);
bool is_running(const ProcessIdentity& process);
// Nothing happens when it has ended, whoever has its number now.
void signal_process(const ProcessIdentity& process, int number);

// One line of text, and back.
std::string to_text(const ProcessIdentity& process);
std::optional<ProcessIdentity> process_identity_from(std::string_view text);

}  // namespace sail
