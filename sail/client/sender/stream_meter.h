// Counts a stream's frames and bytes for the manager. Rates are over the time since the last call
// of stats(). Loop thread.
#pragma once

#include <cstdint>

#include "sail/client/sender/submit_queue.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/core/wire/stats.h"

namespace sail {

class StreamMeter {
 public:
  // The next rates are over the time from now on.
  void restart(int64_t now_ns) { last_ns_ = now_ns; }

  // bytes_sent: total since the start. The stream's number, delay and links are left empty.
  StreamStats stats(const SubmitQueue::Status& status, FrameLedger& ledger, uint64_t bytes_sent,
                    int64_t now_ns);

 private:
  int64_t last_ns_ = 0;
  uint64_t last_bytes_ = 0;
};

}  // namespace sail
