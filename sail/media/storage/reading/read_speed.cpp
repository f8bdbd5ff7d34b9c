#include "sail/media/storage/reading/read_speed.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "sail/core/base/mailbox.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

class ReadMeter {
 public:
  ReadMeter(const ByteSource& source, uint64_t size, const ReadTrial& trial)
      : trial_(trial),
        blocks_(size / trial.block_bytes),
        memory_(trial.depth * trial.block_bytes),
        answers_(trial.depth),
        reads_(source.reads()) {}

  Result<ReadSpeed> run(const GiveUp& give_up) {
    constexpr std::chrono::milliseconds kLookOften(20);
    const uint64_t retries = reads_->retries();
    const int64_t begin_ns = steady_now_ns();
    const uint64_t at_first =
        trial_.once ? std::min<uint64_t>(trial_.depth, blocks_) : trial_.depth;
    for (size_t place = 0; place < at_first; ++place) begin(place);
    while (under_way_ > 0) {
      if (!failed_ && give_up && give_up()) end({ErrorCode::kTimeout, "given up"});
      const auto answer = answers_.pop(kLookOften);
      if (!answer) continue;
      --under_way_;
      if (failed_) continue;
      if (!answer->read) {
        end(answer->read.error());
        continue;
      }
      speed_.bytes += trial_.block_bytes;
      speed_.time_ns = steady_now_ns() - begin_ns;
      const bool more = !trial_.once || next_ < blocks_;
      if (more && speed_.time_ns < trial_.time_ns) begin(answer->place);
    }
    if (failed_) return *failed_;
    speed_.retries = reads_->retries() - retries;
    return speed_;
  }

 private:
  struct Answer {
    size_t place = 0;
    Result<void> read;
  };

  void begin(size_t place) {
    const std::span<uint8_t> all(memory_);
    reads_->begin({next_++ % blocks_ * trial_.block_bytes,
                   all.subspan(place * trial_.block_bytes, trial_.block_bytes), &unwanted_,
                   [this, place](Result<void> read) {
                     answers_.push({place, std::move(read)});
                   }});
    ++under_way_;
  }

  void end(const Error& error) {
    failed_ = error;
    unwanted_ = true;
    reads_->drop_unwanted();
  }

  const ReadTrial trial_;
  const uint64_t blocks_;
  std::vector<uint8_t> memory_;
  uint64_t next_ = 0;
  size_t under_way_ = 0;
  std::atomic<bool> unwanted_{false};
  std::optional<Error> failed_;
  ReadSpeed speed_;
  Mailbox<Answer> answers_;
  std::unique_ptr<ByteReads> reads_;  // last member: its reads end before answers_
};

constexpr int kLeastKb = 4096;
constexpr int kAdvisedKb = 16384;
// From statfs(2) and linux/magic.h.
constexpr uint32_t kNetworkFileSystems[] = {0x6969,                              // NFS
                                            0x65735546,                          // FUSE
                                            0x517b,     0xfe534d42, 0xff534d42,  // SMB
                                            0x00c36400,                          // Ceph
                                            0x0bd00bd0,                          // Lustre
                                            0x19830326};                         // BeeGFS

}  // namespace

Result<ReadSpeed> measure_reading(const ByteSource& source, const ReadTrial& trial,
                                  const GiveUp& give_up) {
  const auto size = source.size();
  if (!size) return size.error();
  if (*size < trial.block_bytes) {
    return fail(ErrorCode::kInvalidParams, fmt::format("{} is smaller than a block of {} bytes",
                                                       source.name(), trial.block_bytes));
  }
  return ReadMeter(source, *size, trial).run(give_up);
}

std::optional<std::string> mount_advice(const std::string& path) {
  struct statfs mount {};
  struct stat file {};
  if (statfs(path.c_str(), &mount) != 0 || stat(path.c_str(), &file) != 0) return std::nullopt;
  const bool far = std::ranges::find(kNetworkFileSystems, static_cast<uint32_t>(mount.f_type)) !=
                   std::end(kNetworkFileSystems);
  if (!far) return std::nullopt;
  return read_ahead_advice(path, file.st_dev, "/sys/class/bdi");
}

std::optional<std::string> read_ahead_advice(const std::string& path, dev_t device,
                                             const std::string& devices) {
  const std::string setting =
      fmt::format("{}/{}:{}/read_ahead_kb", devices, major(device), minor(device));
  int now_kb = 0;
  if (!(std::ifstream(setting) >> now_kb) || now_kb >= kLeastKb) return std::nullopt;
  return fmt::format(
      "{} is on a network file system with a read-ahead of only {} KB: `echo {} | sudo tee {}` "
      "makes reading faster",
      path, now_kb, kAdvisedKb, setting);
}

}  // namespace sail
