#include "sail/media/storage/ibp/disk_part.h"

#include <fmt/format.h>

#include <utility>

#include "sail/core/wire/data/disk_messages.h"

namespace sail {
namespace {

constexpr std::string_view kBegin = "vitrail://";

}  // namespace

bool names_disk_part(std::string_view text) {
  return text.starts_with(kBegin);
}

Result<DiskPart> parse_disk_part(std::string_view text) {
  const Error wrong =
      fail(ErrorCode::kInvalidParams,
           "the address of a part on a disk server must be vitrail://HOST:PORT/NAME");
  if (!names_disk_part(text)) return wrong;
  text.remove_prefix(kBegin.size());
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !is_disk_part(text.substr(slash + 1))) return wrong;
  auto disk = parse_address(std::string(text.substr(0, slash)), {"", kDefaultDiskServerPort});
  if (!disk || disk->host.empty()) return wrong;
  return DiskPart{std::move(*disk), std::string(text.substr(slash + 1))};
}

std::string disk_part_text(const DiskPart& part) {
  return fmt::format("{}{}/{}", kBegin, address_text(part.disk), part.name);
}

}  // namespace sail
