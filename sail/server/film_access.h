// What the doors for players (RTSP, HTTP) may ask of the film server: what a film is, its bytes,
// and whether the storage carries one more. Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/base/result.h"
#include "sail/server/admission.h"
#include "sail/server/catalogue.h"
#include "sail/server/film_storage.h"
#include "sail/server/library.h"

namespace server {

struct FilmAccess {
  Library library;  // any thread
  std::shared_ptr<FilmStorage> storage;
  // The answer comes once, by the loop. kNotFound: it is no film. kLimit: too many ask at once.
  std::function<void(const std::string& title,
                     std::function<void(sail::Result<CatalogueEntry>)> answer)>
      find;
  // See Librarian::poster().
  std::function<void(const std::string& title,
                     std::function<void(sail::Result<std::string>)> answer)>
      poster;
  // Nothing for a stream whose need is unknown, whatever it asks for. kLimit, with the numbers.
  std::function<sail::Result<Promise>(const std::string& title, const FilmNeed& need)> promise;
};

// What a stream of that need may claim.
inline ReadClaim claim_for(double mb_per_s, bool best_effort) {
  return {mb_per_s * kBytesOfMb, best_effort || mb_per_s <= 0};
}

}  // namespace server
