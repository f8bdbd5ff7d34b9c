// Datagrams on their way, each until its time. Keeps its memory for the next ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sail {

class DelayedPackets {
 public:
  struct Packet {
    int64_t leaves_ns = 0;
    uint64_t place = 0;  // in the order of coming, for those that leave at one time
    uint32_t flow = 0;
    std::vector<uint8_t> bytes;
  };

  explicit DelayedPackets(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Copies the bytes. False: they do not fit any more.
  bool put(int64_t leaves_ns, uint32_t flow, std::span<const uint8_t> bytes);
  // When the next one leaves.
  std::optional<int64_t> next_ns() const;
  // The next one when it leaves by now, else null. Give it back, or put it back.
  std::unique_ptr<Packet> take_due(int64_t now_ns);
  void put_back(std::unique_ptr<Packet> packet);
  void recycle(std::unique_ptr<Packet> packet);

 private:
  const size_t max_bytes_;
  size_t allocated_bytes_ = 0;
  uint64_t places_ = 0;
  std::vector<std::unique_ptr<Packet>> heap_;  // the next one first
  std::vector<std::unique_ptr<Packet>> free_;
};

}  // namespace sail
