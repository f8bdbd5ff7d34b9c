#include "sail/media/source_uri.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include "sail/media/file.h"

namespace sail {

bool is_far(const std::string& uri) {
  std::error_code ignored;
  if (std::filesystem::exists(uri, ignored)) return false;  // a name like "a://b.mp4"
  const size_t end = uri.find("://");
  return end != std::string::npos && uri.compare(0, end, "file") != 0;
}

Result<std::unique_ptr<const ByteSource>> open_bytes(const std::string& uri) {
  if (is_far(uri)) return fail(ErrorCode::kUnavailable, uri + " is no file");
  constexpr std::string_view kScheme = "file:";
  std::error_code ignored;
  const bool plain = !uri.starts_with(kScheme) || std::filesystem::exists(uri, ignored);
  auto file = File::open_to_read(plain ? uri : uri.substr(kScheme.size()));
  if (!file) return std::move(file.error());
  return std::make_unique<const File>(std::move(*file));
}

}  // namespace sail
