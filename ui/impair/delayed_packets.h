// Queue of datagrams in transit, ordered by departure time. Reuses the memory of packets.
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
    uint64_t place = 0;  // arrival number; orders packets with the same departure time
    uint32_t flow = 0;
    std::vector<uint8_t> bytes;
  };

  explicit DelayedPackets(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Copies the bytes. Returns false if max_bytes would be exceeded.
  bool put(int64_t leaves_ns, uint32_t flow, std::span<const uint8_t> bytes);
  // Returns the departure time of the next packet.
  std::optional<int64_t> next_ns() const;
  // Returns the next packet if it is due, else null. Afterwards call recycle() or put_back().
  std::unique_ptr<Packet> take_due(int64_t now_ns);
  void put_back(std::unique_ptr<Packet> packet);
  void recycle(std::unique_ptr<Packet> packet);

 private:
  const size_t max_bytes_;
  size_t allocated_bytes_ = 0;
  uint64_t places_ = 0;
  std::vector<std::unique_ptr<Packet>> heap_;  // min-heap by departure time
  std::vector<std::unique_ptr<Packet>> free_;
};

}  // namespace sail
