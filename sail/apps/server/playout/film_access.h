// The services that the RTSP and HTTP servers use: film facts, film data, and admission. Thread:
// the loop's.
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

// Where films are stored. Any thread.
struct FilmFiles {
  Library library;
  std::shared_ptr<FilmStorage> storage;
};

class FilmAccess {
 public:
  template <typename T>
  using Answer = std::function<void(sail::Result<T>)>;

  FilmAccess() = default;
  virtual ~FilmAccess() = default;
  FilmAccess(const FilmAccess&) = delete;
  FilmAccess& operator=(const FilmAccess&) = delete;

  virtual const FilmFiles& files() const = 0;
  // `answer` is called once, on the loop. kNotFound: not a film. kLimit: too many requests waiting.
  virtual void find(const std::string& title, Answer<CatalogueEntry> answer) = 0;
  // See CatalogueService::poster().
  virtual void poster(const std::string& title, Answer<std::string> answer) = 0;
  // See Reservations::reserve().
  virtual sail::Result<Promise> reserve(const std::string& title, const FilmNeed& need) = 0;
};

}  // namespace server
