// Records unfinished uploads in $XDG_STATE_HOME/vitrail/uploads.json, so that the next try resumes
// them. If the record cannot be read or written, the upload starts from the beginning.
#pragma once

#include <cstdint>
#include <string>

namespace ui {

class UploadRecord {
 public:
  // The key is the file's path, size and modification time, and the page.
  UploadRecord(const std::string& file, uint64_t bytes, const std::string& page);

  // URL of the upload; empty: none recorded.
  std::string url() const;
  // Records the URL; an empty one removes the record.
  void keep(const std::string& url) const;

 private:
  std::string key_;
};

}  // namespace ui
