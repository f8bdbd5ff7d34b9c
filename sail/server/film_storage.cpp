#include "sail/server/film_storage.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "sail/base/clock.h"
#include "sail/base/thread_name.h"
#include "sail/server/placed_film.h"

namespace server {
namespace {

using Job = sail::ByteReads::Job;

// What a storage gives in that time is under way at most: what is due next waits so long.
constexpr double kUnderWayS = 0.25;
constexpr size_t kLeastUnderWay = size_t{256} << 10;

// Of the last whole second.
class LastSecond {
 public:
  void turn(int64_t now_ns, int64_t spare_now_ns) {
    const int64_t gone_ns = now_ns - since_ns_;
    if (gone_ns < sail::kSecondNs) return;
    const auto seconds = static_cast<double>(gone_ns) / sail::kSecondNs;
    mb_per_s = static_cast<double>(bytes_) / seconds / kBytesOfMb;
    // Their time goes as fast as the clock when they get just what they need.
    const auto got = static_cast<double>(spare_now_ns - spare_since_ns_) / sail::kSecondNs;
    share = reads_ > 0 && short_reads_ == reads_ ? std::min(got / seconds, 1.0) : 1;
    since_ns_ = now_ns;
    spare_since_ns_ = spare_now_ns;
    bytes_ = reads_ = short_reads_ = 0;
  }
  void add(size_t bytes, bool others_wait) {
    bytes_ += bytes;
    ++reads_;
    short_reads_ += others_wait ? 1 : 0;
  }

  double mb_per_s = 0;
  double share = 1;

 private:
  int64_t since_ns_ = 0;
  int64_t spare_since_ns_ = 0;
  uint64_t bytes_ = 0;
  uint64_t reads_ = 0;
  uint64_t short_reads_ = 0;  // while best-effort streams waited
};

}  // namespace

struct FilmStorage::Core {
  struct Wanted {
    uint64_t number = 0;  // of the stream
    const sail::ByteSource* bytes = nullptr;
    Job job;
  };

  ~Core() { stop(); }

  void stop() {
    std::map<uint64_t, Wanted> left;
    {
      const std::lock_guard lock(mutex);
      ending = true;
      left.swap(jobs);
      const auto all = [](uint64_t) { return true; };
      for (const auto& [ticket, one] : left) order.drop(one.number, 0, all);
    }
    wanted.notify_all();
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    for (auto& [ticket, one] : left) finish(one.number, std::move(one.job), ended());
  }

  static sail::Error ended() {
    return sail::fail(sail::ErrorCode::kUnavailable, "this server is ending");
  }

  void enter(uint64_t number) {
    const std::lock_guard lock(mutex);
    order.enter(number, {});
    under_way[number] = 0;
  }

  // Its jobs are done, or nearly: their last words are waited for.
  void wait_for_none(uint64_t number) {
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return under_way.at(number) == 0; });
  }

  void leave(uint64_t number) {
    wait_for_none(number);
    const std::lock_guard lock(mutex);
    order.drop(number, sail::steady_now_ns(), [](uint64_t) { return true; });
    under_way.erase(number);
    order.leave(number);
  }

  void claim(uint64_t number, const ReadClaim& wanted_claim) {
    const std::lock_guard lock(mutex);
    if (!under_way.contains(number)) return;
    order.claim(number, wanted_claim, sail::steady_now_ns());
  }

  void begin(uint64_t number, const sail::ByteSource& source, Job job) {
    {
      const std::lock_guard lock(mutex);
      ++under_way.at(number);
      if (!ending) {
        order.put(number, ++last_ticket, job.bytes.size(), sail::steady_now_ns());
        jobs.emplace(last_ticket, Wanted{number, &source, std::move(job)});
        if (idle == 0 && threads.size() < kMostReads) threads.emplace_back([this] { work(); });
        wanted.notify_one();
        return;
      }
    }
    finish(number, std::move(job), ended());
  }

  void drop_unwanted(uint64_t number) {
    std::vector<Wanted> dropped;
    {
      const std::lock_guard lock(mutex);
      const auto unwanted = [this](uint64_t ticket) {
        const auto* flag = jobs.at(ticket).job.unwanted;
        return flag != nullptr && *flag;
      };
      for (const uint64_t ticket : order.drop(number, sail::steady_now_ns(), unwanted)) {
        dropped.push_back(std::move(jobs.extract(ticket).mapped()));
      }
    }
    for (Wanted& one : dropped) finish(number, std::move(one.job), {});
  }

  void finish(uint64_t number, Job&& job, sail::Result<void> read) {
    // What the job holds goes last: it may be the stream, which waits for its jobs.
    const Job held = std::move(job);
    held.done(std::move(read));
    {
      const std::lock_guard lock(mutex);
      --under_way.at(number);
    }
    done.notify_all();
  }

  bool may_begin() const { return order.waiting() > 0 && reading_bytes < most_bytes; }

  void work() {
    sail::name_this_thread("film reads");
    std::unique_lock lock(mutex);
    for (;;) {
      ++idle;
      wanted.wait(lock, [this] { return ending || may_begin(); });
      --idle;
      if (ending) return;
      const auto read = order.take(sail::steady_now_ns());
      if (!read) continue;
      Wanted one = std::move(jobs.extract(read->ticket).mapped());
      reading_bytes += read->bytes;
      lock.unlock();
      sail::Result<void> result;
      const bool unwanted = one.job.unwanted != nullptr && *one.job.unwanted;
      if (!unwanted) result = one.bytes->read(one.job.offset, one.job.bytes);
      lock.lock();
      count(*read, unwanted);
      const bool others_may = idle > 0 && may_begin();
      lock.unlock();
      if (others_may) wanted.notify_one();
      finish(read->stream, std::move(one.job), std::move(result));
      lock.lock();
    }
  }

  void count(const ReadOrder::Read& read, bool unwanted) {
    reading_bytes -= read.bytes;
    if (unwanted) return;
    const int64_t now_ns = sail::steady_now_ns();
    if (read.due_ns > 0 && now_ns > read.due_ns) ++late_reads;
    bytes += read.bytes;
    last_second.turn(now_ns, order.spare_now_ns());
    last_second.add(read.bytes, order.spare_waits());
  }

  // Who wants to read and who reads share one order, from which reads are taken anywhere: that is
  // no mailbox.
  mutable std::mutex mutex;
  std::condition_variable wanted;
  std::condition_variable done;
  ReadOrder order;
  std::map<uint64_t, Wanted> jobs;       // that wait, by ticket
  std::map<uint64_t, size_t> under_way;  // of each stream, with those that wait
  uint64_t last_ticket = 0;
  size_t reading_bytes = 0;
  size_t most_bytes = SIZE_MAX;
  size_t idle = 0;  // threads
  bool ending = false;
  uint64_t bytes = 0;
  uint64_t late_reads = 0;
  LastSecond last_second;
  std::vector<std::thread> threads;
};

