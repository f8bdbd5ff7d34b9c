#include "sail/apps/desktop/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace sail {
namespace {

constexpr std::string_view kAnySix = "XXXXXX";
constexpr int kMostTries = 100;

// Opens and locks a folder of this user. -1: it is another user's, locked, or gone.
int take(const std::filesystem::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat opened {};
  struct stat named {};
  // The folder may have been removed and created again before it was locked.
  if (fstat(folder, &opened) == 0 && opened.st_uid == geteuid() &&
      flock(folder, LOCK_EX | LOCK_NB) == 0 && lstat(path.c_str(), &named) == 0 &&
      named.st_dev == opened.st_dev && named.st_ino == opened.st_ino) {
    return folder;
  }
  close(folder);
  return -1;
}

void remove_left(const std::filesystem::path& among, const std::string& prefix) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(among, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kAnySix.size()) continue;
    const int folder = take(entry->path());
    if (folder < 0) continue;
    std::error_code ignored;
    std::filesystem::remove_all(entry->path(), ignored);
    close(folder);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make(std::string_view name) {
  std::error_code error;
  const std::filesystem::path among = std::filesystem::temp_directory_path(error);
  if (error) {
    return fail(
        ErrorCode::kIo,
        fmt::format("cannot find the folder for temporary files ($TMPDIR): {}", error.message()));
  }
  const std::string prefix = fmt::format("{}-", name);
  remove_left(among, prefix);
  std::string path;
  for (int tried = 0; tried < kMostTries; ++tried) {
    path = (among / fmt::format("{}{}", prefix, kAnySix)).string();
    if (mkdtemp(path.data()) == nullptr) break;
    // Before it is locked, another program may take the folder for an abandoned one and remove it.
    const int folder = take(path);
    if (folder >= 0) return ScratchFolder(path, folder);
  }
  return fail(ErrorCode::kIo, fmt::format("cannot create {}: {}", path, std::strerror(errno)));
}

ScratchFolder::~ScratchFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace sail
