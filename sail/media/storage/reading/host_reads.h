// ByteReads of a source whose host (an event loop with its reads) is shared by all readers. A host
// has begin(), drop_unwanted(), retries() and finish(), callable from any thread. When finish()
// returns, no earlier call causes a callback any more.
#pragma once

#include <cstdint>
#include <utility>

#include "sail/media/storage/reading/byte_source.h"

namespace sail {

template <typename Host>
class HostReads : public ByteReads {
 public:
  explicit HostReads(Host& host) : host_(host) {}
  ~HostReads() override { host_.finish(); }

  void begin(Job job) override { host_.begin(std::move(job)); }
  void drop_unwanted() override { host_.drop_unwanted(); }
  uint64_t retries() const override { return host_.retries(); }

 private:
  Host& host_;
};

}  // namespace sail
