#include "manager/media/upload_bin.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <utility>

#include "manager/media/upload_file.h"
#include "manager/media/upload_rules.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/secret.h"

namespace manager {
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
