// A byte source whose reads wait for the test's permission, and may fail: a slow or failing disk
// without real time.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sail/media/storage/reading/byte_source.h"

namespace test {

class SlowBytes : public sail::ByteSource {
 public:
  explicit SlowBytes(std::vector<uint8_t> bytes) : content(std::move(bytes)) {}
  // Fills the content with a pattern that depends on the offset.
  explicit SlowBytes(size_t count) : content(count) {
    for (size_t i = 0; i < count; ++i) content[i] = static_cast<uint8_t>(i % 251 + i / 65536);
  }

  const std::string& name() const override { return name_; }
  sail::Result<uint64_t> size() const override { return content.size(); }
  sail::Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override {
    ++waiting;
    leave.acquire();
    --waiting;
    ++reads;
    for (const uint64_t place : broken) {
      if (mended || place < offset || place >= offset + bytes.size()) continue;
      return sail::fail(sail::ErrorCode::kIo,
                        fmt::format("cannot read {} at byte {}: it is broken", name_, place));
    }
    if (offset + bytes.size() > content.size()) {
      return sail::fail(sail::ErrorCode::kBadData, fmt::format("{} ends", name_));
    }
    std::copy_n(content.begin() + static_cast<ptrdiff_t>(offset), bytes.size(), bytes.begin());
    return {};
  }

  template <typename Condition>
  static void wait_until(const Condition& condition) {
    while (!condition()) std::this_thread::yield();
  }

  std::vector<uint8_t> content;
  std::vector<uint64_t> broken;  // offsets of bad bytes; set before the first read
  std::atomic<bool> mended{false};
  mutable std::counting_semaphore<> leave{0};
  mutable std::atomic<size_t> waiting{0};
  mutable std::atomic<size_t> reads{0};

 private:
  const std::string name_ = "slow";
};

}  // namespace test
