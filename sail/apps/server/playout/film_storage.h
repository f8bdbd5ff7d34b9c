// The film storage, shared by all streams. It decides the order of reads (ReadOrder) and executes
// them on a few threads of its own. No stream has a thread, and no stream waits for another one
// that reads more than it was promised. Each disk server has its own queue, since one may be full
// while others are idle. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/placed_film.h"
#include "sail/apps/server/playout/read_order.h"
#include "sail/apps/server/playout/read_queue.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace server {

class FilmStorage;

// Kinds of storage.
enum class Store : uint8_t { kFolder, kDisks };

// A film's data for one stream. The stream is best effort until FilmStorage::claim().
class StreamBytes : public sail::ByteSource {
 public:
  ~StreamBytes() override;

  // The stream's number in FilmStorage.
  uint64_t number() const { return number_; }
  // The share of the reads that goes to each disk server; empty: all go to the folder.
  const DiskShares& shares() const { return spread_.shares(); }

  const std::string& name() const override { return bytes_->name(); }
  sail::Result<uint64_t> size() const override { return bytes_->size(); }
  sail::Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override;
  std::unique_ptr<sail::ByteReads> reads() const override;
  Depth depth() const override { return {depth_, depth_}; }

  // As in ByteReads. This object must live until the job is done.
  void begin(sail::ByteReads::Job job) const;
  void drop_unwanted() const;

 private:
  friend class FilmStorage;
  struct Reads;
  struct Whole;
  StreamBytes(std::shared_ptr<FilmStorage> storage, Spread spread,
              std::unique_ptr<const sail::ByteSource> bytes, size_t depth);
  ReadQueue& queue_for(const std::vector<std::string>& disks) const;

  const std::shared_ptr<FilmStorage> storage_;
  const Spread spread_;
  const std::unique_ptr<const sail::ByteSource> bytes_;
  const std::unique_ptr<sail::ByteReads> reads_;  // for films on disk servers; null: threads read
  const uint64_t number_;
  const size_t depth_;
  std::map<std::string, ReadQueue*>
      queues_;  // by disk server; "" is the folder's queue, then the only one
};

class FilmStorage : public std::enable_shared_from_this<FilmStorage> {
 public:
  using Open =
      std::function<sail::Result<std::unique_ptr<const sail::ByteSource>>(const std::string& path)>;

  static constexpr size_t kMostReads = ReadLimits{}.reads;

  // open: replaces sail::open_bytes.
  static std::shared_ptr<FilmStorage> create(Open open = {});
  ~FilmStorage();
  FilmStorage(const FilmStorage&) = delete;
  FilmStorage& operator=(const FilmStorage&) = delete;

  // depth: reads in flight for this stream. Read-ahead costs memory, and there may be many streams.
  sail::Result<std::unique_ptr<StreamBytes>> open(const std::string& path,
                                                  size_t depth = kUsualDepth);
  static constexpr size_t kUsualDepth = 4;
  // Sets the stream's claim. Ignored if the stream has ended.
  void claim(uint64_t stream, const ReadClaim& claim);
  // Waits for the reads in progress; later reads fail (kUnavailable).
  void stop();
  // See ReadQueue. For the folder, or for a disk server.
  void set_peak(double mb_per_s) { folder_.set_peak(mb_per_s); }
  void set_peak_of(const std::string& disk, double mb_per_s) { queue_of(disk).set_peak(mb_per_s); }
  ReadFigures figures(Store store = Store::kFolder) const;

 private:
  friend class StreamBytes;
  explicit FilmStorage(Open open);

  ReadQueue& queue_of(const std::string& disk);
  template <typename Do>
  void for_each_disk(const Do& act) const;

  const Open open_;
  std::atomic<uint64_t> last_number_{0};
  mutable ReadQueue folder_;
  mutable std::mutex mutex_;  // guards disks_, which only grows
  const std::shared_ptr<ReadClock> disks_clock_ = std::make_shared<ReadClock>();
  std::map<std::string, std::unique_ptr<ReadQueue>> disks_;
};

}  // namespace server
