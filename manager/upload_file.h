// The file that an upload grows in: hidden and unfinished until it is published under its name.
// All functions block on the disk: call them in the background. Errors: kIo, kLimit (no room).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "manager/media_facts.h"
#include "sail/base/result.h"

namespace manager {

class UploadFile {
 public:
  // Makes the folder where there is none, for this user alone, and refuses when fewer than `needed`
  // bytes, and some to spare, are free on its disk. `id`: of letters and digits; `ending`: of its
  // name, since some formats are known by that.
  static sail::Result<std::shared_ptr<UploadFile>> create(const std::string& folder,
                                                          const std::string& id,
                                                          const std::string& ending,
                                                          uint64_t needed);
  // Removes the file unless it was published.
  ~UploadFile();
  UploadFile(const UploadFile&) = delete;
  UploadFile& operator=(const UploadFile&) = delete;

  sail::Result<void> write(std::string_view bytes, uint64_t offset);
  // As it is now, unfinished.
  FileVersion version() const;
  struct Published {
    std::string name;
    FileVersion file;
  };
  // Gives the file its name, or one with a number when there is one of that name already. A file of
  // the folder that has the same bytes is taken in its place.
  sail::Result<Published> publish(const std::string& name);

 private:
  UploadFile(std::string folder, std::string part, int descriptor);
  sail::Result<std::string> name_it(const std::string& name);

  std::string folder_;
  std::string part_;  // empty once it is published
  int descriptor_;
};

// For files that were published. Errors: kIo, kConflict (the name is taken).
sail::Result<void> rename_upload(const std::string& path, const std::string& new_path);

// Removes unfinished files that nothing was written to for so long: those of a manager that ended.
void remove_stale_uploads(const std::string& folder, int64_t older_than_s);

}  // namespace manager
