#include "manager/upload_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "manager/upload_rules.h"

namespace manager {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSpared = 64 << 20;  // bytes that uploads leave free on the disk
constexpr std::string_view kPartStart = ".vitrail-";
constexpr std::string_view kPartEnd = ".part";
constexpr int kMostOfOneName = 1000;

sail::Error disk_error(const std::string& what) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  return {full ? sail::ErrorCode::kLimit : sail::ErrorCode::kIo,
          fmt::format("{}: {}", what, std::strerror(errno))};
}

}  // namespace

sail::Result<std::shared_ptr<UploadFile>> UploadFile::create(const std::string& folder,
                                                             const std::string& id,
                                                             uint64_t needed) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot make the folder {}: {}", folder, failed.message()));
  }
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) == 0 &&
      uint64_t{disk.f_bavail} * disk.f_frsize < needed + kSpared) {
    return sail::fail(sail::ErrorCode::kLimit, "the manager's disk has no room for it");
  }
  std::string part = fmt::format("{}/{}{}{}", folder, kPartStart, id, kPartEnd);
  const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return tl::make_unexpected(disk_error("cannot write to the folder of uploads"));
  }
  return std::shared_ptr<UploadFile>(new UploadFile(folder, std::move(part), descriptor));
}

UploadFile::UploadFile(std::string folder, std::string part, int descriptor)
    : folder_(std::move(folder)), part_(std::move(part)), descriptor_(descriptor) {}

UploadFile::~UploadFile() {
  close(descriptor_);
  if (!part_.empty()) unlink(part_.c_str());
}

sail::Result<void> UploadFile::write(std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t count =
        pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return tl::make_unexpected(disk_error("cannot write the upload"));
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
  return {};
}

sail::Result<std::string> UploadFile::publish(const std::string& name) {
  // The disk may tell only now that it took less than it said.
  if (fsync(descriptor_) != 0) return tl::make_unexpected(disk_error("cannot write the upload"));
  for (int number = 1; number < kMostOfOneName; ++number) {
    const std::string wanted = number == 1 ? name : numbered_name(name, number);
    // A link fails where a file is, which a renaming would replace.
    if (link(part_.c_str(), fmt::format("{}/{}", folder_, wanted).c_str()) == 0) {
      unlink(std::exchange(part_, "").c_str());
      return wanted;
    }
    if (errno != EEXIST) return tl::make_unexpected(disk_error("cannot name the upload"));
  }
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("too many uploads are named '{}': rename it", name));
}

void remove_stale_uploads(const std::string& folder, int64_t older_than_s) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPartStart) || !name.ends_with(kPartEnd)) continue;
    struct stat facts {};
    if (lstat(entry.path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    if (std::time(nullptr) - facts.st_mtime > older_than_s) unlink(entry.path().c_str());
  }
}

}  // namespace manager
