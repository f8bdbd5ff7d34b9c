// Which reader a film's name asks for. Any thread, one at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/options.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/media/source.h"

namespace sail {

struct FilmWish {
  std::optional<RawFormat> raw;  // of standard input; absent: it is as a film's file is
  std::string codec;             // that the pictures are to have on their way
  bool codec_given = false;      // false: a film that is compressed already may keep its own
  std::optional<double> fps;     // of numbered pictures; absent or 0: the usual
  int threads = 0;               // of the decoder; 0: one a core
  // Asked while nothing comes; true makes it give up.
  std::function<bool()> interrupted;
  const Log* log = nullptr;  // gets the decoder's own words at debug; outlives the source
  bool patient = false;      // a live source that is not there is waited for
};

// What the film's window is called: of a URL without what is asked of its server, which may be a
// signature.
std::string film_title(const std::string& film);

// Errors are sentences that begin with the film's name.
Result<std::unique_ptr<Source>> open_film(const std::string& film, const FilmWish& wish);

}  // namespace sail
