#include "sail/apps/server/playout/read_queue.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

constexpr size_t kLeastUnderWay = size_t{256} << 10;

sail::Error ended() {
  return sail::fail(sail::ErrorCode::kUnavailable, "this server is shutting down");
}

}  // namespace

void ReadQueue::LastSecond::turn(int64_t now_ns, int64_t spare_now_ns) {
  const int64_t gone_ns = now_ns - since_ns_;
  if (gone_ns < sail::kSecondNs) return;
  const auto seconds = static_cast<double>(gone_ns) / sail::kSecondNs;
  mb_per_s = static_cast<double>(bytes_) / seconds / kBytesOfMb;
  // Virtual time runs at the speed of steady time when streams get exactly their rates.
  const auto got = static_cast<double>(spare_now_ns - spare_since_ns_) / sail::kSecondNs;
  share = reads_ > 0 && short_reads_ == reads_ ? std::min(got / seconds, 1.0) : 1;
  since_ns_ = now_ns;
  spare_since_ns_ = spare_now_ns;
  bytes_ = reads_ = short_reads_ = 0;
}

void ReadQueue::LastSecond::add(size_t bytes, bool others_wait) {
  bytes_ += bytes;
  ++reads_;
  short_reads_ += others_wait ? 1 : 0;
}

// --- streams -------------------------------------------------------------------------------------

void ReadQueue::enter(uint64_t stream) {
  const std::lock_guard lock(mutex_);
  order_.enter(stream, {});
  streams_[stream] = 0;
}

// Also waits until the callbacks of completed jobs have returned.
void ReadQueue::wait_for_none(uint64_t stream) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return streams_.at(stream) == 0; });
}

void ReadQueue::leave(uint64_t stream) {
  wait_for_none(stream);
  const std::lock_guard lock(mutex_);
  streams_.erase(stream);
  order_.leave(stream);
}

void ReadQueue::claim(uint64_t stream, const ReadClaim& claim) {
  const std::lock_guard lock(mutex_);
  if (streams_.contains(stream)) order_.claim(stream, claim, sail::steady_now_ns());
}

// --- jobs ----------------------------------------------------------------------------------------

void ReadQueue::begin(uint64_t stream, const sail::ByteSource& source, Job job) {
  Wanted one{stream, &source, nullptr, std::move(job)};
  if (!put(one)) finish(stream, std::move(one.job), ended());
}

void ReadQueue::begin(uint64_t stream, sail::ByteReads& reads, Job job) {
  Wanted one{stream, nullptr, &reads, std::move(job)};
  if (!put(one)) return finish(stream, std::move(one.job), ended());
  hand_out();
}

bool ReadQueue::put(Wanted& one) {
  const std::lock_guard lock(mutex_);
  ++streams_.at(one.number);
  if (ending_) return false;
  const bool needs_thread = one.bytes != nullptr && idle_ == 0 && threads_.size() < limits_.reads;
  order_.put(one.number, ++last_ticket_, one.job.bytes.size(), sail::steady_now_ns());
  waiting_bytes_ += one.job.bytes.size();
  jobs_.emplace(last_ticket_, std::move(one));
  if (needs_thread) threads_.emplace_back([this] { work(); });
  wanted_.notify_one();
  return true;
}

void ReadQueue::drop_unwanted(uint64_t stream) {
  std::vector<Wanted> dropped;
  {
    const std::lock_guard lock(mutex_);
    const auto unwanted = [this](uint64_t ticket) {
      const auto* flag = jobs_.at(ticket).job.unwanted;
      return flag != nullptr && *flag;
    };
    for (const uint64_t ticket : order_.drop(stream, unwanted)) {
      order_.end(stream);
      dropped.push_back(std::move(jobs_.extract(ticket).mapped()));
      waiting_bytes_ -= dropped.back().job.bytes.size();
    }
  }
  for (Wanted& one : dropped) finish(stream, std::move(one.job), {});
}

void ReadQueue::finish(uint64_t stream, Job&& job, sail::Result<void> read) {
  // Destroy the job's callback before the stream counts as idle: it may hold the stream, whose
  // destructor waits for its jobs.
  const Job held = std::move(job);
  held.done(std::move(read));
  {
    const std::lock_guard lock(mutex_);
    --streams_.at(stream);
  }
  done_.notify_all();
}

