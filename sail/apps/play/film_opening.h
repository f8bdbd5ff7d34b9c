// Chooses the reader for a video name or URL. Callable from any thread, one call at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/play/options.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/wall/display_color.h"
#include "sail/media/source/source.h"
#include "sail/media/subtitles/subtitle_choice.h"

namespace sail {

struct FilmWish {
  std::optional<RawFormat> raw;  // raw format of standard input; empty: a container
  std::string codec;             // for sending the pictures, or kCarried
  bool may_carry = false;        // send the film undecoded if that is possible
  // With may_carry: called with a sentence that says why the film is sent undecoded, or not.
  std::function<void(const std::string&)> explain{};
  bool codec_given = false;   // false: a compressed video may keep its own codec
  std::optional<double> fps;  // frame rate of numbered pictures; empty or 0: default
  Deinterlacing deinterlacing = Deinterlacing::kAuto;
  MissingAction missing = MissingAction::kHold;
  int threads = 0;  // decoder threads; 0: one per core
  // Called while no data arrives; returning true aborts.
  std::function<bool()> interrupted;
  // Receives decoder messages at debug level. Must outlive the source.
  const Log* log = nullptr;
  SubtitleChoice subtitles{};
  codecs::DisplayColor display{};
  bool patient = false;  // wait for a live source that is not available yet
};

// Returns the window title for a video. The query of a URL is removed: it may be a signature.
std::string film_title(const std::string& film);

// Error messages begin with the video's name.
Result<std::unique_ptr<Source>> open_film(const std::string& film, const FilmWish& wish);

}  // namespace sail
