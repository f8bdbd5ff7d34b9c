// Calls back when this machine creates, changes, renames or removes an entry of a folder. Changes
// by other machines on a network file system are not reported. Subfolders are not watched.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace sail {

class FolderWatch {
 public:
  // gone: the folder itself may have been removed or renamed. No more changes are then reported,
  // even if a new folder has the same name.
  using Callback = std::function<void(bool gone)>;
  // Fails with kLimit if the user's watch limit is reached, otherwise with kIo.
  static Result<std::unique_ptr<FolderWatch>> start(Loop& loop, const std::string& folder,
                                                    Callback callback);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

 private:
  struct Impl;
  explicit FolderWatch(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
