// Copies films of the folder to disk servers, one at a time, on a thread of its own. Parts of an
// interrupted copy are kept and completed by the next attempt. The film counts as placed when its
// exNode is in the folder, which is written last. Thread: the loop's.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/media/storage/ibp/disk_link.h"

namespace server {

struct PlaceRequest {
  std::string title;
  size_t stripe = 0;  // 0: over all disk servers
  size_t copies = 1;
};

class Placer {
 public:
  using Answer = std::function<void(sail::Result<void>)>;

  // disks: where films may be placed. storage: films are read from it as best effort.
  Placer(sail::Loop& loop, const Library& library, std::shared_ptr<FilmStorage> storage,
         std::vector<sail::Address> disks, sail::WallKey key);
  ~Placer();
  Placer(const Placer&) = delete;
  Placer& operator=(const Placer&) = delete;

  // `answer` is called once, on the loop. kInvalidParams, kNotFound; kConflict: another film is
  // being placed, or the film changed meanwhile; kUnavailable: no disk servers, or the server is
  // ending. Otherwise the disk server's error.
  void place(PlaceRequest request, Answer answer);

 private:
  sail::Result<void> check(const PlaceRequest& request) const;
  sail::Result<void> copy(const PlaceRequest& request);

  sail::Loop& loop_;
  const Library library_;
  const std::shared_ptr<FilmStorage> storage_;
  const std::vector<sail::Address> disks_;
  const sail::DiskLink::Options links_;
  std::atomic<bool> ending_{false};
  bool busy_ = false;
  const std::shared_ptr<int> alive_ = std::make_shared<int>(0);
  std::thread thread_;
};

}  // namespace server
