// Small pictures of source files, for browsers. Loop thread; another thread checks the files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "manager/media/preview_cache.h"
#include "manager/media/preview_queue.h"
#include "manager/media/source_library.h"
#include "sail/core/base/log.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"

namespace manager {

class Previews {
 public:
  struct Options {
    std::string program;           // Path of vitrail-poster.
    size_t most_bytes = 32 << 20;  // Size limit of the cache.
  };
  // sources must outlive this object.
  Previews(sail::Loop& loop, Options options, SourceLibrary& sources, const sail::Log& log);
  ~Previews();

  // Handles a request for /preview?source=ID.
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

 private:
  struct Request;
  void check_file(uint64_t request, const std::string& source);
  void file_checked(uint64_t request, const std::string& path, const std::string& stamp);
  void start_next();
  sail::Result<void> start(const PreviewQueue::Job& job);
  void finished(const std::string& key, const Preview& preview);
  void answer(uint64_t request, sail::WebAnswer answer);
  void answer(uint64_t request, const Preview& preview);

  sail::Loop& loop_;
  const Options options_;
  SourceLibrary& sources_;
  sail::Log log_;
  PreviewCache cache_;
  PreviewQueue queue_;
  sail::PosterRuns runs_;
  std::map<uint64_t, Request> requests_;  // Not answered yet.
  uint64_t next_request_ = 1;
};

}  // namespace manager
