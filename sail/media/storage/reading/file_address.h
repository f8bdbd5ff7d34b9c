// The address of a file on an NFS server. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/core/text/encodings.h"

namespace sail {

struct FileAddress {
  std::string host;
  uint16_t port = 0;
  std::string path;  // from the server's root, including the export

  bool operator==(const FileAddress&) const = default;
};

// Parses "nfs://host[:port]/path/file", percent-encoded. Parameters are refused, so that a URL
// cannot choose the user or the mount options. kInvalidParams: malformed.
inline Result<FileAddress> parse_file_address(const std::string& uri) {
  constexpr uint16_t kNfsPort = 2049;
  constexpr std::string_view kAfterScheme = "://";
  const Error wrong =
      fail(ErrorCode::kInvalidParams, uri + " is not nfs://HOST[:PORT]/EXPORT/PATH/FILE");
  const size_t begin = uri.find(kAfterScheme);
  if (begin == std::string::npos) return wrong;
  const std::string_view rest = std::string_view(uri).substr(begin + kAfterScheme.size());
  const size_t slash = rest.find('/');
  const bool more = rest.find_first_of("?#") != std::string_view::npos;
  if (slash == std::string_view::npos || rest.find('@') < slash || more) return wrong;
  const auto server = parse_address(std::string(rest.substr(0, slash)), {"", kNfsPort});
  auto path = percent_decoded(rest.substr(slash));
  if (!server || server->host.empty() || !path) return wrong;
  if (path->ends_with('/') || path->find('\0') != std::string::npos) return wrong;
  return FileAddress{server->host, server->port, std::move(*path)};
}

}  // namespace sail
