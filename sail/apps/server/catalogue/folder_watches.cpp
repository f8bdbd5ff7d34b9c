#include "sail/apps/server/catalogue/folder_watches.h"

#include <set>
#include <utility>

#include "sail/core/time/clock.h"

namespace server {
namespace {

// The inotify watches of a user are limited, and other programs need some, too.
constexpr size_t kMaxWatchedFolders = 2048;

}  // namespace

void FolderWatches::watch(const std::vector<std::string>& folders) {
  const std::set<std::string> wanted(folders.begin(), folders.end());
  std::erase_if(watches_, [&](const auto& one) { return !wanted.contains(one.first); });
  bool added = false;
  for (const std::string& folder : wanted) {
    if (watches_.contains(folder)) continue;
    auto watch = watches_.size() < kMaxWatchedFolders
                     ? sail::FolderWatch::start(loop_, folder,
                                                [this, folder](bool gone) {
                                                  if (gone) watches_.erase(folder);
                                                  on_change_();
                                                })
                     : sail::fail(sail::ErrorCode::kLimit, "too many folders");
    if (watch) {
      watches_.emplace(folder, std::move(*watch));
      added = true;
    } else if (!std::exchange(told_, true)) {
      log_.warning("some folders are not watched ({}): changes there appear within {} min",
                   watch.error().message, kUnwatchedCheckNs / sail::kSecondNs / 60);
    }
  }
  if (added) on_change_();
}

}  // namespace server
