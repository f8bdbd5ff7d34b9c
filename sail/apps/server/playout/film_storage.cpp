#include "sail/apps/server/playout/film_storage.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "sail/apps/server/catalogue/placed_film.h"

namespace server {
namespace {

// A stream has only a few reads in flight over all disk servers, so a long queue at one would leave
// the others idle.
constexpr ReadLimits kOfDisk{.under_way_s = 0.1};

}  // namespace

// --- FilmStorage ---------------------------------------------------------------------------------

std::shared_ptr<FilmStorage> FilmStorage::create(Open open) {
  if (!open) open = [](const std::string& path) { return open_stored(path); };
  return std::shared_ptr<FilmStorage>(new FilmStorage(std::move(open)));
}

FilmStorage::FilmStorage(Open open) : open_(std::move(open)) {}
FilmStorage::~FilmStorage() = default;

sail::Result<std::unique_ptr<StreamBytes>> FilmStorage::open(const std::string& path,
                                                             size_t depth) {
  Spread spread;
  if (is_placed(path)) {
    auto known = Spread::of(path);
    if (!known) return std::move(known.error());
    spread = std::move(*known);
  }
  auto bytes = open_(path);
  if (!bytes) return bytes.error();
  return std::unique_ptr<StreamBytes>(
      new StreamBytes(shared_from_this(), std::move(spread), std::move(*bytes), depth));
}

ReadQueue& FilmStorage::queue_of(const std::string& disk) {
  const std::lock_guard lock(mutex_);
  auto& queue = disks_[disk];
  if (!queue) queue = std::make_unique<ReadQueue>(kOfDisk, disks_clock_);
  return *queue;
}

template <typename Do>
void FilmStorage::for_each_disk(const Do& act) const {
  std::vector<ReadQueue*> queues;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, queue] : disks_) queues.push_back(queue.get());
  }
  for (ReadQueue* queue : queues) act(*queue);
}

void FilmStorage::claim(uint64_t stream, const ReadClaim& claim) {
  folder_.claim(stream, claim);
  for_each_disk([&](ReadQueue& queue) { queue.claim(stream, claim); });
}

void FilmStorage::stop() {
  folder_.stop();
  for_each_disk([](ReadQueue& queue) { queue.stop(); });
}

ReadFigures FilmStorage::figures(Store store) const {
  if (store == Store::kFolder) return folder_.figures();
  ReadFigures all;
  for_each_disk([&all](ReadQueue& queue) {
    const ReadFigures one = queue.figures();
    all.streams = std::max(all.streams, one.streams);
    all.waiting_reads += one.waiting_reads;
    all.bytes += one.bytes;
    all.late_reads += one.late_reads;
    all.mb_per_s += one.mb_per_s;
    all.best_effort_share = std::min(all.best_effort_share, one.best_effort_share);
  });
  return all;
}

// --- StreamBytes ---------------------------------------------------------------------------------

// The reads of one reader ahead.
struct StreamBytes::Reads : sail::ByteReads {
  explicit Reads(const StreamBytes& its_stream) : stream(its_stream) {}
  ~Reads() override {
    for (const auto& [disk, queue] : stream.queues_) queue->wait_for_none(stream.number_);
  }
  void begin(Job job) override { stream.begin(std::move(job)); }
  void drop_unwanted() override { stream.drop_unwanted(); }

  const StreamBytes& stream;
};

// A job whose parts are read from several disk servers.
struct StreamBytes::Whole {
  explicit Whole(sail::ByteReads::Job its_job) : job(std::move(its_job)) {}

  void add_part() {
    const std::lock_guard lock(mutex);
    ++left;
  }
  void part_done(sail::Result<void> read) {
    {
      const std::lock_guard lock(mutex);
      if (!read && result) result = std::move(read);
      if (--left > 0) return;
    }
    job.done(std::move(result));
  }

  const sail::ByteReads::Job job;
  std::mutex mutex;  // parts complete on several threads
  size_t left = 1;
  sail::Result<void> result;
};

StreamBytes::StreamBytes(std::shared_ptr<FilmStorage> storage, Spread spread,
                         std::unique_ptr<const sail::ByteSource> bytes, size_t depth)
    : storage_(std::move(storage)),
      spread_(std::move(spread)),
      bytes_(std::move(bytes)),
      reads_(spread_.shares().empty() ? nullptr : bytes_->reads()),
      number_(++storage_->last_number_),
      depth_(depth) {
  for (const auto& [disk, share] : spread_.shares()) {
    ReadQueue& queue = storage_->queue_of(disk);
    queue.enter(number_);
    queues_[disk] = &queue;
  }
  if (!queues_.empty()) return;
  storage_->folder_.enter(number_);
  queues_[""] = &storage_->folder_;
}

StreamBytes::~StreamBytes() {
  for (const auto& [disk, queue] : queues_) queue->leave(number_);
}

sail::Result<void> StreamBytes::read(uint64_t offset, std::span<uint8_t> bytes) const {
  return sail::read_and_wait(*this, offset, bytes);
}

std::unique_ptr<sail::ByteReads> StreamBytes::reads() const {
  return std::make_unique<Reads>(*this);
}

void StreamBytes::begin(sail::ByteReads::Job job) const {
  if (!reads_) return storage_->folder_.begin(number_, *bytes_, std::move(job));
  const auto whole = std::make_shared<Whole>(std::move(job));
  const uint64_t offset = whole->job.offset;
  const std::span<uint8_t> bytes = whole->job.bytes;
  for (size_t at = 0; at < bytes.size();) {
    const auto [disks, end] = spread_.at(offset + at);
    const size_t count = std::min<uint64_t>(bytes.size() - at, end - offset - at);
    whole->add_part();
    queue_for(disks).begin(
        number_, *reads_,
        {offset + at, bytes.subspan(at, count), whole->job.unwanted,
         [whole](sail::Result<void> read) { whole->part_done(std::move(read)); }});
    at += count;
  }
  whole->part_done({});
}

// Picks the replica with the shortest queue. For a hole any queue will do: the read fails
// everywhere.
ReadQueue& StreamBytes::queue_for(const std::vector<std::string>& disks) const {
  ReadQueue* best = nullptr;
  for (const std::string& disk : disks) {
    ReadQueue* queue = queues_.at(disk);
    if (best == nullptr || queue->owed_bytes() < best->owed_bytes()) best = queue;
  }
  return best == nullptr ? *queues_.begin()->second : *best;
}

void StreamBytes::drop_unwanted() const {
  for (const auto& [disk, queue] : queues_) queue->drop_unwanted(number_);
}

}  // namespace server
