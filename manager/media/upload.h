// One upload in progress: writes what its client sends to a hidden file, then has the file checked
// and publishes it. Runs on the loop thread; a background thread writes to disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "manager/media/media_facts.h"
#include "manager/media/source_library.h"
#include "manager/media/upload_file.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"

namespace manager {

class Upload : public std::enable_shared_from_this<Upload> {
 public:
  using Exchange = std::shared_ptr<sail::WebExchange>;
  struct Facts {
    std::string id;
    std::string name;
    uint64_t size = 0;
  };
  struct Handlers {
    std::function<void()> on_written;  // data has arrived
    // Called once, with the id of the source that the file became, or the reason why it became
    // none. The handler must answer `waiting`.
    std::function<void(const sail::Result<std::string>& source, std::vector<Exchange> waiting)>
        on_end;
  };
  // sources and log must outlive this object.
  Upload(sail::Loop& loop, SourceLibrary& sources, const sail::Log& log, Facts facts,
         Handlers handlers);

  const std::string& id() const { return facts_.id; }
  uint64_t size() const { return facts_.size; }
  uint64_t offset() const { return offset_; }  // bytes written
  int64_t touched_ns() const { return touched_ns_; }
  void touch();
  // Whether a request sends data, or the disk or a check is at work.
  bool busy() const { return transfer_ || working_; }
  bool created() const { return file_ != nullptr; }

  // Creates the file in that folder, whose disk must have `needed` bytes free. Removed files may
  // keep bin_bytes, or nothing if the disk is nearly full.
  void create(const std::string& folder, uint64_t needed, uint64_t bin_bytes,
              std::function<void(const sail::Result<void>&)> done);
  // Answers a HEAD request: at once, or when a complete upload is published.
  void report(const Exchange& exchange);
  // Writes the request's body, which continues at offset(). The upload must not be busy.
  void receive(const Exchange& exchange);
  // Gives away the file; the upload is over.
  std::shared_ptr<UploadFile> take_file() { return std::move(file_); }

 private:
  struct Transfer;
  void write_next();
  void written(size_t bytes, const sail::Result<void>& result);
  void finish();
  // The steps after the last byte.
  void check();
  void checked(const FileVersion& file);
  void published(const FileVersion& checked, const sail::Result<UploadFile::Published>& result);
  void end(const sail::Result<std::string>& source);

  sail::Loop& loop_;
  SourceLibrary& sources_;
  const sail::Log& log_;
  const Facts facts_;
  const Handlers handlers_;
  uint64_t offset_ = 0;
  int64_t touched_ns_ = 0;
  std::shared_ptr<UploadFile> file_;    // null until created
  std::shared_ptr<Transfer> transfer_;  // the request that is sending data
  std::shared_ptr<void> working_;       // disk operation or probe in progress
  std::vector<Exchange> asking_;        // HEAD requests while it is complete, but not published
};

// --- the HTTP responses of Uploads, by tus 1.0. Pure.
constexpr const char* kTusVersion = "1.0.0";

// text: for people; empty: no body.
sail::WebAnswer tus_answer(int status, std::string_view text = {});
// The response to OPTIONS.
sail::WebAnswer tus_abilities(uint64_t most_bytes);
sail::WebAnswer tus_created(const std::string& location);
sail::WebAnswer tus_progress(int status, uint64_t offset, uint64_t size);
// The upload is complete and has become that source.
sail::WebAnswer tus_finished(int status, uint64_t size, std::string_view source);
sail::WebAnswer tus_failure(const sail::Error& error);
// Too many uploads are in progress.
sail::WebAnswer tus_busy();

}  // namespace manager
