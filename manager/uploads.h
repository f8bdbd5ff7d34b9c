// Files that browsers send, by a subset of tus 1.0 (creation, termination): resumable, bounded in
// size and number, in a hidden file until they are whole and something can show them. Thread: the
// loop's; the disk is written to by another.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "manager/finished_uploads.h"
#include "manager/source_library.h"
#include "manager/upload_file.h"
#include "manager/upload_slots.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/web_server.h"

namespace manager {

class Uploads {
 public:
  // The sources outlive this, and get what is whole.
  Uploads(sail::Loop& loop, SourceLibrary& sources, const sail::Log& log);
  ~Uploads();

  // A request for /uploads or a path below.
  void handle(const std::shared_ptr<sail::WebExchange>& exchange);

 private:
  struct Upload;
  struct Transfer;
  using Exchange = std::shared_ptr<sail::WebExchange>;
  void create(const Exchange& exchange);
  // With the list of sources as it is now.
  void create(const Exchange& exchange, const std::string& address, const std::string& name,
              uint64_t size);
  void created(const Exchange& exchange, const std::string& id,
               const sail::Result<std::shared_ptr<UploadFile>>& file);
  void tell(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  static void tell(const Exchange& exchange, const FinishedUploads::Finished& upload);
  void receive(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  void write_next(const std::shared_ptr<Upload>& upload);
  void written(const std::shared_ptr<Upload>& upload, size_t bytes,
               const sail::Result<void>& result);
  void finish(const std::shared_ptr<Upload>& upload);
  // The steps after the last byte.
  void look_at(const std::shared_ptr<Upload>& upload);
  void looked_at(const std::shared_ptr<Upload>& upload, const FileVersion& file);
  void published(const std::shared_ptr<Upload>& upload, const FileVersion& looked_at,
                 const sail::Result<UploadFile::Published>& result);
  void end(const std::shared_ptr<Upload>& upload, const sail::Result<std::string>& source);
  // Bytes of all others, there or on their way.
  uint64_t used_without(const std::string& id) const;
  // Why so many more bytes may not come; nothing when they may.
  std::optional<sail::Error> no_room_for(const std::string& id, uint64_t size) const;
  bool make_place();
  void remove(const Exchange& exchange, const std::shared_ptr<Upload>& upload);
  void forget_stale();
  // For files that go now: closing and removing them takes time, too.
  void drop(std::shared_ptr<UploadFile> file);

  sail::Loop& loop_;
  SourceLibrary& sources_;
  const UploadOptions& options_;
  sail::Log log_;
  std::map<std::string, std::shared_ptr<Upload>> uploads_;  // by id
  UploadSlots slots_;
  FinishedUploads finished_;
  sail::Timer sweep_;
  std::shared_ptr<void> cleaning_;
};

}  // namespace manager
