#include "sail/media/subtitles/subtitle_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kMostFilesInFolder = 10'000;  // further files are ignored

struct TextFormat {
  std::string_view extension;
  const char* format;
};
constexpr std::array kTextFormats = {TextFormat{".srt", "subrip"}, TextFormat{".ass", "ass"},
                                     TextFormat{".ssa", "ass"}, TextFormat{".vtt", "webvtt"}};

// The codes of ISO 639 for one language. Others are compared as they are.
constexpr std::array<std::array<std::string_view, 3>, 20> kLanguages = {{
    {"ar", "ara", "ara"}, {"cs", "ces", "cze"}, {"da", "dan", "dan"}, {"de", "deu", "ger"},
    {"el", "ell", "gre"}, {"en", "eng", "eng"}, {"es", "spa", "spa"}, {"fi", "fin", "fin"},
    {"fr", "fra", "fre"}, {"hu", "hun", "hun"}, {"it", "ita", "ita"}, {"ja", "jpn", "jpn"},
    {"ko", "kor", "kor"}, {"nl", "nld", "dut"}, {"no", "nor", "nob"}, {"pl", "pol", "pol"},
    {"pt", "por", "por"}, {"ru", "rus", "rus"}, {"sv", "swe", "swe"}, {"zh", "zho", "chi"},
}};

std::string_view short_language(std::string_view language) {
  for (const auto& codes : kLanguages) {
    if (std::ranges::find(codes, language) != codes.end()) return codes.front();
  }
  return language == "und" ? std::string_view() : language;
}

bool is_language(std::string_view word) {
  return (word.size() == 2 || word.size() == 3) &&
         std::ranges::all_of(word, [](char letter) { return letter >= 'a' && letter <= 'z'; });
}

// The words between the film's name and the extension: "en.forced".
void read_words(std::string_view words, SubtitleTrackFacts& track) {
  constexpr std::array<std::string_view, 3> kOthers = {"sdh", "cc", "hi"};
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('.'));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (word == "forced") {
      track.forced = true;
    } else if (track.language.empty() && is_language(word) &&
               std::ranges::find(kOthers, word) == kOthers.end()) {
      track.language = word;
    }
  }
}

std::optional<SubtitleTrackFacts> track_of(const std::filesystem::path& file,
                                           const std::string& stem) {
  const std::string name = file.filename().string();
  if (!name.starts_with(stem + ".")) return std::nullopt;
  const std::string extension = file.extension().string();
  const auto* format = std::ranges::find(kTextFormats, extension, &TextFormat::extension);
  if (format == kTextFormats.end()) return std::nullopt;
  SubtitleTrackFacts track{
      .language = {}, .format = format->format, .forced = false, .file = file.string()};
  const size_t begin = stem.size() + 1;
  const size_t end = name.size() - extension.size();
  if (end > begin) read_words(std::string_view(name).substr(begin, end - begin), track);
  return track;
}

}  // namespace

SubtitleChoice subtitle_choice(int track) {
  using Kind = SubtitleChoice::Kind;
  if (track == kForcedSubtitleTrack) return {.kind = Kind::kAuto};
  if (track == kNoSubtitleTrack) return {.kind = Kind::kOff};
  return {.kind = Kind::kTrack, .track = static_cast<size_t>(track)};
}

std::optional<int> subtitle_number(const SubtitleChoice& choice) {
  using Kind = SubtitleChoice::Kind;
  if (choice.kind == Kind::kFile) return std::nullopt;
  if (choice.kind == Kind::kAuto) return kForcedSubtitleTrack;
  return choice.kind == Kind::kOff ? kNoSubtitleTrack : static_cast<int>(choice.track);
}

std::optional<SubtitleChoice> parse_subtitle_choice(const std::string& text) {
  using Kind = SubtitleChoice::Kind;
  if (text.empty()) return std::nullopt;
  if (text == "off") return SubtitleChoice{.kind = Kind::kOff};
  if (text == "auto") return SubtitleChoice{.kind = Kind::kAuto};
  if (text.find_first_not_of("0123456789") != std::string::npos) {
    return SubtitleChoice{.kind = Kind::kFile, .file = text};
  }
  size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || number < 1 || number > kMaxSubtitleTrack) return std::nullopt;
  return SubtitleChoice{.kind = Kind::kTrack, .track = number};
}

std::vector<SubtitleTrackFacts> subtitle_files_beside(const std::string& film) {
  std::vector<SubtitleTrackFacts> tracks;
  std::error_code error;
  const std::filesystem::path path(film);
  if (!std::filesystem::is_regular_file(path, error)) return tracks;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::string stem = path.stem().string();
  size_t seen = 0;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (++seen > kMostFilesInFolder) break;
    if (auto track = track_of(file->path(), stem)) tracks.push_back(std::move(*track));
  }
  std::ranges::sort(tracks, {}, &SubtitleTrackFacts::file);
  if (tracks.size() > kMaxSubtitleTracks) tracks.resize(kMaxSubtitleTracks);
  return tracks;
}

std::string list_subtitles(std::span<const SubtitleTrackFacts> tracks) {
  std::string list;
  for (size_t i = 0; i < tracks.size(); ++i) {
    const SubtitleTrackFacts& track = tracks[i];
    list += fmt::format("{}{}: ", i == 0 ? "" : "; ", i + 1);
    if (!track.file.empty()) {
      list +=
          make_plain_text(std::filesystem::path(track.file).filename().string(), kMaxNameLength);
      continue;
    }
    list += fmt::format("{}, {}{}", track.language.empty() ? "unknown language" : track.language,
                        track.format, track.forced ? ", forced" : "");
  }
  return list;
}

std::optional<size_t> find_forced_track(std::span<const SubtitleTrackFacts> tracks,
                                        std::string_view sound_language) {
  const std::string_view wanted = short_language(sound_language);
  for (size_t i = 0; i < tracks.size(); ++i) {
    if (!tracks[i].forced) continue;
    const std::string_view language = short_language(tracks[i].language);
    if (wanted.empty() || language.empty() || language == wanted) return i;
  }
  return std::nullopt;
}

}  // namespace sail
