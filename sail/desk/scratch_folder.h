// A folder for what a program keeps while it runs: new, its user's alone, and gone with this. That
// of a program that was killed stays until the next one is made: it is known by its lock, which
// nobody holds any more.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "sail/base/result.h"

namespace sail {

class ScratchFolder {
 public:
  // "NAME-" and six characters, among the system's temporary files. Removes those of this name and
  // user whose programs are no more.
  static Result<ScratchFolder> make(std::string_view name);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& from) noexcept
      : path_(std::move(from.path_)), lock_(std::exchange(from.lock_, -1)) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;  // the folder, open and locked; no program that is started gets it. -1: moved away
};

}  // namespace sail
