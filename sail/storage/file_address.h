// Where a file of a file server lies. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "sail/base/result.h"

namespace sail {

struct FileScheme {
  uint16_t port;     // unless the URL names one
  const char* form;  // for people
};
inline constexpr FileScheme kNfs{2049, "nfs://HOST[:PORT]/EXPORT/PATH/FILE"};
inline constexpr FileScheme kGluster{24007, "gluster://HOST[:PORT]/VOLUME/PATH/FILE"};

struct FileAddress {
  std::string host;
  uint16_t port = 0;
  std::string path;  // from the server's root, with that of the export; or with the volume

  bool operator==(const FileAddress&) const = default;
};

// "scheme://host[:port]/path/file"; "%20" stands for a blank, as in every URL. There are no
// parameters: who asks, and how, is not for who wrote the URL to say. kInvalidParams: not so.
Result<FileAddress> parse_file_address(const std::string& uri, const FileScheme& scheme);

}  // namespace sail
