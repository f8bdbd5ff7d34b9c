// The memory that the streams of a receiver may come to take together. Each takes its share when it
// is opened, for all that its peer may then send, and gives it back when it ends. One thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <utility>

namespace receiver {

class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes) : bytes_(bytes), left_(bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // What this machine and this process have: half of the limit of the address space, three quarters
  // of what its control groups may have together, and no more than there is of memory.
  static size_t usual_bytes();
  // What the control group (version 2) of that process, or one around it, may have at most; without
  // a limit SIZE_MAX. root: where the system's files are.
  static size_t group_bytes(const std::filesystem::path& root = "/");

  // Given back when it goes. The budget must outlive it.
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
  // At most left().
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

}  // namespace receiver
