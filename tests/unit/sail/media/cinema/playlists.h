// Playlists and asset maps as packages have them.
#pragma once

#include <fmt/format.h>

#include <string>

namespace sail {

inline constexpr const char* kSmpteNames = "http://www.smpte-ra.org/schemas/429-7/2006/CPL";

// An asset of a reel of 24 pictures a second. extra: further elements.
inline std::string reel_asset(const std::string& element, const std::string& id, int intrinsic,
                              int entry, int duration, const std::string& extra = "") {
  return fmt::format(
      "<{0}><Id>urn:uuid:{1}</Id><EditRate>24 1</EditRate><IntrinsicDuration>{2}"
      "</IntrinsicDuration><EntryPoint>{3}</EntryPoint><Duration>{4}</Duration>{5}</{0}>",
      element, id, intrinsic, entry, duration, extra);
}

inline std::string reel(const std::string& assets) {
  return "<Reel><Id>urn:uuid:0</Id><AssetList>" + assets + "</AssetList></Reel>";
}

inline std::string playlist(const std::string& reels, const std::string& title = "Film",
                            const std::string& issued = "2026-11-28T12:00:00+00:00",
                            const std::string& names = kSmpteNames) {
  return fmt::format(
      "<?xml version=\"1.0\"?><CompositionPlaylist xmlns=\"{}\"><Id>urn:uuid:1</Id><IssueDate>{}"
      "</IssueDate><ContentTitleText>{}</ContentTitleText><ReelList>{}</ReelList>"
      "</CompositionPlaylist>",
      names, issued, title, reels);
}

inline std::string map_asset(const std::string& id, const std::string& path) {
  return fmt::format(
      "<Asset><Id>urn:uuid:{}</Id><ChunkList><Chunk><Path>{}</Path></Chunk></ChunkList></Asset>",
      id, path);
}

inline std::string asset_map(const std::string& assets) {
  return "<AssetMap xmlns=\"http://www.smpte-ra.org/schemas/429-9/2007/AM\"><AssetList>" + assets +
         "</AssetList></AssetMap>";
}

}  // namespace sail
