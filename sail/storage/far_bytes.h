// A file that a server sends in parts: many requests for ranges at a time (CurlTransfers), on a
// loop of the source's own. What fails and may pass is asked for again, and counted; what comes in
// less than the whole is asked for from there on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sail/storage/byte_source.h"
#include "sail/storage/curl_transfers.h"
#include "sail/storage/far_reply.h"

namespace sail {

struct FarPatience {
  int failures = 5;  // in a row that brought nothing
  int64_t silence_ms = 5000;
  int64_t pause_ms = 100;  // after the first of them; twice as long after each other
  int64_t most_pause_ms = 10'000;

  // What the server wishes (Retry-After) within reason, or else as above.
  int64_t pause_after(int failure, std::optional<int64_t> wished_s) const;
};

class FarBytes : public ByteSource {
 public:
  // name: for people. kUnavailable: it cannot be read at any place, though it may be there.
  // kTimeout: given up.
  static Result<std::unique_ptr<const ByteSource>> open(const std::string& name, FarAddress address,
                                                        const GiveUp& give_up,
                                                        const FarPatience& patience = {});
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
