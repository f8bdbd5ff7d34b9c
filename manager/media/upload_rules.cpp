#include "manager/media/upload_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kLongestEnding = 16;  // With the dot.

bool is_reserved_letter(char letter) {
  return static_cast<unsigned char>(letter) < ' ' ||
         std::string_view("/\\<>:\"|?*").find(letter) != std::string_view::npos;
}

// Whether the name means a device on some systems, with any extension.
bool is_device(std::string_view name) {
  constexpr std::string_view kDevices[] = {"con", "prn", "aux", "nul", "com", "lpt"};
  std::string stem = sail::lower(name.substr(0, name.find('.')));
  if (stem.size() == 4 && stem[3] >= '0' && stem[3] <= '9') stem.resize(3);
  return std::find(std::begin(kDevices), std::end(kDevices), stem) != std::end(kDevices);
}

}  // namespace

std::string clean_file_name(std::string_view given) {
  const size_t slash = given.find_last_of("/\\");
  if (slash != std::string_view::npos) given.remove_prefix(slash + 1);
  std::string name = sail::make_plain_text(given, given.size());
  std::replace_if(name.begin(), name.end(), is_reserved_letter, '_');
  const size_t first = name.find_first_not_of(". ");
  const size_t last = name.find_last_not_of(". ");
  if (first == std::string::npos) return "upload";
  name = name.substr(first, last - first + 1);
  if (is_device(name)) name.insert(name.begin(), '_');
  if (name.size() <= kLongestUploadName) return name;
  const std::string file_extension = file_extension_of(name);
  std::string stem =
      sail::make_plain_text(std::string_view(name).substr(0, name.size() - file_extension.size()),
                            kLongestUploadName - file_extension.size());
  // The cut may leave such characters at the end. The first character is never one.
  stem.resize(stem.find_last_not_of(". ") + 1);
  return stem + file_extension;
}

std::string file_extension_of(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot != std::string::npos && name.size() - dot <= kLongestEnding ? name.substr(dot) : "";
}

std::string renamed(const std::string& file_name, std::string_view wanted) {
  const std::string file_extension = file_extension_of(file_name);
  const auto ends_so = [&file_extension](std::string_view name) {
    return name.size() > file_extension.size() &&
           sail::same_word(name.substr(name.size() - file_extension.size()), file_extension);
  };
  return clean_file_name(ends_so(wanted) ? std::string(wanted)
                                         : std::string(wanted) + file_extension);
}

std::string numbered_name(const std::string& name, int number) {
  const size_t dot = std::min(name.rfind('.'), name.size());
  return fmt::format("{} ({}){}", name.substr(0, dot), number, name.substr(dot));
}

std::optional<std::string> upload_metadata(std::string_view header, std::string_view key) {
  while (!header.empty()) {
    const size_t comma = std::min(header.find(','), header.size());
    const std::string_view item = sail::trimmed(header.substr(0, comma));
    header.remove_prefix(std::min(comma + 1, header.size()));
    const size_t space = std::min(item.find(' '), item.size());
    if (item.substr(0, space) != key) continue;
    const auto bytes = sail::base64_bytes(item.substr(std::min(space + 1, item.size())));
    if (!bytes) return std::nullopt;
    return std::string(bytes->begin(), bytes->end());
  }
  return std::nullopt;
}

std::optional<uint64_t> upload_number(std::string_view text) {
  constexpr size_t kMostDigits = 15;
  uint64_t number = 0;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace manager
