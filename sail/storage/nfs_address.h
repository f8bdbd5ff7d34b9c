// Where a file of an NFS server lies. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "sail/base/result.h"

namespace sail {

struct NfsAddress {
  std::string host;
  uint16_t port = 2049;
  std::string path;  // from the server's root, with that of the export

  bool operator==(const NfsAddress&) const = default;
};

// "nfs://host[:port]/export/path/file"; "%20" stands for a blank, as in every URL. There are no
// parameters: who asks, and how, is not for who wrote the URL to say. kInvalidParams: not so.
Result<NfsAddress> parse_nfs_address(const std::string& uri);

}  // namespace sail
