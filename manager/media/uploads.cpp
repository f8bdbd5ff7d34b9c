#include "manager/media/uploads.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>
#include <vector>

#include "manager/media/file_extensions.h"
#include "manager/media/tus_answers.h"
#include "manager/media/upload_bin.h"
#include "manager/media/upload_rules.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/secret.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kSweepMs = 60'000;
constexpr std::string_view kRoot = "/uploads";

std::string mebibytes(uint64_t bytes) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

// The request that is sending data.
struct Uploads::Transfer {
  Exchange exchange;
  std::deque<std::string> pieces;
  bool ended = false;
};

struct Uploads::Upload {
  std::string id;
  std::string name;
  uint64_t size = 0;
  uint64_t offset = 0;               // Bytes written.
  std::shared_ptr<UploadFile> file;  // null until created.
  std::unique_ptr<Transfer> transfer;
  std::shared_ptr<void> working;  // Disk operation or probe in progress.
  std::vector<Exchange> asking;   // HEAD requests while it is complete, but not published.
  int64_t touched_ns = sail::steady_now_ns();
};

Uploads::Uploads(sail::Loop& loop, SourceLibrary& sources, const sail::Log& log)
    : loop_(loop),
      sources_(sources),
      options_(sources.uploads()),
      log_(log),
      slots_({}),
      sweep_(loop) {
  cleaning_ = sail::in_background(
      loop_,
      [folder = options_.folder, age_s = options_.wait_timeout_s, most = options_.quota_bytes] {
        // An older version made this folder readable for everyone.
        std::error_code failed;
        if (std::filesystem::exists(folder, failed)) (void)sail::make_private_folder(folder);
        remove_stale_uploads(folder, age_s);
        empty_bin(folder, most);
      },
      [] {});
  sweep_.start(kSweepMs, kSweepMs, [this] { forget_stale(); });
}

Uploads::~Uploads() = default;

void Uploads::handle(const Exchange& exchange) {
  const std::string& path = exchange->path();
  const std::string& method = exchange->method();
  if (method == "OPTIONS") {
    exchange->answer(tus_abilities(options_.most_bytes));
    return;
  }
  if (exchange->header("tus-resumable") != kTusVersion) {
    sail::WebAnswer answer = tus_answer(412, "the header Tus-Resumable must be 1.0.0");
    answer.headers.emplace_back("Tus-Version", kTusVersion);
    exchange->answer(std::move(answer));
    return;
  }
  if (path == kRoot && method == "POST") {
    create(exchange);
    return;
  }
  const std::string id = path.substr(std::min(kRoot.size() + 1, path.size()));
  if (const auto* whole = finished_.find(id)) {
    if (method == "HEAD") {
      tell(exchange, *whole);
    } else {
      exchange->answer(tus_answer(409, "the upload is already complete"));
    }
    return;
  }
  const auto found = uploads_.find(id);
  if (found == uploads_.end() || !found->second->file) {
    exchange->answer(tus_answer(404, "there is no such upload; it may have expired"));
    return;
  }
  const std::shared_ptr<Upload> upload = found->second;
  upload->touched_ns = sail::steady_now_ns();
  if (method == "HEAD") {
    tell(exchange, upload);
  } else if (method == "PATCH") {
    receive(exchange, upload);
  } else if (method == "DELETE") {
    remove(exchange, upload);
  } else {
    exchange->answer(tus_answer(405, "use HEAD, PATCH or DELETE"));
  }
}

