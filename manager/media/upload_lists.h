// Lists of uploads: those that may send data now, and those that are complete. Pure; time is an
// argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace manager {

// Limits the uploads that may send data at a time, in total and per address. An upload that sends
// nothing for a while loses its slot to others.
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

// Completed uploads, for clients that missed the final response.
class FinishedUploads {
 public:
  static constexpr size_t kMost = 256;  // A new entry evicts the oldest.

  struct Finished {
    std::string id;
    uint64_t size = 0;   // Bytes.
    std::string source;  // Id of the source that the file became.
    int64_t at_ns = 0;   // Steady.
  };
  // at_ns: not earlier than that of any other entry.
  void add(Finished upload);
  // Null if unknown. Valid until the next call of another function.
  const Finished* find(const std::string& id) const;
  void forget_before(int64_t at_ns);

 private:
  std::deque<Finished> uploads_;  // Oldest first.
};

}  // namespace manager
