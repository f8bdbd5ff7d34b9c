// Local copies of remote files (open_bytes), for libraries that can only read files. The copies are
// in a temporary folder, removed on destruction. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

class FetchedFiles {
 public:
  // complain: gets a message for each file that cannot be copied; its path then does not exist.
  // give_up: called while no data arrives.
  using Complain = std::function<void(const std::string& sentence)>;
  FetchedFiles(const std::vector<std::string>& uris, const Complain& complain,
               const GiveUp& give_up);
  ~FetchedFiles();
  FetchedFiles(const FetchedFiles&) = delete;
  FetchedFiles& operator=(const FetchedFiles&) = delete;

  // One path per URI in the same order; local files unchanged.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  Result<std::string> fetch(const std::string& uri, const GiveUp& give_up);

  std::string folder_;  // "": nothing was remote
  std::vector<std::string> paths_;
};

// Returns the last part of a path or URL without secrets.
std::string name_of(const std::string& uri);

}  // namespace sail
