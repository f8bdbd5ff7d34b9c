// What a program that ended said last, for the person who asked for what it was to show. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace manager {

// The last error of its log, else its last line, without time and name of the program. Of media the
// names stay: where files lie on this machine and who may open an address is nobody's business. ""
// when it said nothing.
std::string last_words(std::string_view log, const std::vector<std::string>& media);

// "a.mp4" of "/films/a.mp4"; of a URL all but its password.
std::string public_name(const std::string& media);

}  // namespace manager
