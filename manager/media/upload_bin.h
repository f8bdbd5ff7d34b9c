// The bin of uploads: removed files stay in a hidden folder beside the others for kBinDays, and can
// be restored. All functions block on the disk; call them in the background. Errors: kIo, kNotFound
// (no longer in the bin). An empty folder: uploads are disabled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace manager {

constexpr int64_t kBinDays = 30;

struct BinnedUpload {
  std::string id;    // Its id in the bin.
  std::string name;  // Its former file name.
  int64_t removed_at_s = 0;
  uint64_t bytes = 0;
};

// path: a file in the upload folder or below. Returns its id in the bin.
sail::Result<std::string> bin_upload(const std::string& folder, const std::string& path);
// Returns its new file name. If the former name is taken, a number is added.
sail::Result<std::string> restore_upload(const std::string& folder, const std::string& id);
// Oldest first.
std::vector<BinnedUpload> binned_uploads(const std::string& folder);
// Deletes files older than kBinDays, and the oldest ones while all together exceed most_bytes.
void empty_bin(const std::string& folder, uint64_t most_bytes);

}  // namespace manager
