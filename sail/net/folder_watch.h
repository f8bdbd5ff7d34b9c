// Calls back when something in a folder is made, changed, renamed or removed, by this machine: what
// others do on a network's file system is not told. What is in its folders is not watched.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace sail {

class FolderWatch {
 public:
  // gone: the folder itself may have been removed or renamed, and then nothing is told any more,
  // though another one has its name.
  using Callback = std::function<void(bool gone)>;
  // kLimit: the system watches no more for this user. kIo: it cannot be watched.
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
