// The links of viewers that people have revoked: the lines of a file, which are links with an end,
// their keys, or the names before the colons of keys. Empty lines, and lines that begin with "#",
// do not count. For one thread at a time.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/base/result.h"

namespace receiver {

class RevokedLinks {
 public:
  static constexpr size_t kMostBytes = 1 << 20;

  // An empty path: no link is revoked.
  explicit RevokedLinks(std::filesystem::path file = {}) : file_(std::move(file)) {}
  // Reads the file again. On failure the links that were read before stay revoked. kNotFound, kIo:
  // it cannot be read; kInvalidParams: it is not a regular file: a pipe would block, or end;
  // kLimit: it has over kMostBytes; kBadData: a line whose key opens nothing.
  sail::Result<void> read();
  // Whether the key of this name is revoked.
  bool contains(std::string_view name) const { return names_.contains(name); }

 private:
  std::filesystem::path file_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace receiver
