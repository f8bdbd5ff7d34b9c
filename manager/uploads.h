// Files that browsers send, by a subset of tus 1.0 (creation, termination): resumable, bounded in
// size and number, in a hidden file until they are whole. Thread: the loop's; the disk is written
// to by another.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "manager/finished_uploads.h"
#include "manager/upload_file.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/web_server.h"

namespace manager {

struct UploadOptions {
  std::string folder;
  uint64_t most_bytes = uint64_t{4} << 30;  // of one file
  size_t most_at_once = 8;
  int64_t patience_s = 3600;  // an upload that nobody goes on with, or that is whole, is forgotten
};

class Uploads {
 public:
  // name: of the file in the folder, now that it is whole; the result goes to whoever sent it, as
  // Vitrail-Source.
  using Completed = std::function<std::string(const std::string& name)>;
  Uploads(sail::Loop& loop, UploadOptions options, Completed completed, const sail::Log& log);
  ~Uploads();

  // A request for /uploads or a path below.
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

 private:
  struct Upload;
  struct Transfer;
  using Exchange = std::shared_ptr<sail::WebExchange>;
  void create(const Exchange& exchange);
  void created(const Exchange& exchange, const std::string& id,
               const sail::Result<std::shared_ptr<UploadFile>>& file);
  void tell(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  static void tell(const Exchange& exchange, const FinishedUploads::Finished& upload);
  void receive(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  void write_next(const std::shared_ptr<Upload>& upload);
  void written(const std::shared_ptr<Upload>& upload, size_t bytes,
               const sail::Result<void>& result);
  void finish(const std::shared_ptr<Upload>& upload);
  void publish(const std::shared_ptr<Upload>& upload);
  void published(const std::shared_ptr<Upload>& upload, const sail::Result<std::string>& name);
  void remove(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  void forget_stale();
  // For files that go now: closing and removing them takes time, too.
  void drop(std::shared_ptr<UploadFile> file);

  sail::Loop& loop_;
  const UploadOptions options_;
  Completed completed_;
  sail::Log log_;
  std::map<std::string, std::shared_ptr<Upload>> uploads_;  // by id
  FinishedUploads finished_;
  sail::Timer sweep_;
  std::shared_ptr<void> cleaning_;
};

}  // namespace manager
