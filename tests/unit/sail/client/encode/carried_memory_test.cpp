// Once the memory of a carried stream suffices for the frames in flight, frames allocate none: not
// where the film is read, and not where its units are kept for receivers.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include "sail/client/encode/encoded_frame.h"
#include "sail/media/source/unit_frames.h"

namespace {

std::atomic<size_t> allocations{0};

// Not inlined: GCC would warn that memory from new goes to free().
[[gnu::noinline]] void* allocate(size_t bytes) {
  ++allocations;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void deallocate(void* memory) {
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) {
  return allocate(bytes);
}
void operator delete(void* memory) noexcept {
  deallocate(memory);
}
void operator delete(void* memory, size_t) noexcept {
  deallocate(memory);
}

namespace sail {
namespace {

constexpr int kGroup = 50;  // pictures from one key picture to the next
constexpr size_t kInFlight = 3;

class CarriedMemory : public testing::Test {
 protected:
  // Reads a film's next picture, keeps its units, and lets the oldest frame go.
  void play(int count) {
    for (int n = 0; n < count; ++n, ++number_) {
      const bool key = number_ % kGroup == 0;
      frames_.add({.time_ns = number_ * 10,
                   .key = key,
                   .bytes = std::span(bytes_).first(key ? bytes_.size() : bytes_.size() / 10)},
                  10);
      auto frame = frames_.next();
      ASSERT_TRUE(frame);
      const UnitChain* chain = units_.take(frame->block);
      ASSERT_NE(chain, nullptr);
      in_flight_[static_cast<size_t>(number_) % kInFlight] = *chain;
      frames_.reuse(std::move(frame->block));
    }
  }

  int number_ = 0;
  const std::vector<uint8_t> bytes_ = std::vector<uint8_t>(100'000, 7);
  UnitFrames frames_{{}};
  CarriedUnits units_{size_t{64} << 20};
  UnitChain in_flight_[kInFlight];
};

TEST_F(CarriedMemory, IsNotTakenForEachFrame) {
  play(20 * kGroup);
  const size_t before = allocations;
  play(4 * kGroup);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(in_flight_[static_cast<size_t>(number_ - 1) % kInFlight].after(0).size(),
            size_t{kGroup});
}

}  // namespace
}  // namespace sail
