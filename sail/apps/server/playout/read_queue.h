// Executes the reads of many streams on one storage, in ReadOrder's order and with a limit of reads
// in flight. Reads of local disks run on blocking threads; others are asynchronous and need no
// thread. Any thread.
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

#include "sail/apps/server/playout/read_order.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace server {

constexpr double kBytesOfMb = 1e6;

struct ReadFigures {
  size_t streams = 0;
  size_t waiting_reads = 0;
  uint64_t bytes = 0;       // read so far
  uint64_t late_reads = 0;  // promised reads that completed after their deadlines
  double mb_per_s = 0;      // over the last second
  // The fraction of its rate that each waiting best-effort stream got in the last second; 1: all.
  double best_effort_share = 1;
};

struct ReadLimits {
  size_t reads = 16;          // in flight, at most
  double under_way_s = 0.25;  // and at most the bytes of that time at peak rate, so that later
                              // reads stay in the queue
};

class ReadQueue {
 public:
  using Job = sail::ByteReads::Job;

  // clock: shared with other queues that the same streams use.
  explicit ReadQueue(const ReadLimits& limits = {},
                     std::shared_ptr<ReadClock> clock = std::make_shared<ReadClock>())
      : limits_(limits), order_(std::move(clock)) {}
  ~ReadQueue() { stop(); }
  ReadQueue(const ReadQueue&) = delete;
  ReadQueue& operator=(const ReadQueue&) = delete;

  // Adds a stream without a claim (best effort).
  void enter(uint64_t stream);
  // Waits for the stream's jobs, then removes it.
  void leave(uint64_t stream);
  void wait_for_none(uint64_t stream);
  // Ignored for unknown streams.
  void claim(uint64_t stream, const ReadClaim& claim);
  // Reads on one of the queue's threads. The source must live until the job is done.
  void begin(uint64_t stream, const sail::ByteSource& source, Job job);
  // Reads asynchronously. `reads` must accept calls from any thread.
  void begin(uint64_t stream, sail::ByteReads& reads, Job job);
  void drop_unwanted(uint64_t stream);
  // Waits for the reads in progress; later reads fail (kUnavailable).
  void stop();
  // Sets the storage's peak rate; 0: unknown. It limits the bytes in flight, so that an urgent read
  // never waits behind many others on slow storage.
  void set_peak(double mb_per_s);
  ReadFigures figures();
  // Bytes waiting or in flight.
  size_t owed_bytes() const;

 private:
  struct Wanted {
    uint64_t number = 0;  // number of the stream
    const sail::ByteSource* bytes = nullptr;
    sail::ByteReads* reads = nullptr;  // set instead of `bytes` for asynchronous reads
    Job job;
  };
  // Statistics over the last whole second.
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
    uint64_t short_reads_ = 0;  // reads while best-effort streams waited
  };

  // False: the queue is stopped.
  bool put(Wanted& one);
  void finish(uint64_t stream, Job&& job, sail::Result<void> read);
  bool may_begin() const {
    return order_.waiting() > 0 && reading_bytes_ < most_bytes_ && reads_ < limits_.reads;
  }
  struct Begun {
    ReadOrder::Read read;
    Wanted one;
  };
  // Takes the next read if the limits allow.
  std::optional<Begun> take();
  void work();
  void hand_out();
  void count(const ReadOrder::Read& read, bool unwanted);

  const ReadLimits limits_;
  // All threads take from one common order, at any position, so this is not a Mailbox.
  mutable std::mutex mutex_;
  std::condition_variable wanted_;
  std::condition_variable done_;
  ReadOrder order_;
  std::map<uint64_t, Wanted> jobs_;     // waiting jobs, by ticket
  std::map<uint64_t, size_t> streams_;  // number of jobs per stream, waiting or in flight
  uint64_t last_ticket_ = 0;
  size_t waiting_bytes_ = 0;
  size_t reading_bytes_ = 0;
  size_t reads_ = 0;  // in flight
  size_t most_bytes_ = SIZE_MAX;
  size_t idle_ = 0;  // threads that wait for reads
  bool ending_ = false;
  uint64_t bytes_ = 0;
  uint64_t late_reads_ = 0;
  LastSecond last_second_;
  std::vector<std::thread> threads_;
};

}  // namespace server
