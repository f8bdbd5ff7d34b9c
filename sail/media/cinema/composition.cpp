#include "sail/media/cinema/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
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

constexpr int64_t kMostUnits = int64_t{1} << 32;           // a day of sound at 48 kHz
constexpr uint32_t kMostRateTerm = 1'000'000;              // numerator and denominator
constexpr double kFastestPictures = 240;                   // per second
constexpr int64_t kLongestFilmNs = 1'000'000 * kSecondNs;  // eleven days
constexpr std::string_view kImfNames = "http://www.smpte-ra.org/schemas/2067-3/";
constexpr std::array<std::string_view, 2> kCinemaNames = {
    "http://www.digicine.com/PROTO-ASDCP-CPL-20040511#",
    "http://www.smpte-ra.org/schemas/429-7/2006/CPL"};

std::optional<int64_t> number_in(std::string_view text, int64_t most) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<FrameRate> rate_in(std::string_view text) {
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto numerator = number_in(text.substr(0, blank), kMostRateTerm);
  const auto denominator = number_in(trimmed(text.substr(blank)), kMostRateTerm);
  if (!numerator || !denominator || *denominator < 1 || *numerator < *denominator) {
    return std::nullopt;
  }
  return FrameRate{static_cast<uint32_t>(*numerator), static_cast<uint32_t>(*denominator)};
}

// The fields of an asset of a reel, or of a resource.
struct PartFields {
  std::string asset;
  std::optional<FrameRate> rate;
  std::optional<int64_t> intrinsic;
  std::optional<int64_t> entry;
  std::optional<int64_t> duration;
  int64_t repeats = 1;
  bool encrypted = false;
};

class PlaylistReader {
 public:
  Result<void> begin(const XmlPath& path);
  Result<void> end(const XmlPath& path, std::string_view text);
  Result<Composition> take();

 private:
  Result<void> begin_root(const XmlName& root);
  // True for an element of the playlist's own namespace; those of others are ignored.
  bool is_ours(const XmlPath& path) const;
  Error bad_reel(const std::string& words) const {
    return fail(ErrorCode::kBadData, fmt::format("{} in reel {}", words, reel_));
  }
  Result<void> set_field(std::string_view name, std::string_view text);
  Result<void> set_number(std::optional<int64_t>& field, std::string_view name,
                          std::string_view text);
  Result<void> end_cinema_element(const XmlPath& path, std::string_view text);
  Result<void> end_imf_element(const XmlPath& path, std::string_view text);
  Result<void> add(std::vector<CompositionPart>& parts, const char* what);
  // Ends the reel: the next reel begins where this one ends.
  Result<void> end_reel();

  bool is_imf_ = false;
  std::string names_;  // the root's namespace
  Composition composition_;
  std::optional<FrameRate> rate_;  // frame rate of the composition, in IMF
  PartFields fields_;
  std::string track_;        // track of the sequence, in IMF
  std::string sound_track_;  // the only one that is played, in IMF
  size_t reel_ = 0;          // from 1
  int64_t begin_ns_ = 0;     // begin of the reel
  bool has_picture_ = false;
};

Result<void> PlaylistReader::begin_root(const XmlName& root) {
  if (root.name != "CompositionPlaylist") return fail(ErrorCode::kNotFound, "is not a composition");
  names_ = root.name_space;
  is_imf_ = names_.starts_with(kImfNames);
  if (is_imf_ || std::ranges::find(kCinemaNames, names_) != kCinemaNames.end()) return {};
  return fail(ErrorCode::kBadData, fmt::format("is of an unknown kind (namespace '{}')",
                                               make_plain_text(names_, kMaxNameLength)));
}

bool PlaylistReader::is_ours(const XmlPath& path) const {
  if (path.back().name_space == names_) return true;
  // Sequences of IMF have the namespaces of core constraints, in several versions.
  return is_imf_ && path.back().name.ends_with("Sequence");
}

