// Stills of players. libvips, with twenty other libraries, is loaded for the first still, so that
// films begin without it: it is linked only by a module of our own, vitrail-stills.so.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/source/source.h"
#include "sail/media/still/still_wish.h"

namespace sail {

struct StillLibrary {
  // Names the build: a package may be replaced while a program runs, and the types below may differ
  // then. First, so that every build finds this field.
  const char* build;
  // StillSource::open().
  Result<std::unique_ptr<Source>> (*open)(const std::string& name, std::vector<uint8_t> file,
                                          const StillOptions& options);
  // read_still() of a picture in memory, which errors call "the picture".
  Result<StillPixels> (*read)(std::span<const uint8_t> picture, const StillWish& wish, int threads);
};

// The function that the module exports, which returns its StillLibrary.
constexpr const char* kStillLibrary = "vitrail_still_library";

// kUnavailable: the module is of another build than this program.
Result<const StillLibrary*> of_this_build(const StillLibrary& library);

// Any thread. kUnavailable: the module, or a library that it needs, is not installed, or is of
// another build.
Result<const StillLibrary*> still_library();

}  // namespace sail
