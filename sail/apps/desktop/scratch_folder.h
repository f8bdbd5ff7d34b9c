// A temporary folder for a running program, accessible only to its user and removed on destruction.
// The folder of a killed program is removed when the next one is created: nobody holds its lock.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/base/result.h"

namespace sail {

class ScratchFolder {
 public:
  // Creates "NAME-" plus six characters in the system's temporary folder. Removes this user's
  // abandoned folders of the same name.
  static Result<ScratchFolder> make(std::string_view name);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& from) noexcept
      : path_(std::move(from.path_)), lock_(std::exchange(from.lock_, -1)) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  ScratchFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  // The open and locked folder, not inherited by child processes. -1: moved away.
  int lock_;
};

}  // namespace sail
