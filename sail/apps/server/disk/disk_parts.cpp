#include "sail/apps/server/disk/disk_parts.h"

#include <fmt/core.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "sail/media/storage/reading/read_speed.h"

namespace server {
namespace {

namespace fs = std::filesystem;

std::string unfinished_path(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / ('.' + name + ".new")).string();
}

}  // namespace

std::string part_path(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

sail::Result<sail::DiskStored> find_part(const std::string& folder, const std::string& name) {
  std::error_code missing;
  const uintmax_t bytes = fs::file_size(part_path(folder, name), missing);
  if (missing) return sail::fail(sail::ErrorCode::kNotFound, "there is no such part");
  return sail::DiskStored{bytes, true};
}

uint64_t free_bytes(const std::string& folder) {
  std::error_code unknown;
  const auto space = fs::space(folder, unknown);
  return unknown ? 0 : space.available;
}

double measure_parts(const std::string& folder) {
  constexpr int64_t kMeasureNs = 500'000'000;
  std::error_code error;
  fs::path largest;
  uintmax_t most = 0;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code gone;
    const uintmax_t bytes = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
    if (gone || bytes <= most || !sail::is_disk_part(entry->path().filename().string())) continue;
    most = bytes;
    largest = entry->path();
  }
  const auto file = sail::File::open_to_read(largest.string());
  if (!file) return 0;
  file->forget();
  const auto speed = sail::measure_reading(*file, {.time_ns = kMeasureNs, .once = true}, {});
  return speed ? speed->mb_per_s() : 0;
}

sail::Result<WrittenPart> WrittenPart::open(const std::string& folder, const std::string& name) {
  auto file = sail::File::open_to_write(unfinished_path(folder, name));
  if (!file) return std::move(file.error());
  const auto bytes = file->size();
  if (!bytes) return bytes.error();
  return WrittenPart(std::move(*file), part_path(folder, name), *bytes);
}

sail::Result<void> WrittenPart::write(uint64_t offset, std::span<const uint8_t> bytes) {
  if (offset != bytes_) {
    return sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("the part ends at byte {}, cannot write at byte {}", bytes_, offset));
  }
  auto written = file_.write(offset, bytes);
  if (written) {
    bytes_ += bytes.size();
  } else {
    (void)file_.cut(bytes_);
  }
  return written;
}

sail::Result<void> WrittenPart::keep(uint64_t bytes) {
  if (bytes != bytes_) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("the part has {} bytes, expected {}", bytes_, bytes));
  }
  if (auto synced = file_.sync(); !synced) return synced;
  std::error_code error;
  fs::rename(file_.name(), part_, error);
  if (error) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot create {}: {}", part_, error.message()));
  }
  return {};
}

}  // namespace server
