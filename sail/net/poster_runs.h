// Runs of vitrail-poster, which looks into files that may be anything, so that neither a slow file
// nor a damaged one is this process's trouble. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/process.h"

namespace sail {

class PosterRuns {
 public:
  // patience_ms: a run is ended then.
  PosterRuns(Loop& loop, std::string program, int64_t patience_ms = 30'000)
      : loop_(loop), program_(std::move(program)), patience_ms_(patience_ms) {}

  // How a run ended, and what it has written until then. kTimeout: it was ended; kInternal: it died
  // of a signal; kBadData: it says that it failed.
  using Done = std::function<void(const Result<void>& end, std::string_view output)>;
  // The options are vitrail-poster's, and so is `files`. An error: nothing was started, and done
  // never comes.
  Result<void> start(const std::vector<std::string>& options, const std::vector<std::string>& paths,
                     size_t most_bytes, Done done, const ChildFiles& files = {});

 private:
  struct Run {
    std::unique_ptr<Process> process;
    Timer patience;
    bool late = false;
  };

  Loop& loop_;
  const std::string program_;
  const int64_t patience_ms_;
  std::map<uint64_t, Run> runs_;
  uint64_t next_ = 1;
};

}  // namespace sail
