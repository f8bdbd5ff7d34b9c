#include "sail/apps/show/fetched_files.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "sail/core/text/text.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/storage/reading/read_cache.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr uint64_t kMostBytes = uint64_t{4} << 30;
constexpr size_t kLongestName = 100;

// Replaces characters that could change the path.
std::string plain_name(std::string name) {
  for (char& letter : name) {
    if (letter == '/' || static_cast<unsigned char>(letter) < ' ') letter = '_';
  }
  return name.substr(name.size() - std::min(name.size(), kLongestName));
}

}  // namespace

std::string name_of(const std::string& uri) {
  if (!is_far(uri)) return std::filesystem::path(uri).filename().string();
  const std::string shown = without_passwords(uri);
  return std::filesystem::path(shown.substr(0, shown.find_first_of("?#"))).filename().string();
}

FetchedFiles::FetchedFiles(const std::vector<std::string>& uris, const Complain& complain,
                           const GiveUp& give_up) {
  for (const std::string& uri : uris) {
    if (!is_far(uri)) {
      paths_.push_back(uri);
      continue;
    }
    auto path = fetch(uri, give_up);
    if (!path) complain(path.error().message);
    paths_.push_back(path.value_or(without_passwords(uri)));
  }
}

FetchedFiles::~FetchedFiles() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

Result<std::string> FetchedFiles::fetch(const std::string& uri, const GiveUp& give_up) {
  if (names_several_files(uri)) {
    return fail(ErrorCode::kBadData, without_passwords(uri) + std::string(kSeveralFiles));
  }
  const auto source = open_bytes(uri, give_up);
  if (!source) return source.error();
  const uint64_t size = (*source)->size().value_or(0);
  if (size > kMostBytes) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is too large to copy: {} bytes, the maximum is {}",
                            (*source)->name(), size, kMostBytes));
  }
  if (folder_.empty()) {
    std::string name = (std::filesystem::temp_directory_path() / "vitrail-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return fail(ErrorCode::kIo, "cannot create " + name);
    folder_ = name;
  }
  const std::string path =
      fmt::format("{}/{}-{}", folder_, paths_.size(), plain_name(name_of(uri)));
  auto file = File::open_to_write(path);
  if (!file) return std::move(file.error());
  ReadCache ahead(**source);
  std::vector<uint8_t> room(ParallelReader::kBlockBytes);
  for (uint64_t place = 0; place < size;) {
    const auto got = ahead.read(place, room, give_up);
    if (!got) return got.error();
    if (*got == 0) break;
    auto put = file->write(place, std::span(room).first(*got));
    if (!put) return std::move(put.error());
    place += *got;
  }
  return path;
}

}  // namespace sail
