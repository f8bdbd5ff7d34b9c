// The last error message of an ended program, for the person who requested it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace manager {

// Returns the last error of the log, or else its last line, without time and program name. Cuts
// paths of media to file names and removes passwords from URLs, which are not for everyone. Empty
// if the log is empty.
std::string last_error(std::string_view log, const std::vector<std::string>& media);

// Returns "a.mp4" for "/films/a.mp4"; a URL loses only its password.
std::string public_name(const std::string& media);

}  // namespace manager
