#include "sail/media/cinema/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/cinema/composition.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/storage/reading/file.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr std::array kMapNames = {"ASSETMAP.xml", "ASSETMAP"};
constexpr size_t kHeadBytes = 4096;
constexpr size_t kMostPlaylists = 1000;  // small assets that may be playlists
constexpr size_t kMostListed = 10;

Result<std::string> read_text(const std::string& name, size_t most) {
  const auto file = File::open_to_read(name);
  if (!file) return file.error();
  const auto size = file->size();
  if (!size) return size.error();
  if (*size > most) {
    return fail(ErrorCode::kLimit, fmt::format("{} has more than {} bytes", name, most));
  }
  std::string text(*size, '\0');
  auto read = file->read(0, {reinterpret_cast<uint8_t*>(text.data()), text.size()});
  if (!read) return std::move(read.error());
  return text;
}

std::optional<std::string> map_in(const fs::path& folder) {
  for (const char* name : kMapNames) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / name, ignored)) return (folder / name).string();
  }
  return std::nullopt;
}

struct Playlist {
  std::string file;
  Composition composition;
};

Result<Playlist> read_playlist(const std::string& file) {
  auto text = read_text(file, kMaxCompositionBytes);
  if (!text) return std::move(text.error());
  auto composition = parse_composition(*text);
  if (!composition) {
    return fail(composition.error().code,
                fmt::format("{}: the composition {}", file, composition.error().message));
  }
  return Playlist{file, std::move(*composition)};
}

// Playlists have no file name of their own: every small asset may be one.
Result<std::vector<Playlist>> playlists_of(const std::string& name, const AssetMap& map) {
  std::vector<Playlist> found;
  std::optional<Error> damaged;
  size_t tried = 0;
  for (const auto& [id, path] : map) {
    const std::string file = (fs::path(name) / path).string();
    std::error_code error;
    const auto bytes = fs::file_size(file, error);
    if (error || bytes > kMaxCompositionBytes || extension_of(file) == ".mxf") continue;
    if (++tried > kMostPlaylists) break;
    auto playlist = read_playlist(file);
    if (playlist) {
      found.push_back(std::move(*playlist));
    } else if (playlist.error().code != ErrorCode::kNotFound && extension_of(file) == ".xml") {
      damaged = std::move(playlist.error());
    }
  }
  if (found.empty() && damaged) return std::move(*damaged);
  if (found.empty()) {
    return fail(ErrorCode::kBadData,
                name + ": the folder has none of the compositions that the asset map lists");
  }
  return found;
}

// The playlist that was issued last, and a remark about the others.
Playlist newest_of(const std::string& name, std::vector<Playlist> found,
                   std::optional<std::string>& remark) {
  std::ranges::stable_sort(found, [](const Playlist& a, const Playlist& b) {
    return std::pair(b.composition.issued, a.file) < std::pair(a.composition.issued, b.file);
  });
  if (found.size() > 1) {
    std::string others;
    for (size_t i = 1; i < std::min(found.size(), kMostListed); ++i) {
      others += fmt::format("{} {} (\"{}\")", i == 1 ? "" : ",", found[i].file,
                            found[i].composition.title);
    }
    remark = fmt::format("{} has {} compositions: playing \"{}\", issued last; others:{}", name,
                         found.size(), found.front().composition.title, others);
  }
  return std::move(found.front());
}

Result<std::vector<PackagePart>> with_files(const std::string& name, const fs::path& folder,
                                            const AssetMap& map,
                                            const std::vector<CompositionPart>& parts) {
  std::vector<PackagePart> found;
  for (const CompositionPart& part : parts) {
    const auto asset = map.find(part.asset);
    if (asset == map.end()) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("{}: the asset {} is in another package: put the files of both "
                              "packages into one folder with one asset map",
                              name, part.asset));
    }
    const std::string file = (folder / asset->second).string();
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
      return fail(ErrorCode::kNotFound, fmt::format("{}: the file {} is missing", name, file));
    }
    found.push_back({part, file});
  }
  return found;
}

}  // namespace

bool is_package_folder(const std::string& name) {
  return map_in(name).has_value();
}

bool is_package(const std::string& name) {
  std::error_code ignored;
  if (fs::is_directory(name, ignored)) return is_package_folder(name);
  if (extension_of(name) != ".xml" || !fs::is_regular_file(name, ignored)) return false;
  const auto file = File::open_to_read(name);
  const auto size = file ? file->size() : Result<uint64_t>(0);
  if (!file || !size) return false;
  std::string head(std::min<uint64_t>(*size, kHeadBytes), '\0');
  if (!file->read(0, {reinterpret_cast<uint8_t*>(head.data()), head.size()})) return false;
  return head.find("CompositionPlaylist") != std::string::npos;
}

Result<Package> open_package(const std::string& name) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(name, ignored);
  const fs::path folder = is_folder ? fs::path(name) : fs::path(name).parent_path();
  const auto map_name = map_in(folder);
  if (!map_name) {
    return fail(ErrorCode::kNotFound, name + ": there is no ASSETMAP or ASSETMAP.xml beside it");
  }
  const auto text = read_text(*map_name, kMaxAssetMapBytes);
  if (!text) return text.error();
  const auto map = parse_asset_map(*text);
  if (!map) {
    return fail(map.error().code,
                fmt::format("{}: the asset map {}", *map_name, map.error().message));
  }
  Package package;
  Playlist playlist;
  if (is_folder) {
    auto found = playlists_of(name, *map);
    if (!found) return std::move(found.error());
    playlist = newest_of(name, std::move(*found), package.remark);
  } else {
    auto read = read_playlist(name);
    if (!read) return std::move(read.error());
    playlist = std::move(*read);
  }
  auto pictures = with_files(name, folder, *map, playlist.composition.pictures);
  if (!pictures) return std::move(pictures.error());
  auto sounds = with_files(name, folder, *map, playlist.composition.sounds);
  if (!sounds) return std::move(sounds.error());
  package.title = std::move(playlist.composition.title);
  package.pictures = std::move(*pictures);
  package.sounds = std::move(*sounds);
  return package;
}

}  // namespace sail
