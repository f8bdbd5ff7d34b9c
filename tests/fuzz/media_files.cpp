// Files of films, stills and subtitles.
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <string_view>

#include "sail/media/cinema/composition.h"
#include "sail/media/source/jp2_boxes.h"
#include "sail/media/source/tiff_tags.h"
#include "sail/media/still/still_kind.h"
#include "sail/media/subtitles/subtitle_file.h"
#include "sail/media/subtitles/subtitle_markup.h"
#include "sail/media/vmov/vmov_reader.h"
#include "tests/fuzz/fuzz.h"

// A composition playlist or an asset map: the times of its parts are in order and in bounds.
FUZZ_TARGET(composition) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  if (const auto map = sail::parse_asset_map(xml)) {
    for (const auto& [id, path] : *map) {
      fuzz::require(!path.empty() && path.front() != '/' && !path.starts_with("../"),
                    "a path stays in the folder");
    }
  }
  const auto film = sail::parse_composition(xml);
  if (!film) return 0;
  int64_t end_ns = 0;
  for (const sail::CompositionPart& part : film->pictures) {
    fuzz::require(part.begin_ns == end_ns, "reels follow one another");
    fuzz::require(part.unit_at(part.time_ns(part.entry)) == part.entry, "times are exact");
    end_ns = part.end_ns();
    fuzz::require(end_ns > part.begin_ns, "a reel has a duration");
  }
  fuzz::require(film->pictures.size() <= sail::kMaxReels, "the number of reels is limited");
  return 0;
}

// The boxes around a codestream: the codestream found must lie within the input.
FUZZ_TARGET(jp2_boxes) {
  const std::span<const uint8_t> bytes(data, size);
  const auto found = sail::find_codestream(bytes);
  if (!found) return 0;
  fuzz::require(found->codestream.size() >= 4, "a codestream has its first markers");
  fuzz::require(
      found->codestream.data() >= bytes.data() &&
          found->codestream.data() + found->codestream.size() <= bytes.data() + bytes.size(),
      "the codestream lies within the bytes");
  if (const auto header = codecs::read_j2k_header(found->codestream)) {
    const auto color = sail::codestream_color(*header, *found, std::nullopt, std::nullopt);
    fuzz::require(header->components >= 3 || color.matrix == codecs::ColorMatrix::kRgb ||
                      color.matrix == codecs::ColorMatrix::kXyz,
                  "grey has no matrix");
    const bool hides = header->components > header->shown_components();
    fuzz::require(sail::codestream_notice(*header, *found).empty() == !(hides || header->is_signed),
                  "what is not shown is told");
  }
  return 0;
}

// What a picture file is: whatever the bytes are, what is not a still has no traits of one.
FUZZ_TARGET(still_kind) {
  const sail::StillTraits traits = sail::still_traits({data, size});
  if (traits.kind == sail::StillKind::kNone) {
    fuzz::require(!traits.film && !traits.wide, "what is not a still has no traits");
  }
  return 0;
}

// Text subtitles from files: whatever the bytes are, the subtitles are bounded.
FUZZ_TARGET(subtitle_file) {
  const auto file = sail::parse_subtitle_file("film.srt", {data, data + size});
  if (!file) return 0;
  fuzz::require(file->cues.size() <= sail::kMaxSubtitles, "subtitles are counted");
  for (const sail::SubtitleCue& cue : file->cues) {
    for (const std::string& event : cue.events) {
      fuzz::require(event.size() <= sail::SubtitleDecoder::kMaxEvent, "an event is limited");
      const sail::MarkupScript script{.size = {384, 288}, .font_size = 16};
      const auto markup = sail::read_markup(event, script);
      fuzz::require(!sail::read_markup(markup.plain, script).excessive, "plain text is limited");
    }
  }
  return 0;
}

// The tags of a TIFF: whatever the bytes are, there are few pages, and their samples have places.
FUZZ_TARGET(tiff_tags) {
  constexpr size_t kMost = 100;
  const auto pages = sail::read_tiff_pages(sail::tiff_bytes({data, size}), kMost);
  fuzz::require(pages.size() <= kMost, "there are at most that many pages");
  for (const sail::TiffPage& page : pages) {
    fuzz::require(page.orientation >= 1 && page.orientation <= 8, "an orientation of EXIF");
    fuzz::require(!page.alpha || *page.alpha >= page.colors, "opacity follows the colours");
  }
  return 0;
}

// A .vmov file: the file is refused, or each of its frames is either refused or valid.
FUZZ_TARGET(vmov_file) {
  using namespace sail;
  const int descriptor = memfd_create("vmov", MFD_CLOEXEC);
  fuzz::require(descriptor >= 0 && write(descriptor, data, size) == static_cast<ssize_t>(size),
                "there is memory for the input");
  const auto reader = VmovReader::open("/proc/self/fd/" + std::to_string(descriptor));
  close(descriptor);
  if (!reader) return 0;
  VmovFrame frame;
  for (size_t i = 0; i < reader->frame_count(); ++i) {
    if (!reader->read(i, frame)) continue;
    const uint64_t sum = std::accumulate(frame.lengths.begin(), frame.lengths.end(), uint64_t{0});
    fuzz::require(sum == frame.bytes.size(), "the lengths are those of the bytes");
    fuzz::require(reader->frame_at(frame.head.pts_ns) == i, "a frame is found by its time");
  }
  return 0;
}
