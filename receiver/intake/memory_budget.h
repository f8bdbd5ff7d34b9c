// The memory budget of all streams of a receiver, and the return of freed memory to the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace receiver {

// When a stream is opened, it reserves a share for the most that its peer may send. When the stream
// ends, it returns the share. Not thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes) : bytes_(bytes), left_(bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Returns the default budget: half of the address space limit or three quarters of the control
  // group's limit, whichever is less, and not more than the memory of the machine.
  static size_t usual_bytes();
  // Returns the memory limit of this process's control group (version 2) or an ancestor of it;
  // SIZE_MAX without a limit. root: directory that contains sys and proc.
  static size_t group_bytes(const std::filesystem::path& root = "/");

  // Returns its bytes to the budget when destroyed. The budget must outlive it.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Share() {
      if (budget_ != nullptr) budget_->left_ += bytes_;
    }
    size_t bytes() const { return bytes_; }

   private:
    friend class MemoryBudget;
    Share(MemoryBudget& budget, size_t bytes) : budget_(&budget), bytes_(bytes) {}
    MemoryBudget* budget_ = nullptr;
    size_t bytes_ = 0;
  };
  // `bytes` must not exceed left().
  Share take(size_t bytes) {
    left_ -= bytes;
    return {*this, bytes};
  }

  size_t bytes() const { return bytes_; }
  size_t left() const { return left_; }

 private:
  const size_t bytes_;
  size_t left_;
};

// Returns freed memory from the allocator to the system, which fragmentation of frames and layouts
// would otherwise keep. Trims after much memory was freed, once freeing has stopped, and at a
// regular interval. Other threads may allocate meanwhile.
class MemoryTrim {
 public:
  // Call when up to this many bytes are freed, now or soon.
  void freed(size_t bytes) {
    freed_bytes_ += bytes;
    freed_lately_ |= bytes > 0;
  }
  // Must be called once a second.
  void on_second(int64_t now_ns);

 private:
  size_t freed_bytes_ = 0;  // since the last trim
  bool freed_lately_ = false;
  int64_t trimmed_ns_ = 0;
};

}  // namespace receiver
