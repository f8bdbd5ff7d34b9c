// Connections to disk servers, one to each, of which all films share one set: with the loop that
// they are on, and its thread. Any thread, but for link().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sail/storage/disk_link.h"
#include "sail/storage/disk_part.h"
#include "sail/storage/loop_thread.h"

namespace sail {

class DiskLinks {
 public:
  explicit DiskLinks(DiskLink::Options options = {}) : options_(std::move(options)) {}
  ~DiskLinks();
  DiskLinks(const DiskLinks&) = delete;
  DiskLinks& operator=(const DiskLinks&) = delete;

  LoopThread& thread() { return thread_; }
  // The thread's.
  DiskLink& link(const Address& disk);
  // As DepotLoads::begin(). The thread's.
  std::shared_ptr<void> read(const DiskPart& part, uint64_t offset, std::span<uint8_t> bytes,
                             DepotLoads::Done done);

  struct Disk {
    std::string name;
    bool there = false;
    bool coming = false;       // it is being connected to
    double peak_mb_per_s = 0;  // 0: not known
    uint64_t free_bytes = 0;   // that there was room for when it was connected to
  };
  // All that films lie on which were opened.
  std::vector<Disk> disks() const;

 private:
  void note(const std::string& name, const DiskLink& link);

  const DiskLink::Options options_;
  mutable std::mutex mutex_;  // of disks_, which others ask for now and then
  std::map<std::string, Disk> disks_;
  LoopThread thread_;
  std::map<std::string, std::unique_ptr<DiskLink>> links_;  // the thread's
};

}  // namespace sail
