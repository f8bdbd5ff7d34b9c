#include "manager/media/upload_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "manager/media/media_facts.h"
#include "manager/media/sources.h"
#include "manager/media/upload_rules.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/secret.h"

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

namespace {

namespace fs = std::filesystem;

constexpr const char* kBinFolder = ".bin";  // Hidden, so it contains no sources.
constexpr int64_t kSecondsOfADay = 24 * 60 * 60;
constexpr size_t kIdLetters = 8;

// The id is "SECONDS-RANDOM-NAME".
std::optional<BinnedUpload> read_bin_id(const std::string& id) {
  const size_t first = id.find('-');
  const size_t second = id.find('-', first + 1);
  if (first == std::string::npos || second != first + 1 + kIdLetters) return std::nullopt;
  const auto seconds = upload_number(id.substr(0, first));
  BinnedUpload file{.id = id, .name = id.substr(second + 1)};
  const bool is_name = !file.name.empty() && file.name.find('/') == std::string::npos;
  if (!seconds || !is_name) return std::nullopt;
  file.removed_at_s = static_cast<int64_t>(*seconds);
  return file;
}

}  // namespace

sail::Result<std::string> bin_upload(const std::string& folder, const std::string& path) {
  const fs::path bin = fs::path(folder) / kBinFolder;
  if (auto made = sail::make_private_folder(bin); !made) return made.error();
  std::string name = fs::path(path).filename().string();
  if (name.size() > kLongestUploadName) name = clean_file_name(name);
  std::string id =
      fmt::format("{}-{}-{}", std::time(nullptr), sail::random_word().substr(0, kIdLetters), name);
  if (::rename(path.c_str(), (bin / id).c_str()) == 0) return id;
  if (errno == ENOENT) return sail::fail(sail::ErrorCode::kNotFound, "the file no longer exists");
  return sail::fail(sail::ErrorCode::kIo,
                    fmt::format("cannot remove the file: {}", std::strerror(errno)));
}

sail::Result<std::string> restore_upload(const std::string& folder, const std::string& id) {
  const auto file = folder.empty() ? std::nullopt : read_bin_id(id);
  const fs::path bin = fs::path(folder) / kBinFolder;
  std::error_code failed;
  if (!file || !fs::is_regular_file(bin / id, failed)) {
    return sail::fail(
        sail::ErrorCode::kNotFound,
        fmt::format(
            "the file is no longer in the bin, which keeps files for {} days if there is space",
            kBinDays));
  }
  constexpr int kMostNumber = 1000;
  for (int number = 1; number < kMostNumber; ++number) {
    const std::string name = number == 1 ? file->name : numbered_name(file->name, number);
    const auto moved = rename_upload(bin / id, fs::path(folder) / name);
    if (moved) return name;
    if (moved.error().code != sail::ErrorCode::kConflict) return moved.error();
  }
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("too many uploads are named '{}': rename one", file->name));
}

std::vector<BinnedUpload> binned_uploads(const std::string& folder) {
  std::vector<BinnedUpload> files;
  if (folder.empty()) return files;
  std::error_code failed;
  for (fs::directory_iterator at(fs::path(folder) / kBinFolder, failed), end; !failed && at != end;
       at.increment(failed)) {
    auto file = read_bin_id(at->path().filename().string());
    std::error_code gone;
    if (!file || !at->is_regular_file(gone)) continue;
    file->bytes = at->file_size(gone);
    if (!gone) files.push_back(std::move(*file));
  }
  std::ranges::sort(files, {},
                    [](const BinnedUpload& file) { return std::pair(file.removed_at_s, file.id); });
  return files;
}

void empty_bin(const std::string& folder, uint64_t most_bytes) {
  const std::vector<BinnedUpload> files = binned_uploads(folder);
  uint64_t bytes = 0;
  for (const BinnedUpload& file : files) bytes += file.bytes;
  const int64_t oldest_s = std::time(nullptr) - kBinDays * kSecondsOfADay;
  for (const BinnedUpload& file : files) {
    if (bytes <= most_bytes && file.removed_at_s >= oldest_s) break;
    ::unlink((fs::path(folder) / kBinFolder / file.id).c_str());
    bytes -= file.bytes;
  }
}

}  // namespace manager
