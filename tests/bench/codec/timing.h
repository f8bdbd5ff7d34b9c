// Times candidates side by side.
#pragma once

#include <functional>
#include <vector>

#include "tests/bench/codec/candidate.h"

namespace bench {

// Medians over the rounds, in seconds for each run.
struct Timing {
  double alone = 0;     // CPU time of the one thread
  double together = 0;  // wall time; 0 if the pool has no threads
};

struct Rounds {
  double seconds = 20;  // rounds continue for this time …
  int least = 3;        // … and at least this often
  // Fills the caches with other memory before each run: the picture is read from memory, like a new
  // frame.
  bool fill_caches = true;
};

// Each round runs every candidate once alone and once together, so that all see the same state of
// the machine. `progress` gets the finished round and the seconds since the start.
std::vector<Timing> time_candidates(const std::vector<Candidate>& candidates,
                                    sail::WorkerPool& pool, const Rounds& rounds,
                                    const std::function<void(int round, double seconds)>& progress);

}  // namespace bench
