// A file on an NFS 4 server, over a connection of its own. The only file here that uses libnfs.
// libnfs's automatic reconnection is disabled, because it may retry for ever. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/media/storage/reading/file_address.h"

namespace sail {

struct NfsFailure {
  std::optional<ErrorCode> code;  // empty: temporary
  std::string words;
};

class NfsFile {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 20;  // per read

  // Identifies the file's state when it was opened.
  struct Version {
    uint64_t size = 0;
    uint64_t file_number = 0;
    uint64_t changed_ns = 0;

    bool operator==(const Version&) const = default;
  };
  using Opened = std::function<void(const Version&)>;
  // The connection is unusable, and reads in flight get no answer. The callback may destroy the
  // NfsFile.
  using Failed = std::function<void(const NfsFailure&)>;
  // The bytes from the offset on, at most as many as requested; empty at the end of the file. The
  // bytes are valid until the callback returns.
  using Read = std::function<void(Expected<std::span<const uint8_t>, NfsFailure>)>;

  // Starts to open the file. Blocks for the DNS lookup of the server's name.
  NfsFile(Loop& loop, const FileAddress& address, Opened opened, Failed failed);
  // Not from within Opened or Read. No callback runs after this.
  ~NfsFile();
  NfsFile(const NfsFile&) = delete;
  NfsFile& operator=(const NfsFile&) = delete;

  // Call only after Opened.
  void read(uint64_t offset, size_t count, Read done);
  // When data last arrived from the server; 0: never.
  int64_t heard_ns() const;

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace sail
