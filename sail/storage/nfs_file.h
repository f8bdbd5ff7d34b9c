// A file of an NFS server, over a connection of its own, by version 4 of the protocol. The only
// file here that knows libnfs, whose own ways to begin anew when a connection breaks are not used:
// they may last for ever. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/storage/file_address.h"

namespace sail {

struct NfsFailure {
  std::optional<ErrorCode> code;  // nothing: it may pass
  std::string words;
};

class NfsFile {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 20;  // of a read

  // Of the file as it was when it was opened.
  struct Version {
    uint64_t size = 0;
    uint64_t file_number = 0;
    uint64_t changed_ns = 0;

    bool operator==(const Version&) const = default;
  };
  using Opened = std::function<void(const Version&)>;
  // It is of no use any more, and tells nothing of reads under way. It may be destroyed in it.
  using Failed = std::function<void(const NfsFailure&)>;
  // What there is from that place on, at most as much as was asked for; nothing: the file ends.
  // The bytes stay until this returns.
  using Read = std::function<void(Expected<std::span<const uint8_t>, NfsFailure>)>;

  // Opens it. Looks up the server's name meanwhile, which may take as long as the system's resolver
  // does.
  NfsFile(Loop& loop, const FileAddress& address, Opened opened, Failed failed);
  // Not from within Opened or Read. None of them comes any more.
  ~NfsFile();
  NfsFile(const NfsFile&) = delete;
  NfsFile& operator=(const NfsFile&) = delete;

  // Once it is open.
  void read(uint64_t offset, size_t count, Read done);
  // When the server last said anything; 0: never.
  int64_t heard_ns() const;

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace sail
