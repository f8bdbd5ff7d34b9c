#include "ui/client/wall_picture.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <png.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "codecs/picture/jpeg.h"
#include "sail/client/session/snapshot.h"
#include "sail/core/address/address.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/receiver_messages.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

// Byte offset of an upright tile pixel in the picture that the display shows.
size_t display_index(const sail::Tile& tile, int x, int y) {
  const sail::Size upright = tile.upright();
  int column = x;
  int row = y;
  if (tile.rotation == 90) {
    column = upright.height - 1 - y;
    row = x;
  } else if (tile.rotation == 180) {
    column = upright.width - 1 - x;
    row = upright.height - 1 - y;
  } else if (tile.rotation == 270) {
    column = y;
    row = upright.width - 1 - x;
  }
  return (static_cast<size_t>(row) * static_cast<size_t>(tile.resolution.width) +
          static_cast<size_t>(column)) *
         4;
}

// Rotates the tile's picture upright; scales by nearest neighbour if its size on the wall differs.
void paste(WallPicture& wall, const sail::Tile& tile, const std::vector<uint8_t>& shown) {
  const sail::Size upright = tile.upright();
  for (int y = 0; y < tile.wall_rect.height; ++y) {
    const int from_y = static_cast<int>(int64_t{y} * upright.height / tile.wall_rect.height);
    uint8_t* row = wall.pixels.data() + (static_cast<size_t>(tile.wall_rect.y + y) *
                                             static_cast<size_t>(wall.size.width) +
                                         static_cast<size_t>(tile.wall_rect.x)) *
                                            4;
    if (tile.rotation == 0 && upright == sail::Size{tile.wall_rect.width, tile.wall_rect.height}) {
      std::memcpy(row, shown.data() + display_index(tile, 0, y),
                  static_cast<size_t>(upright.width) * 4);
      continue;
    }
    for (int x = 0; x < tile.wall_rect.width; ++x) {
      const int from_x = static_cast<int>(int64_t{x} * upright.width / tile.wall_rect.width);
      std::memcpy(row + ptrdiff_t{x} * 4, shown.data() + display_index(tile, from_x, from_y), 4);
    }
  }
}

constexpr int64_t kSnapshotTimeoutMs = 5000;

// Builds the wall from the manager's answer.
sail::Result<sail::Wall> wall_from(const sail::Json& answer) {
  sail::Json file = member(answer, "wall");
  if (file.is_object()) file.erase("size");  // computed from the tiles
  return sail::parse_wall(file.dump());
}

std::vector<sail::SnapshotSource> sources_from(const sail::Json& answer, const sail::Wall& wall,
                                               uint64_t secret, const sail::RpcPeer& manager) {
  std::vector<sail::SnapshotSource> sources;
  for (const sail::Json& receiver : member(answer, "receivers")) {
    sail::SnapshotSource source;
    source.receiver = text_member(receiver, "name");
    source.data_address = {text_member(receiver, "host"),
                           static_cast<uint16_t>(number_member(receiver, "port")),
                           text_member(receiver, "certificate")};
    source.data_address =
        sail::on_link_of(std::move(source.data_address), manager.local_address().host);
    source.secret = secret;
    for (const sail::Tile& tile : wall.tiles) {
      if (tile.receiver == source.receiver) source.tiles.push_back({tile.name, tile.resolution});
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

sail::Snapshot collect(sail::RpcClient& client, const std::vector<sail::SnapshotSource>& sources,
                       int64_t at_ns) {
  std::optional<sail::Snapshot> snapshot;
  const auto guard = sail::take_snapshot(client.loop(), sources, at_ns, kSnapshotTimeoutMs,
                                         [&](sail::Snapshot taken) {
                                           snapshot = std::move(taken);
                                           client.loop().stop();
                                         });
  while (!snapshot) client.loop().run();
  return std::move(*snapshot);
}

sail::Result<TilePictures> take_once(sail::RpcClient& client) {
  const auto answer = client.call("snapshot", sail::Json::object());
  if (!answer) return answer.error();
  const auto permit = sail::message_from_json<sail::SnapshotPermit>(*answer);
  if (!permit) return permit.error();
  auto wall = wall_from(*answer);
  if (!wall) return wall.error();

  sail::Snapshot snapshot =
      collect(client, sources_from(*answer, *wall, permit->secret, client.peer()), permit->at_ns);
  if (snapshot.pictures.empty() && !snapshot.failures.empty()) {
    const sail::Snapshot::Failure& first = snapshot.failures.front();
    return sail::fail(first.error.code, fmt::format("{}: {}", first.receiver, first.error.message));
  }
  return TilePictures{std::move(*wall), std::move(snapshot), answer->value("frozen", sail::Json()),
                      permit->at_ns};
}

sail::Result<void> write_png(const WallPicture& picture, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.size.width);
  image.height = static_cast<png_uint_32>(picture.size.height);
  image.format = PNG_FORMAT_BGRA;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr) == 0) {
    return sail::fail(sail::ErrorCode::kIo,
                      fmt::format("cannot write {}: {}", path, image.message));
  }
  return {};
}

