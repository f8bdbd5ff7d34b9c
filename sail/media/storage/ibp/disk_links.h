// Connections to disk servers, one per server, shared by all films, with their event loop and its
// thread. Any thread, except link() and read().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sail/media/storage/ibp/disk_link.h"
#include "sail/media/storage/ibp/exnode.h"
#include "sail/media/storage/reading/loop_thread.h"

namespace sail {

class DiskLinks {
 public:
  explicit DiskLinks(DiskLink::Options options = {}) : options_(std::move(options)) {}
  ~DiskLinks();
  DiskLinks(const DiskLinks&) = delete;
  DiskLinks& operator=(const DiskLinks&) = delete;

  LoopThread& thread() { return thread_; }
  // Call on the loop thread.
  DiskLink& link(const Address& disk);
  // Like DepotLoads::begin(). Call on the loop thread.
  std::shared_ptr<void> read(const DiskPart& part, uint64_t offset, std::span<uint8_t> bytes,
                             DepotLoads::Done done);

  struct Disk {
    std::string name;
    bool there = false;
    bool coming = false;       // connecting
    double peak_mb_per_s = 0;  // 0: unknown
    uint64_t free_bytes = 0;   // free space when it connected
  };
  // All disk servers used so far.
  std::vector<Disk> disks() const;

 private:
  void note(const std::string& name, const DiskLink& link);

  const DiskLink::Options options_;
  mutable std::mutex mutex_;  // guards disks_, which other threads read
  std::map<std::string, Disk> disks_;
  LoopThread thread_;
  std::map<std::string, std::unique_ptr<DiskLink>> links_;  // loop thread only
};

}  // namespace sail
