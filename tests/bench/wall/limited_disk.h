// A storage of a known rate: limits the rate of reads, one read after the other.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "sail/media/storage/reading/byte_source.h"

namespace bench {

class Limiter {
 public:
  explicit Limiter(double bytes_per_s) : bytes_per_s_(bytes_per_s) {}

  void wait_for(size_t bytes) {
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> time(static_cast<double>(bytes) / bytes_per_s_);
    std::unique_lock lock(mutex_);
    free_at_ = std::max(free_at_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(time);
    const Clock::time_point mine = free_at_;
    lock.unlock();
    std::this_thread::sleep_until(mine);
  }

 private:
  const double bytes_per_s_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point free_at_;
};

// A film on this storage, with arbitrary content.
class LimitedFilm : public sail::ByteSource {
 public:
  LimitedFilm(std::string name, uint64_t size, std::shared_ptr<Limiter> disk)
      : name_(std::move(name)), size_(size), disk_(std::move(disk)) {}

  const std::string& name() const override { return name_; }
  sail::Result<uint64_t> size() const override { return size_; }
  sail::Result<void> read(uint64_t, std::span<uint8_t> bytes) const override {
    disk_->wait_for(bytes.size());
    return {};
  }

 private:
  const std::string name_;
  const uint64_t size_;
  const std::shared_ptr<Limiter> disk_;
};

}  // namespace bench
