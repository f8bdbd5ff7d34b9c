// The storage that films are read from, shared by all who stream them: who reads what when
// (ReadOrder), by a few threads of its own. No stream has a thread, and none waits for another one
// that reads more than it was promised. What lies on disk servers has an order and threads of its
// own. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/base/result.h"
#include "sail/server/read_order.h"
#include "sail/storage/byte_source.h"

namespace server {

constexpr double kBytesOfMb = 1e6;

class FilmStorage;

// What films are read from.
enum class Store : uint8_t { kFolder, kDisks };

// A film's bytes for one stream, which claims nothing (best effort) until FilmStorage is told what
// it may.
class StreamBytes : public sail::ByteSource {
 public:
  ~StreamBytes() override;

  // By which FilmStorage knows it.
  uint64_t number() const { return number_; }
  Store store() const { return store_; }

  const std::string& name() const override { return bytes_->name(); }
  sail::Result<uint64_t> size() const override { return bytes_->size(); }
  sail::Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override;
  std::unique_ptr<sail::ByteReads> reads() const override;
  Depth depth() const override { return {depth_, depth_}; }

  // As ByteReads; this lives until the job is done.
  void begin(sail::ByteReads::Job job) const;
  void drop_unwanted() const;

 private:
  friend class FilmStorage;
  struct Reads;
  StreamBytes(std::shared_ptr<FilmStorage> storage, Store store,
              std::unique_ptr<const sail::ByteSource> bytes, size_t depth);

  const std::shared_ptr<FilmStorage> storage_;
  const Store store_;
  const std::unique_ptr<const sail::ByteSource> bytes_;
  const uint64_t number_;
  const size_t depth_;
};

class FilmStorage : public std::enable_shared_from_this<FilmStorage> {
 public:
  using Open =
      std::function<sail::Result<std::unique_ptr<const sail::ByteSource>>(const std::string& path)>;
  struct Figures {
    size_t streams = 0;
    size_t waiting_reads = 0;
    uint64_t bytes = 0;       // read so far
    uint64_t late_reads = 0;  // of promised ones, after their deadlines
    double mb_per_s = 0;      // of the last second
    // What each best-effort stream that waited got of its rate in the last second; 1: all of it.
    double best_effort_share = 1;
  };

  static constexpr size_t kMostReads = 16;  // under way

  // open: instead of sail::open_bytes.
  static std::shared_ptr<FilmStorage> create(Open open = {});
  ~FilmStorage();
  FilmStorage(const FilmStorage&) = delete;
  FilmStorage& operator=(const FilmStorage&) = delete;

  // depth: reads of its that are under way at a time. What is read ahead of a stream costs memory,
  // and there may be many.
  sail::Result<std::unique_ptr<StreamBytes>> open(const std::string& path,
                                                  size_t depth = kUsualDepth);
  static constexpr size_t kUsualDepth = 4;
  // What that stream may have from now on. Nothing happens when it has ended.
  void claim(uint64_t stream, const ReadClaim& claim);
  // Waits for what is being read; whatever is wanted from now on fails (kUnavailable).
  void stop();
  // What it gives at its best: of a slow one less is asked for at a time, so that what is due next
  // waits behind little.
  void set_peak(double mb_per_s, Store store = Store::kFolder);
  Figures figures(Store store = Store::kFolder) const;

 private:
  friend class StreamBytes;
  struct Core;
  explicit FilmStorage(Open open);

  Core& core(Store store) const { return *cores_[static_cast<size_t>(store)]; }

  const Open open_;
  std::atomic<uint64_t> last_number_{0};
  const std::array<std::unique_ptr<Core>, 2> cores_;
};

}  // namespace server
