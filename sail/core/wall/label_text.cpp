#include "sail/core/wall/label_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace sail {

std::string label_mistake(std::string_view text) {
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::string_view rest = text.substr(at);
    const bool known = std::ranges::any_of(
        kLabelPlaceholders, [rest](std::string_view name) { return rest.starts_with(name); });
    if (known) continue;
    return fmt::format(
        "has the unknown placeholder '{}': there are {{title}}, {{source}}, {{clock}} and "
        "{{state}}",
        rest.substr(0, std::min(rest.find('}'), rest.size() - 1) + 1));
  }
  return {};
}

}  // namespace sail
