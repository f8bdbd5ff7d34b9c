// Small pictures of source files, for browsers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "manager/media/source_library.h"
#include "sail/core/base/log.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/poster_runs.h"

namespace manager {

// A JPEG; empty: the file has no preview.
using Preview = std::shared_ptr<const std::string>;

// Recently made previews, limited in bytes. Pure.
class PreviewCache {
 public:
  // An empty preview is forgotten after this time: a document may have been converted meanwhile.
  static constexpr int64_t kEmptyNs = 60'000'000'000;

  explicit PreviewCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null if it is not cached. now_ns: steady_now_ns().
  Preview find(const std::string& key, int64_t now_ns);
  // Evicts the least recently used entries to make room. An entry larger than the limit is not
  // kept.
  void keep(const std::string& key, Preview preview, int64_t now_ns);
  // Includes the keys and the overhead per entry.
  size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string key;
    Preview preview;
    int64_t kept_ns = 0;
  };
  static size_t bytes_of(const Entry& entry);
  void remove(std::list<Entry>::iterator entry);

  const size_t most_bytes_;
  size_t bytes_ = 0;
  std::list<Entry> entries_;  // Most recently used first.
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

// Previews to be made, in order, and the requests that wait for them. Pure.
class PreviewQueue {
 public:
  static constexpr size_t kMostAtOnce = 2;    // Previews being made.
  static constexpr size_t kMostWaiting = 64;  // Previews to be made.

  struct Job {
    std::string key;   // Equal for equal pictures.
    std::string path;  // Path of the file.
    int page = 1;
  };
  // Adds a request for the preview. Returns false if the queue is full.
  bool add(uint64_t request, const Job& job);
  // The request is gone. Previews that no request waits for are not started.
  void leave(uint64_t request);
  // Returns the next preview to make, in order of arrival; empty: none, or kMostAtOnce are running.
  std::optional<Job> take();
  // A preview from take() is finished. Returns the requests that wait for it.
  std::vector<uint64_t> done(const std::string& key);

 private:
  struct Wanted {
    Job job;
    std::vector<uint64_t> requests;
    bool running = false;
  };
  size_t running() const;

  std::deque<Wanted> wanted_;
};

// Makes the previews that browsers request. Loop thread; another thread checks the files.
class Previews {
 public:
  struct Options {
    std::string program;           // Path of vitrail-poster.
    size_t most_bytes = 32 << 20;  // Size limit of the cache.
    // The path of the file on this host that the window shows; empty: none.
    std::function<std::string(uint32_t window)> file_of{};
  };
  // sources must outlive this object.
  Previews(sail::Loop& loop, Options options, SourceLibrary& sources, const sail::Log& log);
  ~Previews();

  // Handles a request for /preview?source=ID or /preview?window=N&page=P.
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

 private:
  struct Request;
  void check_source(uint64_t request, const std::string& source);
  void check_file(uint64_t request, const std::string& path);
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
