// The reads of many streams from one storage: in which order they go (ReadOrder), and not too many
// at a time. Those of this host's disks are made by threads that wait for them; others are under
// way elsewhere, and no thread waits. Any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "sail/base/result.h"
#include "sail/server/read_order.h"
#include "sail/storage/byte_source.h"

namespace server {

constexpr double kBytesOfMb = 1e6;

struct ReadFigures {
  size_t streams = 0;
  size_t waiting_reads = 0;
  uint64_t bytes = 0;       // read so far
  uint64_t late_reads = 0;  // of promised ones, after their deadlines
  double mb_per_s = 0;      // of the last second
  // What each best-effort stream that waited got of its rate in the last second; 1: all of it.
  double best_effort_share = 1;
};

struct ReadLimits {
  size_t reads = 16;          // under way at most
  double under_way_s = 0.25;  // and what the storage gives in that time: what is due next waits
};

class ReadQueue {
 public:
  using Job = sail::ByteReads::Job;

  // clock: of streams that read from others, too.
  explicit ReadQueue(const ReadLimits& limits = {},
                     std::shared_ptr<ReadClock> clock = std::make_shared<ReadClock>())
      : limits_(limits), order_(std::move(clock)) {}
  ~ReadQueue() { stop(); }
  ReadQueue(const ReadQueue&) = delete;
  ReadQueue& operator=(const ReadQueue&) = delete;

  // A stream, which claims nothing yet.
  void enter(uint64_t stream);
  // Waits for its jobs.
  void leave(uint64_t stream);
  void wait_for_none(uint64_t stream);
  // Nothing happens when the stream is none of these.
  void claim(uint64_t stream, const ReadClaim& claim);
  // By a thread of ours. The source lives until the job is done.
  void begin(uint64_t stream, const sail::ByteSource& source, Job job);
  // Or by these, which take calls of any thread and call back from a loop's.
  void begin(uint64_t stream, sail::ByteReads& reads, Job job);
  void drop_unwanted(uint64_t stream);
  // Waits for what is being read; whatever is wanted from now on fails (kUnavailable).
  void stop();
  // What the storage gives at its best: of a slow one less is asked for at a time, so that what is
  // due next waits behind little.
  void set_peak(double mb_per_s);
  ReadFigures figures();
  // Bytes that wait or are being read.
  size_t owed_bytes() const;

 private:
  struct Wanted {
    uint64_t number = 0;  // of the stream
    const sail::ByteSource* bytes = nullptr;
    sail::ByteReads* reads = nullptr;  // instead
    Job job;
  };
  // Of the last whole second.
  class LastSecond {
   public:
    void turn(int64_t now_ns, int64_t spare_now_ns);
    void add(size_t bytes, bool others_wait);

    double mb_per_s = 0;
    double share = 1;

   private:
    int64_t since_ns_ = 0;
    int64_t spare_since_ns_ = 0;
    uint64_t bytes_ = 0;
    uint64_t reads_ = 0;
    uint64_t short_reads_ = 0;  // while best-effort streams waited
  };

  // False: it is ending.
  bool put(Wanted& one);
  void finish(uint64_t stream, Job&& job, sail::Result<void> read);
  bool may_begin() const {
    return order_.waiting() > 0 && reading_bytes_ < most_bytes_ && reads_ < limits_.reads;
  }
  struct Begun {
    ReadOrder::Read read;
    Wanted one;
  };
  // Once it may.
  std::optional<Begun> take();
  void work();
  void hand_out();
  void count(const ReadOrder::Read& read, bool unwanted);

  const ReadLimits limits_;
  // Who wants to read and who reads share one order, from which reads are taken anywhere: that is
  // no mailbox.
  mutable std::mutex mutex_;
  std::condition_variable wanted_;
  std::condition_variable done_;
  ReadOrder order_;
  std::map<uint64_t, Wanted> jobs_;     // that wait, by ticket
  std::map<uint64_t, size_t> streams_;  // their jobs, with those that wait
  uint64_t last_ticket_ = 0;
  size_t waiting_bytes_ = 0;
  size_t reading_bytes_ = 0;
  size_t reads_ = 0;  // under way
  size_t most_bytes_ = SIZE_MAX;
  size_t idle_ = 0;  // threads
  bool ending_ = false;
  uint64_t bytes_ = 0;
  uint64_t late_reads_ = 0;
  LastSecond last_second_;
  std::vector<std::thread> threads_;
};

}  // namespace server
