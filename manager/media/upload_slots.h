// Limits the uploads that may send data at a time, in total and per address. An upload that sends
// nothing for a while loses its slot to others. Pure; time is an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace manager {

class UploadSlots {
 public:
  struct Limits {
    size_t most = 24;
    size_t most_of_address = 8;
    int64_t idle_ns = 30'000'000'000;  // A slot without data for this long is given up.
  };
  explicit UploadSlots(Limits limits) : limits_(limits) {}

  // Returns false if no slot is free for this address. An upload that has a slot keeps it.
  bool take(const std::string& upload, const std::string& address, int64_t now_ns);
  // The upload has received data.
  void touch(const std::string& upload, int64_t now_ns);
  void leave(const std::string& upload) { slots_.erase(upload); }
  bool has(const std::string& upload, int64_t now_ns) const;

 private:
  struct Slot {
    std::string address;
    int64_t touched_ns = 0;
  };
  bool is_idle(const Slot& slot, int64_t now_ns) const {
    return now_ns - slot.touched_ns >= limits_.idle_ns;
  }

  const Limits limits_;
  std::map<std::string, Slot> slots_;  // By upload id.
};

}  // namespace manager
