#include "manager/media/upload_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "manager/media/file_extensions.h"
#include "manager/media/sources_scan.h"
#include "manager/media/upload_rules.h"
#include "sail/core/base/private_file.h"

namespace manager {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSpared = 64 << 20;  // Bytes that uploads leave free on the disk.
constexpr std::string_view kPartStart = ".vitrail-";
constexpr std::string_view kPartEnd = ".part";
constexpr int kMostOfOneName = 1000;
constexpr size_t kCompared = 1 << 20;  // Bytes per read.

sail::Error disk_error(const std::string& what) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  return {full ? sail::ErrorCode::kLimit : sail::ErrorCode::kIo,
          fmt::format("{}: {}", what, std::strerror(errno))};
}

// Leaves a reserve free for other programs that write to the disk.
sail::Result<void> check_room(const std::string& folder, uint64_t needed) {
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) != 0) return {};
  const uint64_t free = uint64_t{disk.f_bavail} * disk.f_frsize;
  if (free >= needed + kSpared) return {};
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("the manager's disk has no space for this upload: {} MiB are free, "
                                "and {} MiB stay reserved",
                                free >> 20, kSpared >> 20));
}

bool have_same_bytes(const fs::path& one, const fs::path& other) {
  std::ifstream a(one, std::ios::binary);
  std::ifstream b(other, std::ios::binary);
  std::vector<char> of_a(kCompared);
  std::vector<char> of_b(kCompared);
  while (a && b) {
    a.read(of_a.data(), kCompared);
    b.read(of_b.data(), kCompared);
    if (a.gcount() != b.gcount()) return false;
    if (std::memcmp(of_a.data(), of_b.data(), static_cast<size_t>(a.gcount())) != 0) return false;
  }
  return a.eof() && b.eof();
}

// Returns a complete file of the folder with the same content; empty: none.
std::string duplicate_of(const fs::path& part) {
  std::error_code failed;
  const uint64_t bytes = fs::file_size(part, failed);
  for (const fs::directory_entry& entry : fs::directory_iterator(part.parent_path(), failed)) {
    std::string name = entry.path().filename().string();
    const bool alike = !name.starts_with('.') && has_media_extension(name) &&
                       entry.is_regular_file(failed) && entry.file_size(failed) == bytes;
    if (alike && have_same_bytes(part, entry.path())) return name;
  }
  return "";
}

}  // namespace

sail::Result<std::shared_ptr<UploadFile>> UploadFile::create(const std::string& folder,
                                                             const std::string& id,
                                                             const std::string& file_extension,
                                                             uint64_t needed) {
  if (auto made = sail::make_private_folder(folder); !made) return made.error();
  std::error_code failed;
  if (auto room = check_room(folder, needed); !room) return room.error();
  // The list of sources uses canonical paths, too.
  const std::string real = fs::canonical(folder, failed).string();
  std::string part = fmt::format("{}/{}{}{}{}", real, kPartStart, id, kPartEnd, file_extension);
  const int descriptor =
      open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) {
    return disk_error("cannot create a file in the uploads folder");
  }
  return std::shared_ptr<UploadFile>(new UploadFile(real, std::move(part), descriptor));
}

UploadFile::UploadFile(std::string folder, std::string part, int descriptor)
    : folder_(std::move(folder)), part_(std::move(part)), descriptor_(descriptor) {}

UploadFile::~UploadFile() {
  close(descriptor_);
  if (!part_.empty()) unlink(part_.c_str());
}

sail::Result<void> UploadFile::write(std::string_view bytes, uint64_t offset) {
  if (auto room = check_room(folder_, bytes.size()); !room) return room;
  while (!bytes.empty()) {
    const ssize_t count =
        pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return disk_error("cannot write the upload");
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
  return {};
}

FileVersion UploadFile::version() const {
  return {.path = part_, .stamp = file_stamp(part_)};
}

sail::Result<UploadFile::Published> UploadFile::publish(const std::string& name) {
  std::string given = duplicate_of(part_);
  if (given.empty()) {
    auto named = name_it(name);
    if (!named) return named.error();
    given = std::move(*named);
  }
  const std::string path = fmt::format("{}/{}", folder_, given);
  return Published{.name = given, .file = {.path = path, .stamp = file_stamp(path)}};
}

sail::Result<std::string> UploadFile::name_it(const std::string& name) {
  // The disk may report only now that an earlier write failed.
  if (fsync(descriptor_) != 0) return disk_error("cannot write the upload");
  for (int number = 1; number < kMostOfOneName; ++number) {
    const std::string wanted = number == 1 ? name : numbered_name(name, number);
    // link() fails if the name exists; rename() would replace that file.
    if (link(part_.c_str(), fmt::format("{}/{}", folder_, wanted).c_str()) == 0) {
      unlink(std::exchange(part_, "").c_str());
      return wanted;
    }
    if (errno != EEXIST) return disk_error("cannot give the upload its name");
  }
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("too many uploads are named '{}': rename this one", name));
}

sail::Result<void> rename_upload(const std::string& path, const std::string& new_path) {
  if (path == new_path) return {};
  if (link(path.c_str(), new_path.c_str()) == 0) {
    unlink(path.c_str());
    return {};
  }
  if (errno != EEXIST) return disk_error("cannot rename the file");
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format("a file named '{}' already exists", fs::path(new_path).filename().string()));
}

void remove_stale_uploads(const std::string& folder, int64_t older_than_s) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPartStart) || name.find(kPartEnd) == std::string::npos) continue;
    struct stat facts {};
    if (lstat(entry.path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    if (std::time(nullptr) - facts.st_mtime > older_than_s) unlink(entry.path().c_str());
  }
}

}  // namespace manager
