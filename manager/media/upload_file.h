// The file of an upload: hidden until it is published under its name; in the bin if it is removed.
// All functions block on the disk; call them in the background. Errors: kIo, kLimit (no space).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "manager/media/media_facts.h"
#include "sail/core/base/result.h"

namespace manager {

class UploadFile {
 public:
  // Creates the folder if it is missing, for this user only. Fails if fewer than `needed` bytes,
  // plus a reserve, are free on its disk. id: letters and digits. ending: extension of the name, by
  // which some formats are recognised.
  static sail::Result<std::shared_ptr<UploadFile>> create(const std::string& folder,
                                                          const std::string& id,
                                                          const std::string& file_extension,
                                                          uint64_t needed);
  // Removes the file unless it was published.
  ~UploadFile();
  UploadFile(const UploadFile&) = delete;
  UploadFile& operator=(const UploadFile&) = delete;

  sail::Result<void> write(std::string_view bytes, uint64_t offset);
  // Returns the version of the unfinished file.
  FileVersion version() const;
  struct Published {
    std::string name;
    FileVersion file;
  };
  // Gives the file its name; adds a number if the name is taken. If the folder has a file with the
  // same content, that file is used instead.
  sail::Result<Published> publish(const std::string& name);

 private:
  UploadFile(std::string folder, std::string part, int descriptor);
  sail::Result<std::string> name_it(const std::string& name);

  std::string folder_;
  std::string part_;  // Empty once published.
  int descriptor_;
};

// Renames a published file. Errors: kIo, kConflict (the name is taken).
sail::Result<void> rename_upload(const std::string& path, const std::string& new_path);

// Removes unfinished files that were not written to for this long; a former manager left them.
void remove_stale_uploads(const std::string& folder, int64_t older_than_s);

// --- the bin
// Removed files stay in a hidden folder beside the others for kBinDays, and can be restored.
// Errors: kIo, kNotFound (no longer in the bin). An empty folder: uploads are disabled.
constexpr int64_t kBinDays = 30;

struct BinnedUpload {
  std::string id;    // the upload's id in the bin
  std::string name;  // the file's former name
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
