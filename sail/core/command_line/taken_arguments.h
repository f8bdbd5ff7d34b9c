// The arguments of a program. All users of the machine can read them (ps), so passwords in URLs do
// not stay there.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sail/core/text/text.h"

namespace sail {

// Returns copies of the arguments, and hides the passwords in the originals, as
// without_stream_keys() does. Call this first in main().
inline std::vector<std::string> take_arguments(int count, char* const* arguments) {
  std::vector<std::string> words(arguments, arguments + count);
  for (size_t i = 0; i < words.size(); ++i) {
    std::string shown = without_stream_keys(words[i]);
    if (shown == words[i]) continue;
    shown.resize(words[i].size());  // Zeros at the end, or cut.
    std::ranges::copy(shown, arguments[i]);
  }
  return words;
}

}  // namespace sail
