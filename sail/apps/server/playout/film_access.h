// The film server's interface for the RTSP and HTTP servers: film facts, film data, and admission.
// Thread: the loop's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/apps/server/catalogue/catalogue.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/admission.h"
#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/base/result.h"

namespace server {

struct FilmAccess {
  Library library;  // any thread
  std::shared_ptr<FilmStorage> storage;
  // `answer` is called once, on the loop. kNotFound: not a film. kLimit: too many requests waiting.
  std::function<void(const std::string& title,
                     std::function<void(sail::Result<CatalogueEntry>)> answer)>
      find;
  // See CatalogueService::poster().
  std::function<void(const std::string& title,
                     std::function<void(sail::Result<std::string>)> answer)>
      poster;
  // Reserves the stream's rate. A stream of unknown rate counts as best effort. kBusy: refused;
  // the message has the numbers.
  std::function<sail::Result<Promise>(const std::string& title, const FilmNeed& need)> promise;
};

// The claim for a stream of that rate.
inline ReadClaim claim_for(double mb_per_s, bool best_effort) {
  return {mb_per_s * kBytesOfMb, best_effort || mb_per_s <= 0};
}

}  // namespace server