// --- FilmStorage -----------------------------------------------------------------------------

std::shared_ptr<FilmStorage> FilmStorage::create(Open open) {
  if (!open) open = [](const std::string& path) { return open_stored(path); };
  return std::shared_ptr<FilmStorage>(new FilmStorage(std::move(open)));
}

FilmStorage::FilmStorage(Open open)
    : open_(std::move(open)), cores_{std::make_unique<Core>(), std::make_unique<Core>()} {}
FilmStorage::~FilmStorage() = default;

sail::Result<std::unique_ptr<StreamBytes>> FilmStorage::open(const std::string& path,
                                                             size_t depth) {
  auto bytes = open_(path);
  if (!bytes) return bytes.error();
  return std::unique_ptr<StreamBytes>(
      new StreamBytes(shared_from_this(), is_placed(path) ? Store::kDisks : Store::kFolder,
                      std::move(*bytes), depth));
}

void FilmStorage::claim(uint64_t stream, const ReadClaim& claim) {
  for (const auto& core : cores_) core->claim(stream, claim);
}

void FilmStorage::stop() {
  for (const auto& core : cores_) core->stop();
}

void FilmStorage::set_peak(double mb_per_s, Store store) {
  const auto most = static_cast<size_t>(mb_per_s * kBytesOfMb * kUnderWayS);
  Core& its = core(store);
  const std::lock_guard lock(its.mutex);
  its.most_bytes = mb_per_s > 0 ? std::max(most, kLeastUnderWay) : SIZE_MAX;
}

FilmStorage::Figures FilmStorage::figures(Store store) const {
  Core& its = core(store);
  const std::lock_guard lock(its.mutex);
  its.last_second.turn(sail::steady_now_ns(), its.order.spare_now_ns());
  return {.streams = its.under_way.size(),
          .waiting_reads = its.order.waiting(),
          .bytes = its.bytes,
          .late_reads = its.late_reads,
          .mb_per_s = its.last_second.mb_per_s,
          .best_effort_share = its.last_second.share};
}

// --- StreamBytes -----------------------------------------------------------------------------

// Of somebody who reads ahead.
struct StreamBytes::Reads : sail::ByteReads {
  explicit Reads(const StreamBytes& its_stream) : stream(its_stream) {}
  ~Reads() override { stream.storage_->core(stream.store_).wait_for_none(stream.number_); }
  void begin(Job job) override { stream.begin(std::move(job)); }
  void drop_unwanted() override { stream.drop_unwanted(); }

  const StreamBytes& stream;
};

StreamBytes::StreamBytes(std::shared_ptr<FilmStorage> storage, Store store,
                         std::unique_ptr<const sail::ByteSource> bytes, size_t depth)
    : storage_(std::move(storage)),
      store_(store),
      bytes_(std::move(bytes)),
      number_(++storage_->last_number_),
      depth_(depth) {
  storage_->core(store_).enter(number_);
}

StreamBytes::~StreamBytes() {
  storage_->core(store_).leave(number_);
}

sail::Result<void> StreamBytes::read(uint64_t offset, std::span<uint8_t> bytes) const {
  return sail::read_and_wait(*this, offset, bytes);
}

std::unique_ptr<sail::ByteReads> StreamBytes::reads() const {
  return std::make_unique<Reads>(*this);
}

void StreamBytes::begin(Job job) const {
  storage_->core(store_).begin(number_, *bytes_, std::move(job));
}

void StreamBytes::drop_unwanted() const {
  storage_->core(store_).drop_unwanted(number_);
}

}  // namespace server
