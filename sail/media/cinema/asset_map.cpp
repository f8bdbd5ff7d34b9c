#include "sail/media/cinema/asset_map.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"
#include "sail/media/cinema/xml_events.h"

namespace sail {
namespace {

constexpr size_t kShownPath = 200;

Error bad_map(const std::string& words) {
  return fail(ErrorCode::kBadData, words);
}

// The path that a map names, relative to its folder; empty: it leads out of the folder.
std::optional<std::string> path_within(std::string_view text) {
  constexpr std::string_view kFileUrl = "file:///";
  if (text.starts_with(kFileUrl)) text.remove_prefix(kFileUrl.size());
  const auto decoded = percent_decoded(text);
  const std::filesystem::path path(decoded ? *decoded : std::string(text));
  if (path.empty() || path.is_absolute()) return std::nullopt;
  for (const auto& part : path) {
    if (part == "..") return std::nullopt;
  }
  if (path.native().find('\0') != std::string::npos) return std::nullopt;
  return path.lexically_normal().string();
}

// Collects the assets of a map.
class MapReader {
 public:
  Result<void> begin(const XmlPath& path) {
    if (path.size() == 1 && path.front().name != "AssetMap") return bad_map("has another root");
    if (!has_name(path, 0, "Asset") || !has_name(path, 1, "AssetList")) return {};
    id_.clear();
    file_.reset();
    if (map_.size() == kMaxAssets) {
      return fail(ErrorCode::kLimit, fmt::format("has more than {} assets", kMaxAssets));
    }
    return {};
  }

  Result<void> end(const XmlPath& path, std::string_view text) {
    if (has_name(path, 0, "Id") && has_name(path, 1, "Asset")) id_ = asset_id(text);
    if (has_name(path, 0, "Path") && has_name(path, 1, "Chunk")) return add_chunk(text);
    if (!has_name(path, 0, "Asset") || !has_name(path, 1, "AssetList")) return {};
    if (id_.empty() || !file_) return bad_map("has an asset without an id or a path");
    if (!map_.emplace(id_, *file_).second) return bad_map("has two assets of id " + id_);
    return {};
  }

  AssetMap take() { return std::move(map_); }

 private:
  Result<void> add_chunk(std::string_view text) {
    if (file_) return bad_map(fmt::format("splits the asset {}: this is not supported", id_));
    file_ = path_within(text);
    if (file_) return {};
    return bad_map(
        fmt::format("has a path out of its folder: {}", make_plain_text(text, kShownPath)));
  }

  std::string id_;
  std::optional<std::string> file_;
  AssetMap map_;
};

}  // namespace

std::string asset_id(std::string_view text) {
  constexpr std::string_view kUrn = "urn:uuid:";
  std::string id = make_plain_text(lower(text), kShownPath);
  return id.starts_with(kUrn) ? id.substr(kUrn.size()) : id;
}

Result<AssetMap> parse_asset_map(std::string_view xml) {
  if (xml.size() > kMaxAssetMapBytes) {
    return fail(ErrorCode::kLimit, fmt::format("has more than {} bytes", kMaxAssetMapBytes));
  }
  MapReader reader;
  auto read = read_xml(xml, {.begin = [&](const XmlPath& path) { return reader.begin(path); },
                             .end = [&](const XmlPath& path,
                                        std::string_view text) { return reader.end(path, text); }});
  if (!read) return std::move(read.error());
  return reader.take();
}

}  // namespace sail
