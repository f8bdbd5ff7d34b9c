// The lanes of a receiver's FrameTrace, one per thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace receiver {

constexpr uint32_t kLoopLane = 0;
constexpr uint32_t kDecodeLane = 1;
constexpr uint32_t kMainLane = 2;
constexpr size_t kTraceLanes = 3;

}  // namespace receiver
