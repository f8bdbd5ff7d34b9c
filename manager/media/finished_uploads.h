// Completed uploads, for clients that missed the final response. Pure; time is an argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace manager {

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