void Uploads::create(const Exchange& exchange) {
  const auto size = upload_number(exchange->header("upload-length").value_or(""));
  const auto name = upload_metadata(exchange->header("upload-metadata").value_or(""), "filename");
  if (!size || *size == 0) {
    exchange->answer(
        tus_answer(400, "the header Upload-Length must be the file's size in bytes, at least 1"));
  } else if (!name) {
    exchange->answer(
        tus_answer(400, "the file's name is missing: send Upload-Metadata: filename BASE64"));
  } else if (*size > options_.most_bytes) {
    exchange->answer(
        tus_answer(413, fmt::format("the file is too large: uploads may have at most {} MiB",
                                    options_.most_bytes >> 20)));
  } else if (!has_media_extension(clean_file_name(*name))) {
    exchange->answer(
        tus_answer(415, "unsupported file type: upload films, pictures or PDF documents"));
  } else {
    sources_.refresh([this, exchange, address = exchange->peer().host,
                      name = clean_file_name(*name),
                      size = *size] { create(exchange, address, name, size); });
  }
}

void Uploads::create(const Exchange& exchange, const std::string& address, const std::string& name,
                     uint64_t size) {
  auto upload = std::make_shared<Upload>();
  upload->id = sail::random_word();
  upload->name = name;
  upload->size = size;
  if (!make_place() || !slots_.take(upload->id, address, sail::steady_now_ns())) {
    exchange->answer(tus_busy());
    return;
  }
  if (const auto none = no_room_for(upload->id, size)) {
    slots_.leave(upload->id);
    exchange->answer(tus_failure(*none));
    return;
  }
  uint64_t needed = size;
  for (const auto& [id, other] : uploads_) needed += other->size - other->offset;
  // The bin may use the rest of the quota, but nothing if the disk is nearly full.
  const uint64_t taken = used_without(upload->id) + size;
  const uint64_t left = options_.quota_bytes - std::min(options_.quota_bytes, taken);
  using File = sail::Result<std::shared_ptr<UploadFile>>;
  auto made = std::make_shared<File>();
  upload->working = sail::in_background(
      loop_,
      [made, folder = options_.folder, id = upload->id, file_extension = file_extension_of(name),
       needed, left] {
        empty_bin(folder, left);
        *made = UploadFile::create(folder, id, file_extension, needed);
        if (*made || made->error().code != sail::ErrorCode::kLimit) return;
        empty_bin(folder, 0);
        *made = UploadFile::create(folder, id, file_extension, needed);
      },
      [this, exchange, id = upload->id, made] { created(exchange, id, *made); });
  uploads_.emplace(upload->id, std::move(upload));
}

// Drops the upload that has been idle the longest, to make room for a new one.
bool Uploads::make_place() {
  if (uploads_.size() < options_.most_unfinished) return true;
  const int64_t now_ns = sail::steady_now_ns();
  auto oldest = uploads_.end();
  for (auto entry = uploads_.begin(); entry != uploads_.end(); ++entry) {
    const Upload& upload = *entry->second;
    if (upload.transfer || upload.working || slots_.has(upload.id, now_ns)) continue;
    const bool older = oldest == uploads_.end() || upload.touched_ns < oldest->second->touched_ns;
    if (older) oldest = entry;
  }
  if (oldest == uploads_.end()) return false;
  drop(std::move(oldest->second->file));
  uploads_.erase(oldest);
  return true;
}

// Idle uploads reserve no space for data that they have not sent yet.
uint64_t Uploads::used_without(const std::string& id) const {
  const int64_t now_ns = sail::steady_now_ns();
  uint64_t used = sources_.upload_bytes();
  for (const auto& [other_id, other] : uploads_) {
    if (other_id == id) continue;
    used += slots_.has(other_id, now_ns) ? other->size : other->offset;
  }
  return used;
}

std::optional<sail::Error> Uploads::no_room_for(const std::string& id, uint64_t size) const {
  const uint64_t used = used_without(id);
  if (used + size <= options_.quota_bytes) return std::nullopt;
  return sail::Error{
      sail::ErrorCode::kLimit,
      fmt::format("the uploads use {} of {} MiB, and this file has {} MiB: remove some uploads, or "
                  "ask an admin for a larger quota (--uploads-quota)",
                  mebibytes(used), mebibytes(options_.quota_bytes), mebibytes(size))};
}

