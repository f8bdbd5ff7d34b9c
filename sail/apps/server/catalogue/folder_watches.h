// Watches folders for changes, as many as the system allows. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/loop/folder_watch.h"
#include "sail/core/loop/loop.h"

namespace server {

// How often folders must be listed although they are watched.
constexpr int64_t kUnwatchedCheckNs = 300'000'000'000;

class FolderWatches {
 public:
  // log must outlive this object. on_change: a folder has changed, or may have changed before it
  // was watched.
  FolderWatches(sail::Loop& loop, const sail::Log& log, std::function<void()> on_change)
      : loop_(loop), log_(log), on_change_(std::move(on_change)) {}
  FolderWatches(const FolderWatches&) = delete;
  FolderWatches& operator=(const FolderWatches&) = delete;

  // Watches these folders and no others.
  void watch(const std::vector<std::string>& folders);

 private:
  sail::Loop& loop_;
  const sail::Log& log_;
  const std::function<void()> on_change_;
  std::map<std::string, std::unique_ptr<sail::FolderWatch>> watches_;
  bool told_ = false;  // a failure to watch was logged
};

}  // namespace server
