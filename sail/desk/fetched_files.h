// Files on the disk for programs whose libraries read only such: what is far (open_bytes) is copied
// into a folder that goes with this. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

class FetchedFiles {
 public:
  // `complain` hears of one that cannot be had; its path is a name of nothing. give_up: asked while
  // nothing comes.
  using Complain = std::function<void(const std::string& sentence)>;
  FetchedFiles(const std::vector<std::string>& uris, const Complain& complain,
               const GiveUp& give_up);
  ~FetchedFiles();
  FetchedFiles(const FetchedFiles&) = delete;
  FetchedFiles& operator=(const FetchedFiles&) = delete;

  // As many, in their order; those that are not far as they were.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  Result<std::string> fetch(const std::string& uri, const GiveUp& give_up);

  std::string folder_;  // "": nothing was far
  std::vector<std::string> paths_;
};

// The last part of a path or URL, without what is secret.
std::string name_of(const std::string& uri);

}  // namespace sail
