// How evenly packets were sent: figures of bytes by the millisecond.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace bench {

// Bytes of each whole bin of that many ms, from the first to the last ms that had any.
std::vector<uint64_t> bins(const std::map<int64_t, uint64_t>& bytes_by_ms, int bin_ms);
// The last so many ms in which a stream was being sent: what comes after it, probes, is left out.
std::map<int64_t, uint64_t> last_busy(const std::map<int64_t, uint64_t>& bytes_by_ms, int64_t ms);
// The fullest bin over the mean of all; 0 of none.
double peak_to_mean(const std::vector<uint64_t>& bins);

}  // namespace bench
