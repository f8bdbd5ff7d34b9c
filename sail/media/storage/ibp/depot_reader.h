// Reads a file from depots: chooses the replica for each piece and retries at others. Used by
// DepotBytes. Thread: the loop's, except retries().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/media/storage/ibp/depot_bytes.h"
#include "sail/media/storage/ibp/depot_loads.h"
#include "sail/media/storage/ibp/disk_links.h"
#include "sail/media/storage/ibp/exnode.h"

namespace sail {

class DepotReader {
 public:
  // Call on the links' loop.
  DepotReader(DiskLinks& disks, std::string name, Exnode exnode, const DepotReading& reading);

  void begin(ByteReads::Job job);
  void drop_unwanted();
  // Any thread.
  uint64_t retries() const { return retries_; }

 private:
  struct Depot {
    std::string name;
    size_t under_way = 0;
    int64_t avoided_until_ns = 0;  // while other replicas exist
  };
  struct Mapping {
    Depot* depot = nullptr;
    std::optional<Error> gone;  // the permanent error of its capability
  };
  struct Request {
    ByteReads::Job job;
    size_t waiting = 0;               // pieces not yet complete
    uint64_t failed_at = UINT64_MAX;  // the lowest offset that could not be read
    std::optional<Error> error;
    std::list<Request>::iterator self;
  };
  // A part of a job, at most load_bytes long.
  struct Piece {
    Request* request = nullptr;
    uint64_t offset = 0;
    std::span<uint8_t> bytes;
    size_t got = 0;
    std::vector<size_t> tried{};  // mappings tried in this round
    int rounds = 0;
    bool may_pass = false;          // a failure of this round may be temporary
    std::optional<Error> error{};   // the last error
    size_t mapping = 0;             // the mapping in use
    std::vector<uint8_t> stored{};  // raw blocks with their checksums
    std::shared_ptr<void> load{};
    std::optional<Timer> pause{};
    std::list<Piece>::iterator self{};

    uint64_t place() const { return offset + got; }
    bool unwanted() const { return request->job.unwanted && *request->job.unwanted; }
  };

  // Starts queued pieces up to the limit.
  void hand_out();
  void ask(Piece& piece);
  // Empty optional: no replica is left in this round.
  std::optional<size_t> choose(const Piece& piece, const std::vector<size_t>& holding) const;
  void load(Piece& piece, size_t mapping);
  // The LOAD of the bytes after piece.got has ended; `to` is their destination.
  void answered(Piece& piece, std::span<uint8_t> to, LoadOutcome outcome);
  void note(Piece& piece, size_t mapping, const LoadOutcome& outcome);
  void begin_round(Piece& piece, const std::vector<size_t>& holding);
  Error failed(const Piece& piece, size_t mapping, const Error& error) const;
  void end(Piece& piece, std::optional<Error> error);
  void end_piece_of(Request& request);

  DiskLinks& disks_;
  Loop& loop_;
  const std::string name_;
  const Exnode exnode_;
  const DepotReading reading_;
  DepotLoads loads_;
  std::map<std::string, Depot> depots_;
  std::vector<Mapping> mappings_;
  std::list<Request> requests_;
  std::list<Piece> queued_;
  std::list<Piece> under_way_;
  std::atomic<uint64_t> retries_{0};
};

}  // namespace sail
