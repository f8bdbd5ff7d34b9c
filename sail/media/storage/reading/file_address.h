// The address of a file on a file server. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

struct FileScheme {
  uint16_t port;     // default port
  const char* form;  // for messages
};
inline constexpr FileScheme kNfs{2049, "nfs://HOST[:PORT]/EXPORT/PATH/FILE"};

struct FileAddress {
  std::string host;
  uint16_t port = 0;
  std::string path;  // from the server's root, including the export

  bool operator==(const FileAddress&) const = default;
};

// Parses "scheme://host[:port]/path/file", percent-encoded. Parameters are refused, so that a URL
// cannot choose the user or the mount options. kInvalidParams: malformed.
Result<FileAddress> parse_file_address(const std::string& uri, const FileScheme& scheme);

}  // namespace sail
