#include "sail/apps/play/playlist.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "sail/apps/play/test_card.h"
#include "sail/core/text/text.h"
#include "sail/media/ffmpeg/media_source.h"

namespace sail {
namespace {

constexpr size_t kMaxListBytes = 1 << 20;
constexpr size_t kMaxEntries = 10000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_url(std::string_view name) {
  return name.find("://") != std::string_view::npos || is_test_url(name);
}

bool is_list_name(const std::string& name) {
  const std::string extension = lower(std::filesystem::path(name).extension().string());
  return !is_url(name) && (extension == ".m3u" || extension == ".m3u8" || extension == ".txt");
}

Result<std::string> read_list(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  std::string text(kMaxListBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) {
    return fail(ErrorCode::kIo, fmt::format("cannot open {}: {}", name, std::strerror(errno)));
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMaxListBytes) {
    return fail(ErrorCode::kLimit, fmt::format("{}: the playlist is larger than 1 MiB", name));
  }
  return text;
}

std::string entry_name(const std::filesystem::path& folder, std::string_view line) {
  if (is_url(line)) return std::string(line);
  return (folder / line).string();
}

}  // namespace

Result<std::vector<std::string>> unfold_playlists(const std::vector<std::string>& arguments) {
  std::vector<std::string> entries;
  for (const std::string& argument : arguments) {
    if (!is_list_name(argument)) {
      entries.push_back(argument);
      continue;
    }
    const auto text = read_list(argument);
    if (!text) return text.error();
    if (text->find("#EXT-X-") != std::string::npos) {
      entries.push_back(argument);
      continue;
    }
    const std::filesystem::path folder = std::filesystem::path(argument).parent_path();
    const bool marked = text->compare(0, kByteOrderMark.size(), kByteOrderMark) == 0;
    std::istringstream lines(text->substr(marked ? kByteOrderMark.size() : 0));
    const size_t before = entries.size();
    for (std::string line; std::getline(lines, line);) {
      const std::string_view name = trimmed(line);
      if (!name.empty() && name.front() != '#') entries.push_back(entry_name(folder, name));
    }
    if (entries.size() == before) {
      return fail(ErrorCode::kBadData, fmt::format("{}: the playlist is empty", argument));
    }
  }
  if (entries.size() > kMaxEntries) {
    return fail(ErrorCode::kLimit,
                fmt::format("too many films to play: the maximum is {}", kMaxEntries));
  }
  return entries;
}

std::vector<std::string> replayable(const std::vector<std::string>& arguments) {
  std::vector<std::string> media;
  for (const std::string& name : arguments) {
    std::error_code error;
    media.push_back(
        is_url(name) ? name : std::filesystem::absolute(name, error).lexically_normal().string());
    if (name == kStandardInput || is_capture_device(name) || error || !is_plain_text(media.back()))
      return {};
  }
  return media;
}

}  // namespace sail