void Uploads::created(const Exchange& exchange, const std::string& id,
                      const sail::Result<std::shared_ptr<UploadFile>>& file) {
  if (!file) {
    log_.warning("cannot create an upload: {}", file.error().message);
    uploads_.erase(id);
    slots_.leave(id);
    exchange->answer(tus_failure(file.error()));
    return;
  }
  uploads_.at(id)->file = *file;
  uploads_.at(id)->working.reset();
  exchange->answer(tus_created(fmt::format("{}/{}", kRoot, id)));
}

void Uploads::tell(const Exchange& exchange, const std::shared_ptr<Upload>& upload) {
  if (upload->offset == upload->size) {
    upload->asking.push_back(exchange);
    return;
  }
  exchange->answer(tus_progress(200, upload->offset, upload->size));
}

void Uploads::tell(const Exchange& exchange, const FinishedUploads::Finished& upload) {
  const int status = exchange->method() == "HEAD" ? 200 : 204;
  exchange->answer(tus_finished(status, upload.size, upload.source));
}

void Uploads::receive(const Exchange& exchange, const std::shared_ptr<Upload>& upload) {
  const auto offset = upload_number(exchange->header("upload-offset").value_or(""));
  if (exchange->header("content-type") != "application/offset+octet-stream") {
    exchange->answer(
        tus_answer(415, "the header Content-Type must be application/offset+octet-stream"));
  } else if (upload->transfer || upload->working) {
    exchange->answer(tus_answer(423, "another request is sending this upload"));
  } else if (offset != upload->offset) {
    exchange->answer(
        tus_answer(409, fmt::format("wrong Upload-Offset: continue from byte {}", upload->offset)));
  } else if (exchange->body_size() == 0 || exchange->body_size() > upload->size - upload->offset) {
    exchange->answer(tus_answer(413, "the body is empty or exceeds Upload-Length"));
  } else if (const auto none = no_room_for(upload->id, upload->size)) {
    exchange->answer(tus_failure(*none));
  } else if (!slots_.take(upload->id, exchange->peer().host, sail::steady_now_ns())) {
    exchange->answer(tus_busy());
  } else {
    upload->transfer = std::make_unique<Transfer>();
    upload->transfer->exchange = exchange;
    exchange->read_body({.on_bytes =
                             [this, upload](std::string_view bytes) {
                               upload->transfer->exchange->pause_body();
                               upload->transfer->pieces.emplace_back(bytes);
                               write_next(upload);
                             },
                         .on_end =
                             [this, upload] {
                               upload->transfer->ended = true;
                               write_next(upload);
                             },
                         // Keep the data: the client can resume.
                         .on_gone =
                             [this, upload] {
                               upload->transfer->ended = true;
                               write_next(upload);
                             }});
  }
}

void Uploads::write_next(const std::shared_ptr<Upload>& upload) {
  if (upload->working || !upload->transfer) return;
  Transfer& transfer = *upload->transfer;
  if (transfer.pieces.empty()) {
    if (transfer.ended) {
      finish(upload);
    } else {
      transfer.exchange->resume_body();
    }
    return;
  }
  const auto piece = std::make_shared<std::string>(std::move(transfer.pieces.front()));
  transfer.pieces.pop_front();
  const auto result = std::make_shared<sail::Result<void>>();
  upload->working = sail::in_background(
      loop_,
      [file = upload->file, piece, result, offset = upload->offset] {
        *result = file->write(*piece, offset);
      },
      [this, upload, piece, result] { written(upload, piece->size(), *result); });
}

void Uploads::written(const std::shared_ptr<Upload>& upload, size_t bytes,
                      const sail::Result<void>& result) {
  upload->working.reset();
  upload->touched_ns = sail::steady_now_ns();
  slots_.touch(upload->id, upload->touched_ns);
  if (!result) {
    log_.warning("upload of '{}': {}", upload->name, result.error().message);
    const auto transfer = std::move(upload->transfer);
    transfer->exchange->answer(tus_failure(result.error()));
    return;
  }
  upload->offset += bytes;
  write_next(upload);
}

