// Scans folders for media files.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "manager/media/media_facts.h"
#include "manager/media/sources.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

namespace fs = std::filesystem;

bool is_inside(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// The folder of a DeepZoom picture has thousands of tiles, which are not listed.
bool has_tiles(const fs::path& folder) {
  constexpr std::string_view kTiles = "_files";
  const std::string name = folder.string();
  std::error_code failed;
  return name.ends_with(kTiles) &&
         fs::exists(name.substr(0, name.size() - kTiles.size()) + ".dzi", failed);
}

// Percent-encodes names with invisible characters, so that different ids also look different.
std::string id_text(const std::string& name) {
  if (!sail::name_mistake(name)) return name;
  return sail::percent_encoded(
      name, [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
}

constexpr size_t kLongestDetail = 4096;

// One scan; its limits apply to all folders together.
class Scan {
 public:
  void scan_folder(const MediaFolder& folder);
  FoundMedia take() { return std::move(found_); }

 private:
  void visit(const fs::directory_entry& entry, const MediaFolder& folder, const fs::path& root);

  FoundMedia found_;
  size_t looked_at_ = 0;
};

void Scan::scan_folder(const MediaFolder& folder) {
  std::error_code failed;
  const fs::path root = fs::canonical(folder.path, failed);
  if (failed) return;
  // Links to folders are not followed, because they can form loops.
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, failed);
  while (!failed && at != fs::recursive_directory_iterator()) {
    if (found_.sources.size() >= kMostMedia || ++looked_at_ > kMostEntries) return;
    const std::string name = at->path().filename().string();
    const bool hidden = name.starts_with('.');
    if (hidden || at.depth() >= kDeepestMedia || has_tiles(at->path()))
      at.disable_recursion_pending();
    if (!hidden) visit(*at, folder, root);
    at.increment(failed);
  }
}

void Scan::visit(const fs::directory_entry& entry, const MediaFolder& folder,
                 const fs::path& root) {
  std::error_code failed;
  if (!has_media_extension(entry.path().string()) || !entry.is_regular_file(failed)) return;
  const std::string name = entry.path().lexically_relative(root).string();
  if (!sail::is_plain_text(name)) {
    if (++found_.unlisted == 1) {
      found_.example = sail::make_plain_text(entry.path().string(), kLongestDetail);
    }
    return;
  }
  const fs::path file =
      entry.is_symlink(failed) ? fs::canonical(entry.path(), failed) : entry.path();
  if (failed || !is_inside(file, root)) return;
  Source source;
  source.id = folder.id + "/" + id_text(name);
  source.title = sail::make_plain_text(entry.path().filename().string(), sail::kMaxTitleLength);
  source.detail = sail::make_plain_text(folder.id + "/" + name, kLongestDetail);
  source.media = file.string();
  source.stamp = file_stamp(source.media);
  source.bytes = fs::file_size(file, failed);
  if (!failed) found_.sources.push_back(std::move(source));
}

}  // namespace

std::string file_stamp(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return "";
  const auto time = fs::last_write_time(path, failed);
  const auto bytes = failed ? 0 : fs::file_size(path, failed);
  return failed ? "" : fmt::format("{:x}-{:x}", time.time_since_epoch().count(), bytes);
}

FoundMedia scan_media(const std::vector<MediaFolder>& folders) {
  Scan scan;
  for (const MediaFolder& folder : folders) scan.scan_folder(folder);
  FoundMedia found = scan.take();
  std::stable_sort(found.sources.begin(), found.sources.end(),
                   [](const Source& a, const Source& b) { return a.id < b.id; });
  return found;
}

}  // namespace manager
