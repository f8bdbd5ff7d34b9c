#include "sail/apps/server/catalogue/library.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/media/cinema/package.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/vmov/vmov_source.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;

constexpr int kMaxDepth = 16;  // nested folders
constexpr std::array kFilmExtensions = {".vmov", ".mj2", ".mjp2", ".mxf", ".mov", ".mkv",  ".avi",
                                        ".mp4",  ".m4v", ".webm", ".ts",  ".mts", ".m2ts", ".mpg",
                                        ".vob",  ".wmv", ".flv",  ".ogv", ".3gp", ".mpeg"};
// Extensions of single pictures: their folder is the film.
constexpr std::array kPictureExtensions = {".j2c", ".j2k", ".jhc", ".jpc", ".jp2", ".jph"};

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

bool has_extension(const fs::path& path, std::span<const char* const> extensions) {
  const std::string extension = sail::extension_of(path.string());
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool is_asset_map(const fs::path& file) {
  return file.filename() == "ASSETMAP" || file.filename() == "ASSETMAP.xml";
}

// Returns the film of which the file is a part: its folder if the file is a picture, the film of an
// exNode, else the file itself. Empty: the name is not that of a film.
fs::path film_of(const fs::path& file) {
  if (has_extension(file, kPictureExtensions)) return file.parent_path();
  // All files of a cinema package (DCP, IMF) are one film.
  const bool in_package = file.extension() == ".mxf" || is_asset_map(file);
  if (in_package && sail::is_package_folder(file.parent_path().string())) return file.parent_path();
  const fs::path film = is_placed(file.string()) ? fs::path(file).replace_extension() : file;
  return has_extension(film, kFilmExtensions) ? film : fs::path();
}

// Why a file of the folder cannot be a film of that title.
std::optional<std::string> title_mistake(const std::string& title) {
  if (title.size() > kMaxTitleBytes) {
    return fmt::format("its name is longer than {} bytes", kMaxTitleBytes);
  }
  const auto mistake = sail::name_mistake(title);
  return mistake ? std::optional("its name " + *mistake) : std::nullopt;
}

bool is_title(const std::string& title) {
  if (title.empty() || title_mistake(title)) return false;
  const fs::path path(title);
  return path.is_relative() && std::none_of(path.begin(), path.end(), [](const fs::path& part) {
           return part.empty() || part == "." || part == "..";
         });
}

sail::Error no_such_film(const std::string& title) {
  return sail::fail(ErrorCode::kNotFound,
                    fmt::format("there is no film '{}': `titles` lists them", title));
}

sail::Error without_folder(sail::Error error, const std::string& path, const std::string& title) {
  error.message = server::without_folder(std::move(error.message), path, title);
  if (!error.message.starts_with(title)) error.message = title + ": " + error.message;
  return error;
}

sail::Error needs_decoding(const std::string& title) {
  return sail::fail(
      ErrorCode::kUnavailable,
      fmt::format("{}: this server does not decode films; `vitrail convert` makes it playable",
                  title));
}

template <typename Source>
sail::Result<std::unique_ptr<sail::Source>> opened(sail::Result<std::unique_ptr<Source>> film,
                                                   const std::string& path,
                                                   const std::string& title) {
  if (!film) return without_folder(film.error(), path, title);
  return std::unique_ptr<sail::Source>(std::move(*film));
}

}  // namespace

std::string without_folder(std::string message, const std::string& path, const std::string& title) {
  for (size_t at = 0; (at = message.find(path, at)) != std::string::npos; at += title.size()) {
    message.replace(at, path.size(), title);
  }
  return message;
}

Library::Library(std::string folder) : folder_(std::move(folder)) {}

sail::Result<Library> Library::open(const std::string& folder) {
  std::error_code error;
  const fs::path resolved = fs::canonical(folder, error);
  if (error || !fs::is_directory(resolved, error)) {
    return sail::fail(ErrorCode::kNotFound, fmt::format("there is no folder {}", folder));
  }
  return Library(resolved.string());
}

sail::Result<std::string> Library::find(const std::string& title) const {
  auto placed = find_in_folder(title + kPlacedExtension);
  std::error_code error;
  if (placed && is_placed(*placed) && fs::is_regular_file(*placed, error)) return placed;
  return find_in_folder(title);
}