void Uploads::finish(const std::shared_ptr<Upload>& upload) {
  if (upload->offset == upload->size) {
    check_upload(upload);
    return;
  }
  const auto transfer = std::move(upload->transfer);
  transfer->exchange->answer(tus_progress(204, upload->offset, upload->size));
}

void Uploads::check_upload(const std::shared_ptr<Upload>& upload) {
  const auto file = std::make_shared<FileVersion>();
  upload->working = sail::in_background(
      loop_, [part = upload->file, file] { *file = part->version(); },
      [this, upload, file] {
        upload->working = sources_.probe().inspect(
            *file, MediaProbe::Turn::kNext, [this, upload, file] { looked_at(upload, *file); });
      });
}

void Uploads::looked_at(const std::shared_ptr<Upload>& upload, const FileVersion& file) {
  const MediaFacts* facts = sources_.probe().known(file);
  if (facts != nullptr && !facts->unplayable.empty()) {
    end(upload, sail::fail(sail::ErrorCode::kBadData,
                           fmt::format("the file cannot be shown: {}", facts->unplayable)));
    return;
  }
  const auto result = std::make_shared<sail::Result<UploadFile::Published>>();
  upload->working = sail::in_background(
      loop_,
      [part = upload->file, wanted = upload->name, result] { *result = part->publish(wanted); },
      [this, upload, file, result] { published(upload, file, *result); });
}

void Uploads::published(const std::shared_ptr<Upload>& upload, const FileVersion& looked_at,
                        const sail::Result<UploadFile::Published>& result) {
  if (!result) {
    end(upload, result.error());
    return;
  }
  log_.info("uploaded: '{}', {} bytes", result->name, upload->size);
  sources_.probe().moved(looked_at, result->file);
  end(upload, sources_.add_upload(result->name, upload->size, result->file));
}

void Uploads::end(const std::shared_ptr<Upload>& upload, const sail::Result<std::string>& source) {
  std::vector<Exchange> waiting = std::move(upload->asking);
  waiting.push_back(upload->transfer->exchange);
  upload->transfer.reset();
  upload->working.reset();
  uploads_.erase(upload->id);
  slots_.leave(upload->id);
  drop(std::move(upload->file));
  if (!source) {
    log_.warning("upload of '{}': {}", upload->name, source.error().message);
    for (const Exchange& exchange : waiting) exchange->answer(tus_failure(source.error()));
    return;
  }
  finished_.add(
      {.id = upload->id, .size = upload->size, .source = *source, .at_ns = sail::steady_now_ns()});
  for (const Exchange& exchange : waiting) tell(exchange, *finished_.find(upload->id));
}

void Uploads::remove(const Exchange& exchange, const std::shared_ptr<Upload>& upload) {
  if (upload->transfer || upload->working) {
    exchange->answer(tus_answer(423, "a request is sending this upload: end that request first"));
    return;
  }
  uploads_.erase(upload->id);
  slots_.leave(upload->id);
  drop(std::move(upload->file));
  exchange->answer(tus_answer(204));
}

void Uploads::forget_stale() {
  const int64_t oldest_ns = sail::steady_now_ns() - options_.wait_timeout_s * sail::kSecondNs;
  finished_.forget_before(oldest_ns);
  std::erase_if(uploads_, [&](const auto& entry) {
    Upload& upload = *entry.second;
    if (upload.transfer || upload.working || upload.touched_ns >= oldest_ns) return false;
    drop(std::move(upload.file));
    return true;
  });
}

void Uploads::drop(std::shared_ptr<UploadFile> file) {
  cleaning_ = sail::in_background(
      loop_,
      [file = std::make_shared<std::shared_ptr<UploadFile>>(std::move(file))] { file->reset(); },
      [] {});
}

}  // namespace manager