sail::Result<void> write_jpeg(const WallPicture& picture, const std::string& path) {
  constexpr int kQuality = 92;
  std::vector<uint8_t> rgb;
  rgb.reserve(picture.pixels.size() / 4 * 3);
  for (size_t i = 0; i + 3 < picture.pixels.size(); i += 4) {
    rgb.insert(rgb.end(), {picture.pixels[i + 2], picture.pixels[i + 1], picture.pixels[i]});
  }
  const auto jpeg = codecs::encode_jpeg(rgb, picture.size.width, picture.size.height, kQuality);
  if (jpeg.empty()) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{}: the wall is too large for a JPEG, write a .png", path));
  }
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(jpeg.data()), static_cast<std::streamsize>(jpeg.size()));
  if (file.flush()) return {};
  return sail::fail(sail::ErrorCode::kIo,
                    fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

bool agrees(const sail::Snapshot& snapshot) {
  std::map<uint32_t, uint64_t> frames;
  for (const sail::TilePicture& picture : snapshot.pictures) {
    for (const auto& [window, frame] : picture.windows) {
      if (frames.emplace(window, frame).first->second != frame) return false;
    }
  }
  return true;
}

sail::Result<TilePictures> take_tile_pictures(sail::RpcClient& client, int tries) {
  auto tiles = take_once(client);
  for (int i = 1; i < tries && tiles && !agrees(tiles->snapshot); ++i) tiles = take_once(client);
  return tiles;
}

WallPicture wall_picture(const TilePictures& tiles) {
  WallPicture picture;
  picture.size = tiles.wall.size;
  picture.frozen = tiles.frozen;
  picture.pixels.resize(static_cast<size_t>(picture.size.width) *
                        static_cast<size_t>(picture.size.height) * 4);
  for (size_t i = 3; i < picture.pixels.size(); i += 4) picture.pixels[i] = 255;
  const std::vector<sail::TilePicture>& shown = tiles.snapshot.pictures;
  for (const sail::Tile& tile : tiles.wall.tiles) {
    const auto found = std::find_if(shown.begin(), shown.end(), [&](const sail::TilePicture& one) {
      return one.tile == tile.name;
    });
    if (found == shown.end()) {
      picture.missing.push_back(tile.name);
      continue;
    }
    paste(picture, tile, found->bgra);
    for (const auto& [window, frame] : found->windows) {
      picture.frames.push_back({tile.name, window, frame});
    }
  }
  return picture;
}

std::optional<PictureKind> picture_kind(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".png") return PictureKind::kPng;
  if (ending == ".jpg" || ending == ".jpeg") return PictureKind::kJpeg;
  return std::nullopt;
}

sail::Result<void> write_picture(const WallPicture& picture, const std::string& path) {
  const auto kind = picture_kind(path);
  if (!kind) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("{} must end with {}", path, kPictureExtensions));
  }
  return *kind == PictureKind::kPng ? write_png(picture, path) : write_jpeg(picture, path);
}

sail::Json picture_json(const WallPicture& picture, const std::string& path) {
  sail::Json frames = sail::Json::array();
  for (const WallPicture::TileFrame& shown : picture.frames) {
    frames.push_back({{"tile", shown.tile}, {"window", shown.window}, {"frame", shown.frame}});
  }
  sail::Json json = {{"file", path},
                     {"size", sail::size_json(picture.size)},
                     {"frames", std::move(frames)},
                     {"missing", picture.missing}};
  if (!picture.frozen.is_null()) json["frozen"] = picture.frozen;
  return json;
}

std::string picture_text(const WallPicture& picture, const std::string& path) {
  std::string text = fmt::format("{}: {}×{} pixels", path, picture.size.width, picture.size.height);
  if (!picture.missing.empty()) {
    text += fmt::format("; missing: {} (black: no snapshot from their receivers)",
                        fmt::join(picture.missing, ", "));
  }
  if (!picture.frozen.is_null()) text += "; frozen windows: " + picture.frozen.dump();
  return text;
}

}  // namespace ui
