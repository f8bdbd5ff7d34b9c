// A remote file read by range requests, many in flight (CurlTransfers), on an event loop of its
// own. Temporary failures are retried and counted. After a short answer the rest is requested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sail/media/storage/http/curl_transfers.h"
#include "sail/media/storage/http/far_reply.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

struct FarTimeouts {
  int failures = 5;  // consecutive, without progress
  int64_t silence_ms = 5000;
  int64_t pause_ms = 100;  // after the first failure; doubles after each further one
  int64_t most_pause_ms = 10'000;

  // Returns the server's Retry-After up to the limit, or else the pause described above.
  int64_t pause_after(int failure, std::optional<int64_t> wished_s) const;
};

class FarBytes : public ByteSource {
 public:
  // name: for messages. kUnavailable: the server has no random access, though the file may exist.
  // kTimeout: give_up returned true.
  static Result<std::unique_ptr<const ByteSource>> open(const std::string& name, FarAddress address,
                                                        const GiveUp& give_up,
                                                        const FarTimeouts& timeouts = {});
  ~FarBytes() override;

  const std::string& name() const override { return film_.name; }
  Result<uint64_t> size() const override { return film_.size; }
  Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override;
  std::unique_ptr<ByteReads> reads() const override;
  Depth depth() const override;

 private:
  class Host;
  FarBytes(std::unique_ptr<Host> host, FarFilm film);

  std::unique_ptr<Host> host_;
  FarFilm film_;
};

}  // namespace sail
