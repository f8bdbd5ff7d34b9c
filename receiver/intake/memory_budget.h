// The memory budget of all streams of a receiver. A stream reserves a share when it is opened, for
// the most that its peer may then send, and returns it when it ends. Not thread-safe.
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

}  // namespace receiver
