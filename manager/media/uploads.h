// Uploads from browsers, by a subset of tus 1.0 (creation, termination). They are resumable,
// limited in size and number, and hidden until they are complete and playable. Runs on the loop
// thread; a background thread writes to disk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manager/media/source_library.h"
#include "manager/media/upload.h"
#include "manager/media/upload_file.h"
#include "manager/media/upload_lists.h"
#include "sail/core/base/log.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"

namespace manager {

class Uploads {
 public:
  // sources must outlive this object, and gets the completed files.
  Uploads(sail::Loop& loop, SourceLibrary& sources, const sail::Log& log);

  // Handles a request for /uploads or a path below it.
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

 private:
  using Exchange = Upload::Exchange;
  void create(const Exchange& exchange);
  // Called after the list of sources was refreshed.
  void create(const Exchange& exchange, const std::string& address, const std::string& name,
              uint64_t size);
  void created(const Exchange& exchange, const std::string& id, const sail::Result<void>& made);
  static void report(const Exchange& exchange, const FinishedUploads::Finished& upload);
  void receive(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  void ended(const std::string& id, const sail::Result<std::string>& source,
             const std::vector<Exchange>& waiting);
  // Returns the bytes of all other uploads, complete or in progress.
  uint64_t used_without(const std::string& id) const;
  // Returns an error if the upload exceeds the quota; empty: it fits.
  std::optional<sail::Error> no_room_for(const std::string& id, uint64_t size) const;
  bool make_place();
  void remove(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  void forget_stale();
  // Destroys a file object in the background, because closing and removing files takes time.
  void drop(std::shared_ptr<UploadFile> file);

  sail::Loop& loop_;
  SourceLibrary& sources_;
  const UploadOptions& options_;
  sail::Log log_;
  std::map<std::string, std::shared_ptr<Upload>> uploads_;  // By id.
  UploadSlots slots_;
  FinishedUploads finished_;
  sail::Timer sweep_;
  std::shared_ptr<void> cleaning_;
};

}  // namespace manager
