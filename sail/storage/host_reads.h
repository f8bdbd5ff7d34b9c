// Reads that are under way on the loop of a source's host, of which all readers share it. A host
// has begin(), drop_unwanted(), retries() and settle(), which any thread may call: when settle()
// returns nothing calls back any more of what was done before.
#pragma once

#include <cstdint>
#include <utility>

#include "sail/storage/byte_source.h"

namespace sail {

template <typename Host>
class HostReads : public ByteReads {
 public:
  explicit HostReads(Host& host) : host_(host) {}
  ~HostReads() override { host_.settle(); }

  void begin(Job job) override { host_.begin(std::move(job)); }
  void drop_unwanted() override { host_.drop_unwanted(); }
  uint64_t retries() const override { return host_.retries(); }

 private:
  Host& host_;
};

}  // namespace sail
