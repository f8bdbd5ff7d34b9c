// Measures how fast a source is, for a given block size and number of reads in flight, and advises
// when the settings of a mounted network file system make reads slow.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

struct ReadTrial {
  size_t block_bytes = size_t{1} << 20;
  size_t depth = 16;  // reads in flight, up to ThreadReads::kMost
  int64_t time_ns = 0;
  bool once = false;  // read each block once, because blocks read before may be in the page cache
};

struct ReadSpeed {
  uint64_t bytes = 0;
  int64_t time_ns = 0;
  uint64_t retries = 0;

  double mb_per_s() const {
    constexpr double kMbPerSecond = 1e3;  // MB/s of one byte per nanosecond
    return time_ns > 0 ? static_cast<double>(bytes) / static_cast<double>(time_ns) * kMbPerSecond
                       : 0;
  }
};

// Reads block after block, starting over at the end unless `once`, for time_ns, then waits for the
// reads in flight. Reads at least `depth` blocks. kInvalidParams: the source is smaller than a
// block. kTimeout: give_up returned true.
Result<ReadSpeed> measure_reading(const ByteSource& source, const ReadTrial& trial,
                                  const GiveUp& give_up);

// Returns a sentence with the command that fixes it, if `path` lies on a network file system (NFS,
// SMB, Ceph, FUSE and others) with too small a kernel read-ahead. The default is 128 KB; 4 MB and
// more read GlusterFS and NFS 1.5 to 3 times as fast. For files and folders; may block on the disk.
std::optional<std::string> mount_advice(const std::string& path);

// For a device number. devices: the kernel's folder with the settings (/sys/class/bdi).
std::optional<std::string> read_ahead_advice(const std::string& path, dev_t device,
                                             const std::string& devices);

}  // namespace sail
