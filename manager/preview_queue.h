// Which previews are to be made, in which order, and which requests wait for them. Pure.
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
  static constexpr size_t kMostAtOnce = 2;    // that are being made
  static constexpr size_t kMostWaiting = 64;  // to be made

  struct Job {
    std::string key;   // the same for the same picture
    std::string path;  // of the file
  };
  // The request wants that preview, too. False: as many are wanted as may be.
  bool add(uint64_t request, const Job& job);
  // The request is gone. What nobody wants any more is not begun.
  void leave(uint64_t request);
  // The next one to be made, in the order in which they came; nothing while as many are being made
  // as may be.
  std::optional<Job> take();
  // One that was taken is over: the requests that wait for it.
  std::vector<uint64_t> done(const std::string& key);

 private:
  struct Wanted {
    Job job;
    std::vector<uint64_t> requests;
    bool being_made = false;
  };
  size_t being_made() const;

  std::deque<Wanted> wanted_;
};

}  // namespace manager
