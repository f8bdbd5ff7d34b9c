// Requests for byte ranges over http:, https: and sftp:, many at a time, on an event loop. Only
// these files use libcurl. Connections are reused and shared, over HTTP/2 if the server offers it.
// libcurl handles redirects, proxies and ~/.netrc. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/core/loop/loop.h"
#include "sail/media/storage/http/far_reply.h"

namespace sail {

// Credentials for AWS request signing, version 4.
struct AwsSigning {
  std::string region;
  std::string key_id;
  std::string secret;
  std::string session;  // session token; empty: the key is permanent
};

struct FarAddress {
  std::string url;
  std::optional<AwsSigning> signing;

  bool is_sftp() const { return url.starts_with("sftp:"); }
};

class CurlTransfers {
 public:
  struct Range {
    uint64_t offset = 0;
    std::span<uint8_t> bytes;  // destination; at least one byte
    // Only learn size and type: from the first byte (HTTP), or without data (SFTP).
    bool probe = false;
    // Not a range: all of the content, which must not be longer than `bytes` (HTTP only).
    bool whole = false;
  };
  // Not called from within begin().
  using Done = std::function<void(const FarReply&)>;

  class Transfer;

  // A transfer that receives nothing for silence_ms fails. One that has not begun fails only if the
  // other transfers receive nothing either.
  CurlTransfers(Loop& loop, FarAddress address, int64_t silence_ms);
  // All transfers must be destroyed before.
  ~CurlTransfers();
  CurlTransfers(const CurlTransfers&) = delete;
  CurlTransfers& operator=(const CurlTransfers&) = delete;

  // Destroying the transfer cancels it: `done` is then not called. The object exists until
  // destroyed.
  std::shared_ptr<Transfer> begin(Range range, Done done);

 private:
  struct Multi;
  std::unique_ptr<Multi> multi_;
};

}  // namespace sail
