// Uploaded files that somebody removed: kept in a hidden folder beside the others for a while, to
// be brought back. All functions block on the disk: call them in the background. Errors: kIo,
// kNotFound (no longer there). An empty folder: there are no uploads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/base/result.h"

namespace manager {

constexpr int64_t kBinDays = 30;

struct BinnedUpload {
  std::string id;    // of it there
  std::string name;  // that it had
  int64_t removed_at_s = 0;
  uint64_t bytes = 0;
};

// path: of a file in the folder of uploads, or below. Its id in the bin.
sail::Result<std::string> bin_upload(const std::string& folder, const std::string& path);
// Its name from now on: a number is added when there is a file of that name.
sail::Result<std::string> restore_upload(const std::string& folder, const std::string& id);
// Oldest first.
std::vector<BinnedUpload> binned_uploads(const std::string& folder);
// Removes for good what is older than kBinDays, and the oldest while all have more bytes than that.
void empty_bin(const std::string& folder, uint64_t most_bytes);

}  // namespace manager
