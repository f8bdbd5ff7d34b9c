// Which uploads were begun and not finished, kept in $XDG_STATE_HOME/vitrail/uploads.json, so that
// the next try goes on where the last ended. A record that cannot be read or written is none:
// then an upload begins anew.
#pragma once

#include <cstdint>
#include <string>

namespace ui {

class UploadRecord {
 public:
  // The file as it is now, to that page.
  UploadRecord(const std::string& file, uint64_t bytes, const std::string& page);

  // Where it was sent to; empty: it was not begun.
  std::string url() const;
  // An empty one forgets it.
  void keep(const std::string& url) const;

 private:
  std::string key_;
};

}  // namespace ui
