#include "sail/core/command_line/taken_arguments.h"

#include <algorithm>

#include "sail/core/text/text.h"

namespace sail {

std::vector<std::string> take_arguments(int count, char* const* arguments) {
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
