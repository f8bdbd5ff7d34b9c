// Draws the text of subtitles with libass, which includes the layout of ASS scripts. Fonts are
// those of the system: fonts in films are not loaded, because they could attack the libraries that
// read fonts. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/subtitles/subtitle_blend.h"

namespace sail {

class SubtitleRenderer {
 public:
  // header: an ASS script without events.
  static Result<std::unique_ptr<SubtitleRenderer>> open(std::string header);
  ~SubtitleRenderer();
  SubtitleRenderer(const SubtitleRenderer&) = delete;
  SubtitleRenderer& operator=(const SubtitleRenderer&) = delete;

  // event: "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text". False: its markup or
  // the script's styles exceed the limits, so the text is shown plainer, and cut.
  bool add(std::string event, int64_t start_ms, int64_t duration_ms);
  void remove_all();

  struct View {
    Size picture;             // size of the picture to draw for
    Size stored;              // size in the film, for which scripts are written
    double pixel_aspect = 1;  // width of a pixel of `picture` divided by its height

    bool operator==(const View&) const = default;
  };
  // Empty optional: the same as the last time. kLimit: too many or too large subtitles at this
  // time.
  Result<std::optional<std::vector<SubtitlePatch>>> render(const View& view, int64_t at_ms);

  // Once: a sentence about the first character that no font has; empty: all are drawn.
  std::string take_missing_font();

 private:
  struct Libass;
  explicit SubtitleRenderer(std::unique_ptr<Libass> libass);

  std::unique_ptr<Libass> libass_;
  View view_;
};

}  // namespace sail