Result<void> PlaylistReader::begin(const XmlPath& path) {
  if (path.size() == 1) return begin_root(path.front());
  const bool is_stereo =
      has_name(path, 0, "MainStereoscopicPicture") ||
      (has_name(path, 1, "SequenceList") && has_name(path, 0, "StereoImageSequence"));
  if (is_stereo) return fail(ErrorCode::kBadData, "is stereoscopic, which is not played");
  if (!is_ours(path)) return {};
  if (has_name(path, 0, is_imf_ ? "Segment" : "Reel")) {
    if (++reel_ > kMaxReels) {
      return fail(ErrorCode::kLimit, fmt::format("has more than {} reels", kMaxReels));
    }
    has_picture_ = false;
  }
  if (has_name(path, 1, "SequenceList")) track_.clear();
  if (has_name(path, 1, "AssetList") || has_name(path, 0, "Resource")) fields_ = {};
  return {};
}

Result<void> PlaylistReader::end(const XmlPath& path, std::string_view text) {
  if (!is_ours(path)) return {};
  if (path.size() == 2) {
    const std::string& name = path.back().name;
    if (name == "IssueDate") composition_.issued = make_plain_text(text, kMaxNameLength);
    if (name == "ContentTitleText" || name == "ContentTitle") {
      composition_.title = make_plain_text(text, kMaxTitleLength);
    }
    if (name == "EditRate") rate_ = rate_in(text);
  }
  return is_imf_ ? end_imf_element(path, text) : end_cinema_element(path, text);
}

Result<void> PlaylistReader::end_cinema_element(const XmlPath& path, std::string_view text) {
  if (has_name(path, 2, "AssetList")) return set_field(path.back().name, text);
  if (has_name(path, 1, "AssetList") && has_name(path, 0, "MainPicture")) {
    return add(composition_.pictures, "picture");
  }
  if (has_name(path, 1, "AssetList") && has_name(path, 0, "MainSound")) {
    return add(composition_.sounds, "sound");
  }
  return has_name(path, 0, "Reel") && has_name(path, 1, "ReelList") ? end_reel() : Result<void>();
}

Result<void> PlaylistReader::end_imf_element(const XmlPath& path, std::string_view text) {
  if (has_name(path, 0, "TrackId") && has_name(path, 2, "SequenceList")) track_ = asset_id(text);
  if (has_name(path, 1, "Resource")) return set_field(path.back().name, text);
  if (has_name(path, 0, "Resource") && has_name(path, 2, "MainImageSequence")) {
    return add(composition_.pictures, "picture");
  }
  if (has_name(path, 0, "Resource") && has_name(path, 2, "MainAudioSequence")) {
    if (sound_track_.empty()) sound_track_ = track_;
    if (track_ == sound_track_) return add(composition_.sounds, "sound");
  }
  return has_name(path, 0, "Segment") && has_name(path, 1, "SegmentList") ? end_reel()
                                                                          : Result<void>();
}

Result<void> PlaylistReader::set_field(std::string_view name, std::string_view text) {
  if (name == (is_imf_ ? "TrackFileId" : "Id")) fields_.asset = asset_id(text);
  if (name == "KeyId") fields_.encrypted = true;
  if (name == "EditRate") {
    fields_.rate = rate_in(text);
    if (!fields_.rate) return bad_reel("has an invalid edit rate");
  }
  if (name == "IntrinsicDuration") return set_number(fields_.intrinsic, name, text);
  if (name == "EntryPoint") return set_number(fields_.entry, name, text);
  if (name == (is_imf_ ? "SourceDuration" : "Duration")) {
    return set_number(fields_.duration, name, text);
  }
  if (!is_imf_ || name != "RepeatCount") return {};
  std::optional<int64_t> repeats;
  if (auto set = set_number(repeats, name, text); !set) return set;
  fields_.repeats = *repeats;
  return {};
}

