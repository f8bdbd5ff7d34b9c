// Previews to be made, in order, and the requests that wait for them. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace manager {

class PreviewQueue {
 public:
  static constexpr size_t kMostAtOnce = 2;    // Previews being made.
  static constexpr size_t kMostWaiting = 64;  // Previews to be made.

  struct Job {
    std::string key;   // Equal for equal pictures.
    std::string path;  // Path of the file.
  };
  // Adds a request for the preview. Returns false if the queue is full.
  bool add(uint64_t request, const Job& job);
  // The request is gone. Previews that no request waits for are not started.
  void leave(uint64_t request);
  // Returns the next preview to make, in order of arrival; empty: none, or kMostAtOnce are running.
  std::optional<Job> take();
  // A preview from take() is finished. Returns the requests that wait for it.
  std::vector<uint64_t> done(const std::string& key);

 private:
  struct Wanted {
    Job job;
    std::vector<uint64_t> requests;
    bool running = false;
  };
  size_t running() const;

  std::deque<Wanted> wanted_;
};

}  // namespace manager