sail::Result<std::string> Library::find_in_folder(const std::string& title) const {
  if (!is_title(title)) {
    return sail::fail(ErrorCode::kInvalidParams,
                      "a title is a relative path within the server's folder, without '..', "
                      "control or hidden characters");
  }
  std::error_code error;
  const fs::path resolved = fs::canonical(fs::path(folder_) / title, error);
  if (error || !is_within(resolved, folder_)) return no_such_film(title);
  if (!fs::is_regular_file(resolved, error) && !fs::is_directory(resolved, error)) {
    return no_such_film(title);
  }
  return resolved.string();
}

uint64_t Library::bytes_of(const std::string& title) const {
  const auto path = find(title);
  std::error_code error;
  if (!path) return 0;
  if (is_placed(*path)) {
    const auto placement = placement_of(*path);
    return placement ? placement->bytes : 0;
  }
  if (!fs::is_directory(*path, error)) {
    const uintmax_t bytes = fs::file_size(*path, error);
    return error ? 0 : bytes;
  }
  uint64_t sum = 0;
  for (fs::directory_iterator entry(*path, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code gone;
    const uintmax_t bytes = film_of(entry->path()).empty() ? 0 : entry->file_size(gone);
    if (!gone) sum += bytes;
  }
  return sum;
}

Library::Listing Library::list(const std::function<bool()>& give_up) const {
  Listing listing;
  scan_folder(folder_, 0, give_up, listing);
  return listing;
}

// Folders that are gone or cannot be read count as empty.
void Library::scan_folder(const fs::path& folder, int depth, const std::function<bool()>& give_up,
                          Listing& listing) const {
  listing.folders.push_back(folder.string());
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if ((give_up && give_up()) || !listing.whole) return;
    if (is_hidden(entry->path())) continue;
    std::error_code gone;
    if (!entry->is_directory(gone)) {
      note(*entry, listing);
    } else if (!entry->is_symlink(gone) && depth < kMaxDepth) {
      scan_folder(entry->path(), depth + 1, give_up, listing);
    }
  }
}

void Library::note(const fs::directory_entry& entry, Listing& listing) const {
  const fs::path film = film_of(entry.path());
  if (film.empty()) return;
  const std::string title = film.lexically_relative(folder_).string();
  std::error_code gone;
  // Only a symbolic link can lead outside the folder; other entries need no lookup.
  const bool ours =
      entry.is_symlink(gone)
          ? find_in_folder(entry.path().lexically_relative(folder_).string()).has_value()
          : entry.is_regular_file(gone);
  if (!ours) return;
  if (const auto mistake = title_mistake(title)) {
    if (listing.left_out.size() < kMostLeftOut) listing.left_out.emplace(title, *mistake);
    return;
  }
  if (!is_title(title)) return;
  if (listing.films.size() >= kMaxTitles && !listing.films.contains(title)) {
    listing.whole = false;
    return;
  }
  Stamp& stamp = listing.films[title];
  const uintmax_t bytes = entry.file_size(gone);
  if (!gone) stamp.bytes += bytes;
  const auto changed = std::chrono::file_clock::to_sys(entry.last_write_time(gone));
  stamp.changed = std::max<int64_t>(stamp.changed, changed.time_since_epoch().count());
}

sail::Result<std::unique_ptr<sail::Source>> open_film(const Library& library,
                                                      const std::string& title,
                                                      const OpenBytes& open_bytes) {
  const auto path = library.find(title);
  if (!path) return path.error();
  std::error_code gone;
  if (fs::is_regular_file(*path, gone)) {
    // A .vmov file that cannot be opened must not be taken for another format.
    const auto file = sail::File::open_to_read(*path);
    if (!file) return without_folder(file.error(), *path, title);
  }
  if (is_placed(*path) ? title.ends_with(".vmov") : sail::is_vmov_file(*path)) {
    auto bytes = open_bytes(*path);
    if (!bytes) return without_folder(bytes.error(), *path, title);
    return opened(sail::VmovSource::open(std::move(*bytes)), *path, title);
  }
  if (is_placed(*path) || !sail::is_stored_film(*path)) return needs_decoding(title);
  return opened(sail::open_stored_film(*path, {}), *path, title);
}

}  // namespace server