void ReadQueue::stop() {
  std::map<uint64_t, Wanted> left;
  {
    std::unique_lock lock(mutex_);
    ending_ = true;
    left.swap(jobs_);
    waiting_bytes_ = 0;
    const auto all = [](uint64_t) { return true; };
    for (const auto& [ticket, one] : left) order_.drop(one.number, all);
    wanted_.notify_all();
    done_.wait(lock, [this] { return reads_ == 0; });
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  for (auto& [ticket, one] : left) finish(one.number, std::move(one.job), ended());
}

// --- reading -------------------------------------------------------------------------------------

std::optional<ReadQueue::Begun> ReadQueue::take() {
  if (ending_ || !may_begin()) return {};
  const auto read = order_.take(sail::steady_now_ns());
  if (!read) return {};
  ++reads_;
  waiting_bytes_ -= read->bytes;
  reading_bytes_ += read->bytes;
  return Begun{*read, std::move(jobs_.extract(read->ticket).mapped())};
}

void ReadQueue::work() {
  sail::name_this_thread("film reads");
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wanted_.wait(lock, [this] { return ending_ || may_begin(); });
    --idle_;
    if (ending_) return;
    auto begun = take();
    if (!begun) continue;
    lock.unlock();
    Job& job = begun->one.job;
    sail::Result<void> result;
    const bool unwanted = job.unwanted != nullptr && *job.unwanted;
    if (!unwanted) result = begun->one.bytes->read(job.offset, job.bytes);
    lock.lock();
    count(begun->read, unwanted);
    const bool others_may = idle_ > 0 && may_begin();
    lock.unlock();
    if (others_may) wanted_.notify_one();
    done_.notify_all();
    finish(begun->read.stream, std::move(job), std::move(result));
    lock.lock();
  }
}

void ReadQueue::hand_out() {
  for (;;) {
    std::unique_lock lock(mutex_);
    auto begun = take();
    lock.unlock();
    if (!begun) return;
    sail::ByteReads& reads = *begun->one.reads;
    const auto job = std::make_shared<Job>(std::move(begun->one.job));
    reads.begin({job->offset, job->bytes, job->unwanted,
                 [this, read = begun->read, job](sail::Result<void> result) {
                   {
                     const std::lock_guard counted(mutex_);
                     count(read, job->unwanted != nullptr && *job->unwanted);
                   }
                   hand_out();
                   done_.notify_all();
                   finish(read.stream, std::move(*job), std::move(result));
                 }});
  }
}

void ReadQueue::count(const ReadOrder::Read& read, bool unwanted) {
  --reads_;
  order_.end(read.stream);
  reading_bytes_ -= read.bytes;
  if (unwanted) return;
  const int64_t now_ns = sail::steady_now_ns();
  if (read.due_ns > 0 && now_ns > read.due_ns) ++late_reads_;
  bytes_ += read.bytes;
  last_second_.turn(now_ns, order_.spare_now_ns());
  last_second_.add(read.bytes, order_.spare_waits());
}

// --- statistics ----------------------------------------------------------------------------------

void ReadQueue::set_peak(double mb_per_s) {
  const auto most = static_cast<size_t>(mb_per_s * kBytesOfMb * limits_.under_way_s);
  const std::lock_guard lock(mutex_);
  most_bytes_ = mb_per_s > 0 ? std::max(most, kLeastUnderWay) : SIZE_MAX;
}

ReadFigures ReadQueue::figures() {
  const std::lock_guard lock(mutex_);
  last_second_.turn(sail::steady_now_ns(), order_.spare_now_ns());
  return {.streams = streams_.size(),
          .waiting_reads = order_.waiting(),
          .bytes = bytes_,
          .late_reads = late_reads_,
          .mb_per_s = last_second_.mb_per_s,
          .best_effort_share = last_second_.share};
}

size_t ReadQueue::owed_bytes() const {
  const std::lock_guard lock(mutex_);
  return waiting_bytes_ + reading_bytes_;
}

}  // namespace server
