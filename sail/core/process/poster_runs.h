// Runs vitrail-poster, which reads untrusted files in a separate process, so that slow or damaged
// files do not affect this process. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"

namespace sail {

class PosterRuns {
 public:
  // wait_timeout_ms: a run is killed after this timeout.
  PosterRuns(Loop& loop, std::string program, int64_t wait_timeout_ms = 30'000)
      : loop_(loop), program_(std::move(program)), wait_timeout_ms_(wait_timeout_ms) {}

  // Result of a run and its output. kTimeout: killed after the timeout; kInternal: died of a
  // signal; kBadData: failed with an exit status.
  using Done = std::function<void(const Result<void>& end, std::string_view output)>;
  // `options` and `files` are passed to vitrail-poster. If an error is returned, nothing was
  // started and `done` is never called.
  Result<void> start(const std::vector<std::string>& options, const std::vector<std::string>& paths,
                     size_t most_bytes, Done done, const ChildFiles& files = {});

 private:
  struct Run {
    std::unique_ptr<Process> process;
    Timer timeout;
    bool late = false;
  };

  Loop& loop_;
  const std::string program_;
  const int64_t wait_timeout_ms_;
  std::map<uint64_t, Run> runs_;
  uint64_t next_ = 1;
};

}  // namespace sail
