// Uploads that are whole, for clients that lost the answer which told so. Pure: time is an
// argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace manager {

class FinishedUploads {
 public:
  static constexpr size_t kMost = 256;  // the oldest is forgotten for a new one

  struct Finished {
    std::string id;
    uint64_t size = 0;   // bytes
    std::string source;  // that the file has become
    int64_t at_ns = 0;   // steady
  };
  // at_ns: not before those of all others.
  void add(Finished upload);
  // Null when it is not known. Good until the next call of another function.
  const Finished* find(const std::string& id) const;
  void forget_before(int64_t at_ns);

 private:
  std::deque<Finished> uploads_;  // the oldest first
};

}  // namespace manager
