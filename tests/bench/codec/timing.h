// Times candidates side by side.
#pragma once

#include <functional>
#include <vector>

#include "tests/bench/codec/candidate.h"

namespace bench {

// Medians over the rounds, seconds a run.
struct Timing {
  double alone = 0;     // CPU time of the one thread
  double together = 0;  // wall time; 0 when the pool has no threads
};

struct Rounds {
  double seconds = 20;  // rounds go on for so long …
  int least = 3;        // … and at least so often
  // Before each run the caches are filled with other memory: the picture comes from memory, as a
  // new frame does.
  bool fill_caches = true;
};

// In each round every candidate runs once alone and once together, so that all of them see the
// same moods of the machine. `progress` hears of each finished round and the seconds since the
// start.
std::vector<Timing> time_candidates(const std::vector<Candidate>& candidates,
                                    sail::WorkerPool& pool, const Rounds& rounds,
                                    const std::function<void(int round, double seconds)>& progress);

}  // namespace bench
