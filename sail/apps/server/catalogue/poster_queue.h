// Decides which film's poster is made next, one at a time: requested posters first, others when
// there is nothing else to do. Keeps the results in the catalogue. Thread: the FilmIndex's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/server/catalogue/film_index.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/reading/fed_bytes.h"

namespace server {

// The poster being made.
struct PosterJob {
  std::string title;
  std::string path{};
  int64_t begun_ns = 0;
  std::shared_ptr<sail::ByteFeed> feed{};  // for films on disk servers
};

class PosterQueue {
 public:
  using Start = std::function<void(const PosterJob& job)>;

  // index must outlive this object. open_bytes: opens films on disk servers. start: makes the
  // poster; its result goes to keep().
  PosterQueue(FilmIndex& index, const Library& library, OpenBytes open_bytes, Start start)
      : index_(index),
        library_(library),
        open_bytes_(std::move(open_bytes)),
        start_(std::move(start)) {}

  // When the next poster is to begin; INT64_MAX: not before something else happens.
  int64_t next_ns() const;
  void begin_next();
  // Ends the job. kUnavailable: posters cannot be made here. kLimit: too few descriptors or
  // processes now; retried later.
  void keep(const sail::Result<std::string>& jpeg);

  // Returns a JPEG. kNotFound: the film has no poster. kUnavailable: not made yet; it is made soon.
  sail::Result<std::string> poster(const std::string& title);

 private:
  void begin(const std::string& title);

  FilmIndex& index_;
  const Library library_;
  const OpenBytes open_bytes_;
  const Start start_;
  int64_t rest_ns_ = 0;            // earliest time for the next poster that nobody requested
  std::deque<std::string> asked_;  // titles of requested posters, the latest first
  std::optional<PosterJob> job_;
  bool unable_ = false;  // posters cannot be made here
};

}  // namespace server
