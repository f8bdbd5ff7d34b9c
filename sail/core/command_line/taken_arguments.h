// The arguments of a program. All users of the machine can read them (ps), so passwords in URLs do
// not stay there.
#pragma once

#include <string>
#include <vector>

namespace sail {

// Returns copies of the arguments, and hides the passwords in the originals, as
// without_stream_keys() does. Call this first in main().
std::vector<std::string> take_arguments(int count, char* const* arguments);

}  // namespace sail
