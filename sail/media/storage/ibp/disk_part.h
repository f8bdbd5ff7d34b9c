// The address of a part of a film on a disk server. Pure.
#pragma once

#include <string>
#include <string_view>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace sail {

struct DiskPart {
  Address disk;
  std::string name;  // is_disk_part() is true

  bool operator==(const DiskPart&) const = default;
};

bool names_disk_part(std::string_view text);
// Parses "vitrail://host:port/name". kInvalidParams if malformed.
Result<DiskPart> parse_disk_part(std::string_view text);
std::string disk_part_text(const DiskPart& part);

}  // namespace sail
