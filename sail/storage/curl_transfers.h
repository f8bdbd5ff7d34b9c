// Requests for ranges of bytes, many at a time, on a Loop, by http:, https: and sftp:. The only
// files here that know libcurl: connections are kept and shared, by HTTP/2 where a server offers
// it; redirects, proxies and ~/.netrc are libcurl's matter. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/net/loop.h"
#include "sail/storage/far_reply.h"

namespace sail {

// How requests are signed for AWS, version 4.
struct AwsSigning {
  std::string region;
  std::string key_id;
  std::string secret;
  std::string session;  // "": the key is a lasting one
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
    std::span<uint8_t> bytes;  // where they go; at least one
    // Only what is there is to be learned, from the first byte or without any.
    bool probe = false;
  };
  // Not from within begin().
  using Done = std::function<void(const FarReply&)>;

  class Transfer;

  // A transfer by which nothing comes for that long is given up; one that has yet to begin when
  // nothing comes by the others either.
  CurlTransfers(Loop& loop, FarAddress address, int64_t silence_ms);
  // Transfers end before.
  ~CurlTransfers();
  CurlTransfers(const CurlTransfers&) = delete;
  CurlTransfers& operator=(const CurlTransfers&) = delete;

  // Destroying it cancels: then `done` does not come. It stays until it is destroyed.
  std::shared_ptr<Transfer> begin(Range range, Done done);

 private:
  struct Multi;
  std::unique_ptr<Multi> multi_;
};

}  // namespace sail