Result<void> PlaylistReader::set_number(std::optional<int64_t>& field, std::string_view name,
                                        std::string_view text) {
  field = number_in(text, kMostUnits);
  if (field) return {};
  return bad_reel(fmt::format("has an invalid {}", name));
}

Result<void> PlaylistReader::add(std::vector<CompositionPart>& parts, const char* what) {
  if (fields_.encrypted) return bad_reel(fmt::format("has encrypted {}s, which need a key,", what));
  if (!fields_.rate && is_imf_) fields_.rate = rate_;
  if (fields_.asset.empty() || !fields_.rate || !fields_.intrinsic) {
    return bad_reel(fmt::format("has a {} without an id, an edit rate or a duration", what));
  }
  CompositionPart part{
      .asset = fields_.asset, .rate = *fields_.rate, .entry = fields_.entry.value_or(0)};
  part.duration = fields_.duration.value_or(*fields_.intrinsic - part.entry);
  if (part.duration < 1 || part.entry + part.duration > *fields_.intrinsic) {
    return bad_reel(fmt::format("plays more of a {} than there is", what));
  }
  const bool is_picture = &parts == &composition_.pictures;
  if (is_picture && frames_a_second(part.rate) > kFastestPictures) {
    return bad_reel(fmt::format("has more than {} pictures a second", kFastestPictures));
  }
  has_picture_ |= is_picture;
  for (int64_t i = 0; i < fields_.repeats; ++i) {
    if (parts.size() == kMaxReels) {
      return fail(ErrorCode::kLimit, fmt::format("has more than {} parts", kMaxReels));
    }
    const bool follows = !parts.empty() && parts.back().begin_ns >= begin_ns_;
    part.begin_ns = follows ? parts.back().end_ns() : begin_ns_;
    if (part.end_ns() > kLongestFilmNs) return fail(ErrorCode::kLimit, "is longer than 11 days");
    parts.push_back(part);
  }
  return {};
}

Result<void> PlaylistReader::end_reel() {
  if (!has_picture_) return bad_reel("has no pictures");
  begin_ns_ = composition_.duration_ns();
  return {};
}

Result<Composition> PlaylistReader::take() {
  if (composition_.pictures.empty()) return fail(ErrorCode::kBadData, "has no reels");
  return std::move(composition_);
}

template <typename Value, typename Reader>
Result<Value> parse_by(Reader reader, std::string_view xml, size_t most_bytes) {
  if (xml.size() > most_bytes) {
    return fail(ErrorCode::kLimit, fmt::format("has more than {} bytes", most_bytes));
  }
  auto read = read_xml(xml, {.begin = [&](const XmlPath& path) { return reader.begin(path); },
                             .end = [&](const XmlPath& path,
                                        std::string_view text) { return reader.end(path, text); }});
  if (!read) return std::move(read.error());
  return reader.take();
}

}  // namespace

std::string asset_id(std::string_view text) {
  constexpr std::string_view kUrn = "urn:uuid:";
  std::string id = make_plain_text(lower(text), kShownPath);
  return id.starts_with(kUrn) ? id.substr(kUrn.size()) : id;
}

Result<AssetMap> parse_asset_map(std::string_view xml) {
  return parse_by<AssetMap>(MapReader(), xml, kMaxAssetMapBytes);
}

int64_t CompositionPart::time_ns(int64_t unit) const {
  const int64_t scaled = unit * rate.denominator;
  const int64_t left = scaled % rate.numerator;
  return scaled / rate.numerator * kSecondNs + left * kSecondNs / rate.numerator;
}

int64_t CompositionPart::unit_at(int64_t time_ns) const {
  const int64_t seconds = (time_ns + 1) / kSecondNs;  // time_ns() was rounded down
  const int64_t left = (time_ns + 1) % kSecondNs;
  return (seconds * rate.numerator + left * rate.numerator / kSecondNs) / rate.denominator;
}

Result<Composition> parse_composition(std::string_view xml) {
  return parse_by<Composition>(PlaylistReader(), xml, kMaxCompositionBytes);
}

}  // namespace sail
