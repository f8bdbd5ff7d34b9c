#include "sail/base/environment.h"

#include <unistd.h>

#include <cstdlib>

namespace sail {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool takes_control_codes() {
  const std::string terminal = environment("TERM");
  return isatty(STDERR_FILENO) == 1 && !terminal.empty() && terminal != "dumb";
}

}  // namespace sail
