// The file that an upload grows in: hidden and unfinished until it is published under its name.
// All functions block on the disk: call them in the background. Errors: kIo, kLimit (no room).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sail/base/result.h"

namespace manager {

class UploadFile {
 public:
  // Makes the folder where there is none, and refuses when fewer than `needed` bytes, and some to
  // spare, are free on its disk. `id`: of letters and digits.
  static sail::Result<std::shared_ptr<UploadFile>> create(const std::string& folder,
                                                          const std::string& id, uint64_t needed);
  // Removes the file unless it was published.
  ~UploadFile();
  UploadFile(const UploadFile&) = delete;
  UploadFile& operator=(const UploadFile&) = delete;

  sail::Result<void> write(std::string_view bytes, uint64_t offset);
  // Gives the file its name, or one with a number when there is one of that name already.
  sail::Result<std::string> publish(const std::string& name);

 private:
  UploadFile(std::string folder, std::string part, int descriptor);

  std::string folder_;
  std::string part_;  // empty once it is published
  int descriptor_;
};

// Removes unfinished files that nothing was written to for so long: those of a manager that ended.
void remove_stale_uploads(const std::string& folder, int64_t older_than_s);

}  // namespace manager
