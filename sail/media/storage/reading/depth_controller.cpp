#include "sail/media/storage/reading/depth_controller.h"

#include <algorithm>

namespace sail {
namespace {

constexpr double kFaster = 1.1;
constexpr size_t kRounds = 2;  // measure for this many times `limit_` blocks

}  // namespace

void DepthController::came(int64_t now_ns, size_t bytes, bool starved) {
  if (!starved || limit_ >= most_) {
    blocks_ = 0;
    return;
  }
  if (blocks_++ == 0) {
    since_ns_ = now_ns;
    bytes_ = 0;
    return;
  }
  bytes_ += bytes;
  if (blocks_ <= kRounds * limit_ || now_ns <= since_ns_) return;
  blocks_ = 0;
  judge(static_cast<double>(bytes_) / static_cast<double>(now_ns - since_ns_));
}

void DepthController::judge(double rate) {
  if (before_ == 0 || rate > kFaster * rate_) {
    before_ = limit_;
    rate_ = rate;
    limit_ = std::min(most_, limit_ + limit_ / 2);
    return;
  }
  limit_ = before_;
  most_ = limit_;
}

}  // namespace sail
