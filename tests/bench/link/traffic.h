// Regularity of packets: statistics of bytes by millisecond.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace bench {

// Bytes of each whole bin of this many ms, from the first to the last ms with data.
std::vector<uint64_t> bins(const std::map<int64_t, uint64_t>& bytes_by_ms, int bin_ms);
// The last `ms` milliseconds in which the stream was being sent, without the probes after it.
std::map<int64_t, uint64_t> last_busy(const std::map<int64_t, uint64_t>& bytes_by_ms, int64_t ms);
// The fullest bin divided by the mean of all; 0 if there are none.
double peak_to_mean(const std::vector<uint64_t>& bins);

}  // namespace bench
